import { expect, test } from "vitest";
import { configMaps, pods } from "../api/resources.ts";
import { keyOf } from "../api/object.ts";
import { testApi } from "../testing/test-api.ts";
import { apiFailure, ApiError } from "./client/api-error.ts";
import { VirtualClock } from "./clock/virtual-clock.ts";
import {
  type ControllerSpec,
  done,
  type KeyQueue,
  type ReconcileResult,
  runController,
  watching,
  TerminalError,
} from "./controller.ts";
import { Informer } from "./informer/informer.ts";
import { type Logger, silentLogger } from "./log/logger.ts";
import { seededRandom } from "./random/random.ts";
import { noQueueMetrics } from "./work-queue/queue-metrics.ts";

type Reconcile = (key: string, signal: AbortSignal) => ReconcileResult | Promise<ReconcileResult>;

/** A controller that does as the test says, and writes down when it did it. */
function start(reconcile: Reconcile, spec: Partial<ControllerSpec> = {}, metrics = noQueueMetrics) {
  const clock = new VirtualClock(0);
  const stop = new AbortController();
  const reconciled: string[] = [];
  const logged: string[] = [];
  let queue: KeyQueue | undefined;
  const running = runController(
    {
      name: "test",
      workers: 1,
      watches: [
        { synced: () => Promise.resolve(true), start: (fed) => ((queue = fed), () => (queue = undefined)) },
      ],
      reconcile: async (key, signal) => {
        reconciled.push(`${key} at ${clock.now()}`);
        return reconcile(key, signal);
      },
      ...spec,
    },
    { clock, log: writingTo(logged), metrics: () => metrics },
    stop.signal,
  );
  return { clock, stop, running, reconciled, logged, add: (key: string) => queue?.add(key) };
}

function writingTo(logged: string[]): Logger {
  const write = (level: string) => (message: string) => void logged.push(`${level}: ${message}`);
  const log = { ...silentLogger, info: write("info"), warn: write("warn"), error: write("error") };
  return { ...log, with: () => log };
}

/** Fails the first `count` times with what is given. */
function failing(count: number, error: unknown): Reconcile {
  let failures = 0;
  return () => {
    if (failures++ < count) throw error;
    return done;
  };
}

test.for<{ name: string; outcome: ReconcileResult; want: readonly string[] }>([
  { name: "is left alone when done", outcome: done, want: ["a at 0"] },
  { name: "comes again at an instant", outcome: { requeueAt: 700 }, want: ["a at 0", "a at 700"] },
  { name: "comes again after a while", outcome: { requeueAfterMs: 300 }, want: ["a at 0", "a at 300"] },
  {
    name: "comes again at once when the instant has passed",
    outcome: { requeueAt: -5 },
    want: ["a at 0", "a at 0"],
  },
])("a key $name", async ({ outcome, want }) => {
  let count = 0;
  const { clock, add, reconciled } = start(() => (count++ === 0 ? outcome : done));
  add("a");
  await clock.advance(10_000);
  expect(reconciled).toEqual(want);
});

test("a failed key is tried again, ever more slowly, until it does well", async () => {
  const { clock, add, reconciled, logged } = start(failing(4, new Error("conflict")));
  add("a");
  await clock.advance(10_000);
  expect(reconciled).toEqual(["a at 0", "a at 5", "a at 15", "a at 35", "a at 75"]);
  expect(logged).toEqual(Array.from({ length: 4 }, () => "warn: reconcile failed"));
});

test("an object that a quota refuses is reported in an event, not in the log of the controller", async () => {
  const message =
    'pods "a" is forbidden: exceeded quota: q, requested: pods=1, used: pods=4, limited: pods=4';
  const { clock, add, logged } = start(failing(7, new ApiError({ reason: "Forbidden", code: 403, message })));
  add("a");
  await clock.advance(10_000);
  expect(logged).toEqual([]);
});

