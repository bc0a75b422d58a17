/** One measured number, with the bar and the goal DESIGN sets for it where there is one. */
export interface Measure {
  readonly what: string;
  readonly value: number;
  readonly unit: "ms" | "per s" | "MB" | "µs" | "writes";
  readonly bar?: number;
  readonly goal?: number;
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
  return times.sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? Number.NaN;
}
