import { existsSync, readFileSync } from "node:fs";

/** One measured number, with its bar and its goal, where it has them. */
export interface Measure {
  readonly what: string;
  readonly value: number;
  readonly unit: "ms" | "per s" | "MB" | "kB" | "µs" | "writes" | "%" | "";
  readonly bar?: number;
  readonly goal?: number;
  /** What Kubernetes 1.36 takes for the same: measured beside ours, or the number of another day where that is said. */
  readonly kubernetes?: number;
}

/** The median time of `run` in milliseconds, after a warm-up. */
export function medianMs(run: () => unknown, rounds = 9): number {
  for (let round = 0; round < 3; round++) run();
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    run();
    times.push(performance.now() - start);
  }
  return percentile(times, 0.5);
}

/** The median processor time of `run` in milliseconds, after a warm-up: unlike `medianMs`, it hardly depends on what else runs. */
export function medianCpuMs(run: () => unknown, rounds = 9): number {
  for (let round = 0; round < 3; round++) run();
  return percentile(
    Array.from({ length: rounds }, () => cpuMs(run)),
    0.5,
  );
}

/** The processor time that the process takes while `run` runs, in milliseconds. */
export function cpuMs(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Returns the value below which the given share of the values lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

const tickMs = 10;

/** How long a program has run on a processor, as Linux counts it; elsewhere not known. */
export function processorMs({ pid }: { readonly pid: number }): number {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return Number.NaN;
  const [, ...fields] = readFileSync(file, "utf8").split(") ");
  const [user, system] = fields.join(") ").split(" ").slice(11, 13).map(Number);
  return ((user ?? 0) + (system ?? 0)) * tickMs;
}

/** The memory of a program that is resident, as Linux counts it; elsewhere not known. */
export function memoryMb({ pid }: { readonly pid: number }): number {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return Number.NaN;
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(file, "utf8"))?.[1]) / 1024;
}
