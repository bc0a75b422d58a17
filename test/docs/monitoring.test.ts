import { existsSync, readdirSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { readPage } from "./markdown.ts";
import { panels, queries, type Query, rules } from "./monitoring-queries.ts";
import { type RegisteredMetric, registeredMetrics } from "./registered-metrics.ts";

const root = new URL("../../", import.meta.url);

let known: ReadonlyMap<string, RegisteredMetric>;
beforeAll(async () => {
  known = await registeredMetrics();
});

/** The metrics of an expression: names that are no functions, labels or texts. */
function metricsIn(expr: string): readonly string[] {
  const bare = expr
    .replaceAll(/"[^"]*"/g, "")
    .replaceAll(/\{[^}]*\}/g, "")
    .replaceAll(/\bby \([^)]*\)/g, "");
  return (bare.match(/\b[a-z][a-z0-9]*_\w+\b(?! ?\()/g) ?? []).map(withoutSuffix);
}

/** Prometheus stores the buckets of a histogram under a name of their own. */
function withoutSuffix(name: string): string {
  const base = name.replace(/_bucket$/, "");
  return known.get(base)?.type === "histogram" ? base : name;
}

/** The labels by which an expression selects and sums, and those that are shown. */
function labelsIn({ expr, shown }: Query): readonly string[] {
  const selecting = [...expr.matchAll(/\{([^}]*)\}/g)].flatMap(([, text = ""]) => [
    ...text.matchAll(/(\w+)(?:=~|!=|!~|=)"/g),
  ]);
  const summing = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, text = ""]) => [
    ...text.matchAll(/(\w+)/g),
  ]);
  const showing = [...shown.matchAll(/\{\{ ?(?:\$labels\.)?(\w+) ?\}\}/g)];
  return [...selecting, ...summing, ...showing].map(([, name = ""]) => name);
}

test("every alert and panel asks for metrics that a component registers", () => {
  expect(rules.length).toBeGreaterThan(10);
  expect(panels.length).toBeGreaterThan(20);
  expect(queries.filter(({ expr }) => metricsIn(expr).length === 0)).toEqual([]);
  const unknown = queries.flatMap(({ where, expr }) =>
    metricsIn(expr).flatMap((name) => (known.has(name) ? [] : [`${where}: ${name}`])),
  );
  expect(unknown).toEqual([]);
});

test("every label that they select, sum by or show is one of these metrics", () => {
  const unknown = queries.flatMap((query) => {
    const metrics = metricsIn(query.expr).map((name) => known.get(name));
    const own = new Set(metrics.flatMap((metric) => metric?.labels ?? []));
    if (metrics.some((metric) => metric?.type === "histogram")) own.add("le");
    return labelsIn(query).flatMap((label) => (own.has(label) ? [] : [`${query.where}: ${label}`]));
  });
  expect(unknown).toEqual([]);
});

test("every metric that docs/operations names is in an alert or a panel", () => {
  const asked = new Set(queries.flatMap(({ expr }) => metricsIn(expr)));
  const pages = readdirSync(new URL("docs/operations/", root)).map((file) =>
    readPage(`docs/operations/${file}`),
  );
  const named = pages.flatMap((page) => [...page.matchAll(/`([a-z]+_[a-z0-9_]+)[`{]/g)]);
  const metrics = new Set(named.flatMap(([, name = ""]) => (known.has(name) ? [name] : [])));
  expect(metrics.size).toBeGreaterThan(20);
  // The same values as scheduler_scheduling_attempt_duration_seconds.
  metrics.delete("scheduler_e2e_scheduling_duration_seconds");
  expect([...metrics].filter((name) => !asked.has(name))).toEqual([]);
});

test("every alert has a name of its own and a page that says what to do, and docs/monitoring.md lists it", () => {
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  expect(rules.filter(({ annotations }) => !existsSync(new URL(annotations.runbook, root)))).toEqual([]);
  const page = readPage("docs/monitoring.md");
  const listed = [...page.matchAll(/^\| `(\w+)` /gm)].map(([, name]) => name);
  expect(listed).toEqual(rules.map(({ alert }) => alert));
});

test("every panel of the dashboard has an id of its own", () => {
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
});
