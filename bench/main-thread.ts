import { openSync, readSync } from "node:fs";

/**
 * Reads how long the main thread has run, in milliseconds: without the time in which the processors worked for others, and
 * without V8's helper threads. `undefined` where the system does not tell.
 */
export function mainThreadReader(): (() => number) | undefined {
  let file: number;
  try {
    // The main thread has the number of the process. Linux: Documentation/scheduler/sched-stats.rst.
    file = openSync(`/proc/self/task/${process.pid}/schedstat`, "r");
  } catch {
    return undefined; // no Linux
  }
  const bytes = Buffer.alloc(64);
  return () => {
    const length = readSync(file, bytes, 0, bytes.length, 0);
    const [nanoseconds] = bytes.toString("latin1", 0, length).split(" ");
    return Number(nanoseconds) / 1e6;
  };
}
