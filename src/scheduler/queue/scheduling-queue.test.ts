import { describe, expect, test } from "vitest";
import type { Pod } from "../../api/generated/core-v1.ts";
import { clusterViewOf } from "../../decisions/placement/view/list-view.ts";
import { schedulingGates } from "../../decisions/placement/scheduling-gates/plugin.ts";
import { VirtualClock } from "../../machinery/clock/virtual-clock.ts";
import { pod } from "../../testing/pod.ts";
import type { ClusterEvent } from "../../decisions/placement/cluster-event.ts";
import { pluginHints } from "./plugin-hints.cases.ts";
import { silentQueueMeter, type QueuedPod } from "./queued-pod.ts";
import { SchedulingQueue } from "./scheduling-queue.ts";
import type { SubQueue } from "./waiting-pods.ts";

const second = 1000;
const minute = 60 * second;

function queueFixture() {
  const clock = new VirtualClock();
  const entered: string[] = [];
  let count: (place: SubQueue) => number = () => 0;
  const queue = new SchedulingQueue({
    clock,
    backOff: { initialMs: second, maxMs: 10 * second },
    gatedBy: (facts) => (schedulingGates.preEnqueue?.(facts).kind === "fits" ? undefined : "SchedulingGates"),
    hintsFor: () => pluginHints,
    cluster: clusterViewOf({ nodes: [] }),
    meter: {
      ...silentQueueMeter,
      entered: (place, event) => void entered.push(`${place} ${event}`),
      follow: (read) => void (count = read),
    },
  });
  const next = () => queue.pop()?.info.name;
  return { clock, queue, entered, next, count: (place: SubQueue) => count(place) };
}

const waiting = (name: string, spec: Partial<Pod["spec"]> = {}): Pod => {
  const plain = pod(name, { node: null });
  return { ...plain, spec: { ...plain.spec, ...spec } };
};
const podGone: ClusterEvent = { resource: "AssignedPod", action: "Delete", before: pod("gone") };
const podCame: ClusterEvent = { resource: "AssignedPod", action: "Add", after: pod("new") };
const noRoom = new Set(["NodeResourcesFit"]);

/** A queue with one Pod in it that has been refused once. */
function rejectedOnce(rejectedBy: ReadonlySet<string> = noRoom) {
  const all = queueFixture();
  all.queue.add(waiting("a"));
  all.queue.requeueUnschedulable(popped(all.queue), waiting("a"), rejectedBy);
  return all;
}

function popped(queue: SchedulingQueue): QueuedPod {
  const entry = queue.pop();
  if (entry === undefined) throw new Error("nothing to pop");
  return entry;
}

test("higher priority goes first, then who came first", async () => {
  const { queue, clock, next } = queueFixture();
  queue.add(waiting("late"));
  queue.add(waiting("first", { priority: 5 }));
  await clock.advance(second);
  queue.add(waiting("later"));
  queue.add(waiting("second", { priority: 5 }));
  queue.add(waiting("last", { priority: -1 }));
  expect([next(), next(), next(), next(), next(), next()]).toEqual([
    "first",
    "second",
    "late",
    "later",
    "last",
    undefined,
  ]);
});

test("`available` resolves when a Pod is added", async () => {
  const { queue, clock } = queueFixture();
  let woken = false;
  void queue.available().then(() => (woken = true));
  await clock.settle();
  expect(woken).toBe(false);
  queue.add(waiting("a"));
  await clock.settle();
  expect(woken).toBe(true);
});