test.for([
  { name: "a write that another client was ahead of", reason: "Conflict", code: 409 },
  { name: "an ordinary deletion that the informer has not seen yet", reason: "NotFound", code: 404 },
])("$name is logged at level warn only when it keeps failing", async ({ reason, code }) => {
  const { clock, add, logged } = start(failing(7, new ApiError({ reason, code, message: "no" })));
  add("a");
  await clock.advance(10_000);
  expect(logged).toEqual(["warn: reconcile failed", "warn: reconcile failed"]);
});

test("a key that did well starts afresh when it fails again", async () => {
  let count = 0;
  const { clock, add, reconciled } = start(() => {
    if (count++ % 2 === 0) throw new Error("every other time");
    return done;
  });
  add("a");
  await clock.advance(100);
  add("a");
  await clock.advance(100);
  expect(reconciled).toEqual(["a at 0", "a at 5", "a at 100", "a at 105"]);
});

test.for<{ name: string; error: unknown; spec: Partial<ControllerSpec>; log: readonly string[] }>([
  {
    name: "that is terminal",
    error: new TerminalError("malformed", { cause: new Error("why") }),
    spec: {},
    log: ["error: reconcile failed permanently"],
  },
  {
    name: "that the controller forgets",
    error: apiFailure(403, "NamespaceTerminating"),
    spec: { ignores: () => true },
    log: [],
  },
  {
    name: "after no retries are left",
    error: new Error("no luck"),
    spec: { maxRetries: 0 },
    log: ["error: reconcile failed too often"],
  },
])("a failure $name is not tried again", async ({ error, spec, log }) => {
  const { clock, add, reconciled, logged } = start(failing(1, error), spec);
  add("a");
  await clock.advance(3_600_000);
  expect(reconciled).toEqual(["a at 0"]);
  expect(logged).toEqual(log);
});

test("a key is dropped after the retries it has, and its next event gives it as many again", async () => {
  const { clock, add, reconciled } = start(failing(100, new Error("no luck")), { maxRetries: 15 });
  add("a");
  await clock.advance(3_600_000);
  expect(reconciled).toHaveLength(16);
  expect(reconciled.at(-1)).toBe(`a at ${5 * (2 ** 15 - 1)}`);
  add("a");
  await clock.advance(3_600_000);
  expect(reconciled).toHaveLength(32);
});

test("keys are worked on side by side, one key never twice at a time", async () => {
  let most = 0;
  const busy = new Set<string>();
  const { clock, add, reconciled } = start(
    async (key) => {
      expect(busy.has(key)).toBe(false);
      busy.add(key);
      most = Math.max(most, busy.size);
      await clock.sleep(10);
      busy.delete(key);
      return done;
    },
    { workers: 3 },
  );
  for (const key of ["a", "b", "c", "d"]) add(key);
  await clock.advance(5);
  add("a");
  await clock.advance(100);
  expect(most).toBe(3);
  expect(reconciled).toEqual(["a at 0", "b at 0", "c at 0", "d at 10", "a at 10"]);
});

test("nothing is reconciled before everything watched has been seen", async () => {
  const { client, clock, seed } = testApi();
  seed(configMaps, { metadata: { name: "a", namespace: "default" } });
  const options = { client, clock, random: seededRandom(1) };
  const first = new Informer({ ...options, resource: configMaps });
  const second = new Informer({ ...options, resource: pods });
  const stop = new AbortController();
  const reconciled: string[] = [];
  const spec: ControllerSpec = {
    name: "test",
    workers: 1,
    watches: [watching(first, (queue) => ({ added: (object) => queue.add(keyOf(object)) })), second],
    reconcile: (key) => Promise.resolve((reconciled.push(key), done)),
  };
  void runController(spec, { clock, log: silentLogger }, stop.signal);
  void first.run(stop.signal);
  await clock.advance(60_000);
  expect(reconciled).toEqual([]);
  void second.run(stop.signal);
  await clock.settle();
  expect(reconciled).toEqual(["default/a"]);
});

