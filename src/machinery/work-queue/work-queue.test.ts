import { expect, test } from "vitest";
import { VirtualClock } from "../clock/virtual-clock.ts";
import { noQueueMetrics, type QueueGauges, type QueueMetrics } from "./queue-metrics.ts";
import { RateLimitingQueue } from "./rate-limiting-queue.ts";
import { WorkQueue } from "./work-queue.ts";

function start(metrics?: QueueMetrics) {
  const clock = new VirtualClock();
  const queue = new RateLimitingQueue({ clock, metrics });
  return { clock, queue };
}

test("keys come out in the order they came, each once", async () => {
  const { queue } = start();
  for (const key of ["a", "b", "a", "c", "b"]) queue.add(key);
  expect(queue.length).toBe(3);
  expect([await queue.take(), await queue.take(), await queue.take()]).toEqual(["a", "b", "c"]);
  expect(queue.length).toBe(0);
});

test("a key that comes while it is worked on is handed out again, but only when that is done", async () => {
  const { queue } = start();
  queue.add("a");
  await queue.take();
  queue.add("a");
  queue.add("a");
  queue.add("b");
  expect(queue.length).toBe(1);
  expect(await queue.take()).toBe("b");
  queue.done("a");
  expect(await queue.take()).toBe("a");
  queue.done("a");
  expect(queue.length).toBe(0);
});

test("workers that wait are served in the order they came", async () => {
  const { queue } = start();
  const taken = [queue.take(), queue.take()];
  queue.add("a");
  queue.add("b");
  expect(await Promise.all(taken)).toEqual(["a", "b"]);
});

test("done for a key that was not taken does nothing", () => {
  const { queue } = start();
  queue.add("a");
  queue.done("a");
  expect(queue.length).toBe(1);
});

test("a queue that is shut down releases its workers and accepts no more keys", async () => {
  const { clock, queue } = start();
  queue.add("a");
  await queue.take();
  const waiting = queue.take();
  queue.add("a");
  queue.addAfter("later", 1000);
  queue.shutDown();
  expect(await waiting).toBeUndefined();
  queue.done("a");
  queue.add("b");
  queue.addAfter("c", 0);
  queue.addAfter("d", 10);
  await clock.advance(10_000);
  expect(await queue.take()).toBeUndefined();
  expect(queue.length).toBe(0);
});

test("events of one instant bring a key once, when all that they cause has been done", async () => {
  const { clock, queue } = start();
  queue.addSoon("a");
  const taken = queue.take();
  const events = async () => {
    for (let event = 0; event < 10; event++) {
      await Promise.resolve();
      queue.addSoon("a");
      expect(queue.length).toBe(0);
    }
  };
  await Promise.all([events(), clock.settle()]);
  expect(await taken).toBe("a");
  queue.done("a");
  expect(queue.length).toBe(0);
  queue.addSoon("a");
  queue.shutDown();
  await clock.settle();
  expect(await queue.take()).toBeUndefined();
});

test.for([
  { name: "after its delay", delays: [100], at: 100 },
  { name: "at the earliest of several times", delays: [300, 100, 200], at: 100 },
  { name: "at once for a delay that is over", delays: [-5], at: 0 },
  { name: "at once for a delay that is no number", delays: [Number.NaN], at: 0 },
  { name: "after more milliseconds than a host timer holds", delays: [2 ** 31 + 5], at: 2 ** 31 + 5 },
])("a delayed key comes $name", async ({ delays, at }) => {
  const { clock, queue } = start();
  const begin = clock.now();
  let cameAt: number | undefined;
  void queue.take().then(() => (cameAt = clock.now() - begin));
  for (const delayMs of delays) queue.addAfter("a", delayMs);
  await clock.advance(2 ** 32);
  expect(cameAt).toBe(at);
  expect(queue.length).toBe(0);
});

test("a key that comes by itself still comes again when its delay is over", async () => {
  const { clock, queue } = start();
  queue.addAfter("a", 100);
  queue.add("a");
  expect(await queue.take()).toBe("a");
  queue.done("a");
  await clock.advance(100);
  expect(await queue.take()).toBe("a");
});

test("a key that fails comes back more and more slowly until it is forgotten", async () => {
  const { clock, queue } = start();
  const delays: number[] = [];
  for (let failure = 0; failure < 4; failure++) {
    const failedAt = clock.now();
    queue.addRateLimited("a");
    void queue.take().then(() => delays.push(clock.now() - failedAt));
    await clock.advance(1000);
    queue.done("a");
  }
  expect(delays).toEqual([5, 10, 20, 40]);
  expect(queue.retries("a")).toBe(4);
  expect(queue.retries("b")).toBe(0);
  queue.forget("a");
  expect(queue.retries("a")).toBe(0);
});

test("a queue measures what it does", async () => {
  const log: string[] = [];
  let gauges: QueueGauges | undefined;
  const { clock, queue } = start({
    added: () => log.push("added"),
    retried: () => log.push("retried"),
    waited: (durationMs) => log.push(`waited ${durationMs}`),
    worked: (durationMs) => log.push(`worked ${durationMs}`),
    observe: (queueGauges) => (gauges = queueGauges),
  });
  queue.add("a");
  queue.add("a");
  queue.add("b");
  await clock.advance(10);
  await queue.take();
  await clock.advance(5);
  await queue.take();
  queue.add("c");
  await clock.advance(5);
  expect([gauges?.depth(), gauges?.unfinishedMs(), gauges?.longestRunningMs()]).toEqual([1, 15, 10]);
  queue.done("a");
  queue.addAfter("a", 100);
  expect(log).toEqual(["added", "added", "waited 10", "waited 15", "added", "worked 10", "retried"]);
});

test("durations are measured in fractions of a millisecond where the clock has them", async () => {
  let elapsed = 0;
  const clock = Object.assign(new VirtualClock(), { elapsed: () => elapsed });
  const log: string[] = [];
  const metrics: QueueMetrics = {
    ...noQueueMetrics,
    waited: (durationMs) => void log.push(`waited ${durationMs}`),
    worked: (durationMs) => void log.push(`worked ${durationMs}`),
  };
  const queue = new WorkQueue({ clock, metrics });
  queue.add("a");
  elapsed = 0.25;
  await queue.take();
  elapsed = 0.75;
  queue.done("a");
  expect(log).toEqual(["waited 0.25", "worked 0.5"]);
});
