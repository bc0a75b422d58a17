// Prometheus' own parser reads what the dashboard and the alerts ask.
import { execFileSync } from "node:child_process";
import { beforeAll, expect, test } from "vitest";
import type { BuiltTool } from "../clients/tool-cache.ts";
import { buildPromql, programIn } from "../clients/tools.ts";
import { queries } from "./monitoring-queries.ts";
import { registeredMetrics } from "./registered-metrics.ts";

interface Parsed {
  readonly metrics: readonly string[];
  readonly error?: string;
}

/** Grafana fills its variables in before Prometheus sees them. */
const filledIn = (expr: string): string =>
  expr.replaceAll("$__rate_interval", "5m").replaceAll(/\$\{?\w+\}?/g, "any");

function parse(program: string, expressions: readonly string[]): readonly Parsed[] {
  const input = expressions.map((text) => `${JSON.stringify(text)}\n`).join("");
  const lines = execFileSync(program, { input, encoding: "utf8" }).trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as Parsed);
}

let built: BuiltTool;
beforeAll(async () => {
  built = await buildPromql();
}, 1_800_000);

test("Prometheus parses every expression, and each asks for a metric that a running cluster has", async (context) => {
  if ("missing" in built) return context.skip(built.missing);
  const program = programIn(built.folder);
  expect(parse(program, ["rate(up[5m]", "sum by (le) (up)"])).toEqual([
    { metrics: [], error: expect.stringContaining("parse error") },
    { metrics: ["up"] },
  ]);
  const known = await registeredMetrics();
  const isKnown = (name: string): boolean =>
    known.has(name) || known.get(name.replace(/_(?:bucket|sum|count)$/, ""))?.type === "histogram";
  const answers = parse(
    program,
    queries.map(({ expr }) => filledIn(expr)),
  );
  const problems = queries.flatMap(({ where }, index) => {
    const { metrics = [], error } = answers[index] ?? {};
    if (error !== undefined) return [`${where}: ${error}`];
    if (metrics.length === 0) return [`${where}: no metric`];
    return metrics.filter((name) => !isKnown(name)).map((name) => `${where}: ${name} is not known`);
  });
  expect(problems).toEqual([]);
});