test("stopping waits for the workers, takes no more keys and does not complain", async () => {
  let isEnded = false;
  const { clock, stop, running, add, reconciled, logged } = start((_key, signal) =>
    clock.sleep(1000, signal).then(() => done),
  );
  void running.then(() => (isEnded = true));
  add("a");
  add("b");
  await clock.advance(10);
  expect(isEnded).toBe(false);
  stop.abort();
  await running;
  add("c");
  await clock.advance(10_000);
  expect(reconciled).toEqual(["a at 0"]);
  expect(logged).toEqual([]);
});

test("a reconcile that pays no heed to its signal is waited for", async () => {
  let isEnded = false;
  const { clock, stop, running, add } = start(() => clock.sleep(1000).then(() => done));
  void running.then(() => (isEnded = true));
  add("a");
  await clock.advance(10);
  stop.abort();
  await clock.advance(500);
  expect(isEnded).toBe(false);
  await clock.advance(500);
  expect(isEnded).toBe(true);
});

test("a controller that is stopped before it could start ends at once", async () => {
  const { stop, running, reconciled } = start(() => done, {
    watches: [
      {
        synced: (signal) => new Promise((resolve) => signal.addEventListener("abort", () => resolve(false))),
      },
    ],
  });
  stop.abort();
  await running;
  expect(reconciled).toEqual([]);
});

test("a key waits until its own writes have been read, however often it is asked for", async () => {
  let isRead = false;
  const unread = { resource: pods, written: "12", read: "10" };
  const skipped: unknown[] = [];
  const { clock, add, reconciled, logged } = start(() => done, {
    maxRetries: 2,
    written: { firstUnread: () => (isRead ? undefined : unread) },
    onSkipped: (each) => skipped.push(each),
  });
  add("a");
  await clock.advance(100);
  expect(reconciled).toEqual([]);
  expect(skipped).toEqual([unread, unread, unread, unread, unread]);
  isRead = true;
  await clock.advance(100);
  expect(reconciled).toEqual(["a at 155"]);
  expect(logged).toEqual([]);
});

test("a turn that was put off is neither a retry nor a failure", async () => {
  let retried = 0;
  let isRead = false;
  const unread = { resource: pods, written: "12", read: "10" };
  const { clock, add, reconciled } = start(
    failing(2, new Error("no luck")),
    { maxRetries: 2, written: { firstUnread: () => (isRead ? undefined : unread) } },
    { ...noQueueMetrics, retried: () => retried++ },
  );
  add("a");
  await clock.advance(100);
  expect(retried).toBe(0);
  isRead = true;
  await clock.advance(100);
  // However often it had to wait before, it has all its retries, and its first one as soon as any.
  expect(reconciled).toEqual(["a at 155", "a at 160", "a at 170"]);
  expect(retried).toBe(2);
});

test("each controller's queue is measured under its name", async () => {
  const names: string[] = [];
  const stop = AbortSignal.abort();
  const metrics = (name: string) => (names.push(name), noQueueMetrics);
  const spec = { name: "replicaset", workers: 5, watches: [], reconcile: () => Promise.resolve(done) };
  await runController(spec, { clock: new VirtualClock(), log: silentLogger, metrics }, stop);
  expect(names).toEqual(["replicaset"]);
});

test("the event loop does I/O between reconciles when that is due", async () => {
  const { clock, add, reconciled } = start(() => done);
  await clock.settle();
  Object.assign(clock, {
    yieldToEventLoop: () =>
      reconciled.length === 1 ? Promise.resolve().then(() => void reconciled.push("I/O")) : undefined,
  });
  for (const key of ["a", "b", "c"]) add(key);
  await clock.settle();
  expect(reconciled).toEqual(["a at 0", "I/O", "b at 0", "c at 0"]);
});
