import * as fc from "fast-check";
import { expect, test } from "vitest";
import { clusterViewOf } from "../../decisions/placement/view/list-view.ts";
import { VirtualClock } from "../../machinery/clock/virtual-clock.ts";
import { pod } from "../../testing/pod.ts";
import type { ClusterEvent } from "../../decisions/placement/cluster-event.ts";
import { pluginHints } from "./plugin-hints.cases.ts";
import { silentQueueMeter } from "./queued-pod.ts";
import { SchedulingQueue } from "./scheduling-queue.ts";
import type { SubQueue } from "./waiting-pods.ts";

const minute = 60_000;
const subQueues: readonly SubQueue[] = ["active", "backoff", "error-backoff", "unschedulable", "gated"];
const podGone: ClusterEvent = { resource: "AssignedPod", action: "Delete", before: pod("gone") };
const podCame: ClusterEvent = { resource: "AssignedPod", action: "Add", after: pod("new") };

/** A queue, and the names of those that should be in it. */
class Model {
  readonly clock = new VirtualClock();
  readonly known = new Set<string>();
  readonly queue: SchedulingQueue;
  #count: (place: SubQueue) => number = () => 0;

  constructor() {
    this.queue = new SchedulingQueue({
      clock: this.clock,
      backOff: { initialMs: 1000, maxMs: 10_000 },
      gatedBy: () => undefined,
      hintsFor: () => pluginHints,
      cluster: clusterViewOf({ nodes: [] }),
      meter: { ...silentQueueMeter, follow: (count) => void (this.#count = count) },
    });
  }

  get size(): number {
    return subQueues.reduce((sum, place) => sum + this.#count(place), 0);
  }

  add(name: string): void {
    this.known.add(name);
    this.queue.add(pod(name, { node: null }));
  }

  delete(name: string): void {
    this.known.delete(name);
    this.queue.delete(pod(name).metadata.uid);
  }

  update(name: string): void {
    const before = pod(name, { node: null });
    if (this.known.has(name)) this.queue.update(before, { ...before, spec: { ...before.spec, priority: 1 } });
  }

  tryNext(rejectedBy: ReadonlySet<string>): void {
    const entry = this.queue.pop();
    if (entry !== undefined) this.queue.requeueUnschedulable(entry, entry.info.pod, rejectedBy);
  }
}

type Step = (model: Model) => void | Promise<void>;

const name = fc.constantFrom("a", "b", "c", "d");
const rejectedBy = fc.constantFrom(
  new Set<string>(),
  new Set(["NodeResourcesFit"]),
  new Set(["InterPodAffinity"]),
);
const step = fc.oneof(
  name.map(
    (each): Step =>
      (model) =>
        model.add(each),
  ),
  name.map(
    (each): Step =>
      (model) =>
        model.delete(each),
  ),
  name.map(
    (each): Step =>
      (model) =>
        model.update(each),
  ),
  rejectedBy.map(
    (each): Step =>
      (model) =>
        model.tryNext(each),
  ),
  fc.constantFrom(podGone, podCame).map(
    (each): Step =>
      (model) =>
        model.queue.moveOnEvent(each),
  ),
  fc.constantFrom(300, 1000, 6 * minute).map(
    (each): Step =>
      (model) =>
        model.clock.advance(each),
  ),
);

test("a Pod is never lost and never in two subQueues", () =>
  fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const model = new Model();
      for (const take of steps) {
        await take(model);
        expect(model.size).toBe(model.known.size);
      }
      await model.clock.advance(6 * minute);
      const left = new Set(Array.from(model.known, () => model.queue.pop()?.info.name));
      expect(left).toEqual(model.known);
    }),
  ));
