import os from "node:os";
import type { Measure } from "./measure.ts";
import { inProcessOfItsOwn } from "./run-bench.ts";

/**
 * The benches whose bars say how fast Trimtab has to be, those that need a machine at rest most first. All that compare with
 * the programs of Kubernetes run these where TRIMTAB_CONTROL_PLANE says where they are.
 */
const compared = [
  "end-to-end",
  "https-creates",
  "deployment",
  "cluster",
  "apiserver",
  "durable",
  "placement",
  "scheduler-perf",
  "ranking",
  "autoscaling",
  "event-loop",
  "fairness",
  "real-cluster",
  "real-scheduler",
];

/** With `--short`: the sizes that take most of the time, smaller. */
const shorter: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  fairness: { TRIMTAB_BENCH_PODS: "10000" },
  "real-scheduler": { TRIMTAB_BENCH_PODS: "600" },
  "real-cluster": { TRIMTAB_BENCH_ROUNDS: "1" },
  "end-to-end": { TRIMTAB_BENCH_ROUNDS: "1" },
};

/**
 * Fills the whole table of bars by one command: what each bench measures that has a bar, or a number of Kubernetes beside it.
 * `--short` leaves the largest sizes out.
 */
export function compare(): readonly Measure[] {
  const isShort = process.argv.includes("--short");
  const measures: Measure[] = [loadAverage("load average at the start")];
  for (const name of compared) {
    const start = performance.now();
    try {
      measures.push(...rowsOf(inProcessOfItsOwn(name, isShort ? shorter[name] : {})));
    } catch (error) {
      // The others are worth having.
      console.error(`compare: ${error instanceof Error ? error.message : String(error)}`);
      process.exitCode = 1;
    }
    const seconds = Math.round((performance.now() - start) / 1000);
    console.error(`compare: ${name} took ${seconds} s, load average ${os.loadavg()[0]?.toFixed(1)}`);
  }
  return [...measures, loadAverage("load average at the end")];
}

/** The measures with something to compare them with, and those that continue such a one. */
function rowsOf(measures: readonly Measure[]): readonly Measure[] {
  return measures.filter(
    ({ what, bar, kubernetes }) =>
      bar !== undefined || kubernetes !== undefined || what.startsWith("the same"),
  );
}

const loadAverage = (what: string): Measure => ({ what, value: os.loadavg()[0] ?? Number.NaN, unit: "" });
