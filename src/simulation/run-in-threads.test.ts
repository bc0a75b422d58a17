import { expect, test } from "vitest";
import { runInThreads } from "./run-in-threads.ts";

/** Answers every task with itself. */
const echo = new URL(
  `data:text/javascript,${encodeURIComponent(
    'import { parentPort } from "node:worker_threads"; parentPort.on("message", (task) => parentPort.postMessage(task));',
  )}`,
);
const tasks = Array.from({ length: 20 }, (_, number) => ({ number }));

test("every task is given out once, whichever thread takes it", async () => {
  const reports = await runInThreads<{ number: number }>(echo, tasks, { threads: 3 });
  expect(reports.map(({ number }) => number).sort((a, b) => a - b)).toEqual(
    tasks.map(({ number }) => number),
  );
});

test("when it is enough, no more tasks are given out, and those that were are reported", async () => {
  let given = 0;
  const isEnough = () => given++ >= 7;
  const reports = await runInThreads<{ number: number }>(echo, tasks, { threads: 2, isEnough });
  expect(reports.map(({ number }) => number).sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6]);
});