describe("a refused Pod", () => {
  test("waits for an event that may help against who refused it", () => {
    const { queue, next } = rejectedOnce();
    expect(next()).toBeUndefined();
    queue.moveOnEvent(podCame);
    expect(next()).toBeUndefined();
    queue.moveOnEvent(podGone);
    expect(next()).toBe("a");
  });

  test("has time off when there are others to try", async () => {
    const { queue, next, clock, entered } = rejectedOnce();
    queue.moveOnEvent(podGone);
    queue.add(waiting("b"));
    expect(entered.slice(-2)).toEqual(["backoff AssignedPodDelete", "active UnscheduledPodAdd"]);
    expect(next()).toBe("b");
    await clock.advance(2 * second);
    expect(entered.at(-1)).toBe("active BackoffComplete");
  });

  test("is tried at once when its time off is over already", async () => {
    const { queue, clock, entered } = rejectedOnce();
    await clock.advance(2 * second);
    queue.moveOnEvent(podGone);
    expect(entered.at(-1)).toBe("active AssignedPodDelete");
  });

  test("is not refused by what was true before an event during its attempt", () => {
    const { queue, next } = queueFixture();
    queue.add(waiting("a"));
    const attempt = popped(queue);
    queue.moveOnEvent(podGone);
    queue.requeueUnschedulable(attempt, waiting("a"), noRoom);
    expect(next()).toBe("a");
  });

  test("does not profit from events before its attempt or of others' attempts", () => {
    const { queue, next } = queueFixture();
    queue.moveOnEvent(podGone);
    queue.add(waiting("a"));
    queue.add(waiting("b"));
    const first = popped(queue);
    const attempt = popped(queue);
    queue.done(first.info.pod.metadata.uid);
    queue.requeueUnschedulable(attempt, waiting("b"), noRoom);
    expect(next()).toBeUndefined();
  });

  test("is tried again when it has waited for more than five minutes, at a round of thirty seconds", async () => {
    const { next, clock, entered } = rejectedOnce();
    await clock.advance(5 * minute);
    expect(next()).toBeUndefined();
    await clock.advance(30 * second);
    expect(entered.at(-1)).toBe("active UnschedulableTimeout");
    expect(next()).toBe("a");
  });

  test("is woken by a change of its own", () => {
    const { queue, next } = rejectedOnce(new Set(["TaintToleration"]));
    queue.update(waiting("a"), { ...waiting("a"), status: {} });
    expect(next()).toBeUndefined();
    queue.update(waiting("a"), waiting("a", { tolerations: [{ operator: "Exists" }] }));
    expect(queue.pop()?.info.pod.spec.tolerations).toHaveLength(1);
  });

  test("is forgotten when it is gone", async () => {
    const { queue, next, clock } = rejectedOnce();
    queue.delete(waiting("a").metadata.uid);
    queue.moveOnEvent(podGone);
    await clock.advance(10 * minute);
    expect(next()).toBeUndefined();
  });
});

describe("a Pod whose attempt broke", () => {
  test("comes back by itself, ever more slowly, and not before", async () => {
    const { queue, clock } = rejectedOnce(new Set());
    const start = clock.now();
    const waits: number[] = [];
    for (let attempt = 0; attempt < 6; attempt++) {
      let entry = queue.pop();
      while (entry === undefined) {
        await clock.advance(second);
        entry = queue.pop();
      }
      waits.push((clock.now() - start) / second);
      queue.requeueUnschedulable(entry, waiting("a"), new Set());
    }
    // 1, 2, 4, 8, 10, 10 seconds off, each with the second in which it ends
    expect(waits).toEqual([2, 5, 10, 19, 30, 41]);
  });

  test("does not count towards its refusals", () => {
    const { queue } = rejectedOnce();
    queue.moveOnEvent(podGone);
    const attempt = popped(queue);
    expect([attempt.attempts, attempt.unschedulableCount, attempt.consecutiveErrors]).toEqual([2, 1, 0]);
    queue.requeueUnschedulable(attempt, waiting("a"), new Set());
    queue.moveOnEvent(podGone);
    expect(queue.pop()).toBeUndefined();
  });
});

describe("a Pod behind gates", () => {
  const gated = waiting("a", { schedulingGates: [{ name: "g" }] });

  test("is not tried, whatever happens, until the last gate opens", async () => {
    const { queue, next, clock, count, entered } = queueFixture();
    queue.add(gated);
    queue.moveOnEvent(podGone);
    await clock.advance(10 * minute);
    expect([next(), count("gated")]).toEqual([undefined, 1]);
    queue.update(gated, waiting("a"));
    expect(entered.at(-1)).toBe("active UnscheduledPodUpdatePodSchedulingGatesEliminated");
    expect([next(), count("gated")]).toEqual(["a", 0]);
  });
});
