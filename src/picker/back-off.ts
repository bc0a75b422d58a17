import { exponentialBackoffMs } from "../machinery/exponential-backoff.ts";
import type { Random } from "../machinery/random/random.ts";

const firstMs = 50;
const longestMs = 500;

/** How long to wait after so many failed attempts: twice as long each time, give or take a half. */
export function backOffMs(failures: number, random: Random): number {
  const plain = exponentialBackoffMs({ initialMs: firstMs, maxMs: longestMs }, failures - 1);
  return Math.min(longestMs, plain * (0.5 + random.next()));
}
