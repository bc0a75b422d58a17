import { existsSync, readdirSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { readPage } from "./markdown.ts";
import { type RegisteredMetric, registeredMetrics } from "./registered-metrics.ts";

/** A question to Prometheus, and the text in which its labels are shown. */
interface Query {
  readonly where: string;
  readonly expr: string;
  readonly shown: string;
}

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

const root = new URL("../../", import.meta.url);
const { groups } = parse(readPage("deploy/prometheus/alerts.yaml")) as {
  readonly groups: readonly { readonly rules: readonly Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(readPage("deploy/grafana/trimtab.json")) as {
  readonly panels: readonly Panel[];
};
const queries: readonly Query[] = [
  ...rules.map(({ alert, expr, annotations }) => ({ where: alert, expr, shown: annotations.summary })),
  ...panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, legendFormat }) => ({ where: title, expr, shown: legendFormat })),
  ),
];

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
