import os from "node:os";
import { Worker } from "node:worker_threads";

export interface ThreadOptions<Report> {
  /** How many threads; absent: as many as there are processors. */
  readonly threads?: number;
  /** Called for every report when it is there, in any order. */
  readonly reported?: (report: Report) => void;
  /** Asked before each task: from a yes on, no more are given out. */
  readonly isEnough?: () => boolean;
  /** Ends the threads; the result rejects with its reason. */
  readonly signal?: AbortSignal;
}

/**
 * Gives tasks to threads, to each one at a time: a task is a message to the worker, and its report the answer. The
 * reports come in any order.
 */
export async function runInThreads<Report>(
  worker: URL,
  tasks: readonly object[],
  { threads = os.availableParallelism(), reported, isEnough, signal }: ThreadOptions<Report> = {},
): Promise<readonly Report[]> {
  const waiting = takenUntil(tasks, isEnough);
  const reports: Report[] = [];
  const heard = (answer: unknown) => {
    const report = answer as Report; // the worker that the caller named sends nothing else
    reports.push(report);
    reported?.(report);
  };
  const count = Math.min(threads, tasks.length);
  const thread = { url: worker, signal };
  await Promise.all(Array.from({ length: count }, () => runThread(thread, waiting, heard)));
  return reports;
}

/** The tasks in turn, for all threads together, until it is enough. */
function* takenUntil<Task>(tasks: readonly Task[], isEnough = () => false) {
  for (const task of tasks) {
    if (isEnough()) return;
    yield task;
  }
}

/** Runs tasks in one thread until none is left. */
async function runThread(
  { url, signal }: { readonly url: URL; readonly signal: AbortSignal | undefined },
  waiting: Iterator<object, unknown>,
  heard: (report: unknown) => void,
): Promise<void> {
  signal?.throwIfAborted();
  const worker = new Worker(url);
  try {
    await new Promise<void>((resolve, reject) => {
      const next = () => {
        const { value, done } = waiting.next();
        if (done === true) resolve();
        else worker.postMessage(value);
      };
      worker.on("message", (report: unknown) => {
        heard(report);
        next();
      });
      worker.on("error", reject);
      signal?.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
      worker.on("exit", (code) => reject(new Error(`a thread ended with ${code}`)));
      next();
    });
  } finally {
    await worker.terminate();
  }
}
