import { expect, test } from "vitest";
import type { Pod } from "../../api/generated/core-v1.ts";
import { lookupsIn } from "../../decisions/placement/view/list-view.ts";
import { VirtualClock } from "../../machinery/clock/virtual-clock.ts";
import { pod, type PodTraits } from "../../testing/pod.ts";
import { SchedulerCache } from "../cache/scheduler-cache.ts";
import { type ClusterEvent, eventName } from "../../decisions/placement/cluster-event.ts";
import { silentQueueMeter } from "../queue/queued-pod.ts";
import { SchedulingQueue } from "../queue/scheduling-queue.ts";
import { NominatedPods } from "../nominated-pods.ts";
import { schedulerNameOf } from "../scheduler-name.ts";
import { podHandler } from "./pod-handler.ts";

class ListeningQueue extends SchedulingQueue {
  readonly heard: string[] = [];

  override moveOnEvent(event: ClusterEvent): void {
    this.heard.push(eventName(event));
    super.moveOnEvent(event);
  }
}

function podHandlerFixture() {
  const cache = new SchedulerCache(lookupsIn({}));
  const queue = new ListeningQueue({
    clock: new VirtualClock(),
    backOff: { initialMs: 1000, maxMs: 10_000 },
    gatedBy: () => undefined,
    hintsFor: () => new Map(),
    cluster: cache.view,
    meter: silentQueueMeter,
  });
  const isResponsibleFor = (each: Pod) => schedulerNameOf(each) === "default-scheduler";
  return { handler: podHandler({ cache, queue, nominated: new NominatedPods(), isResponsibleFor }), queue };
}

/** A Pod without a node that was promised one. */
const promised = (traits: PodTraits = {}): Pod => {
  const plain = pod("a", { node: null, phase: "Pending", ...traits });
  return { ...plain, status: { ...plain.status, nominatedNodeName: "n" } };
};
const foreign = { spec: { schedulerName: "another" } };
const ended = { phase: "Failed" };
const gone = "AssignedPodDelete";

test.for<{ name: string; states: readonly Pod[]; heard: readonly string[] }>([
  { name: "of ours goes", states: [promised()], heard: [gone] },
  { name: "of ours ends and goes", states: [promised(), promised(ended)], heard: [gone] },
  { name: "of another scheduler goes", states: [promised(foreign)], heard: [gone] },
  {
    name: "of another scheduler changes and goes",
    states: [promised(foreign), promised(foreign)],
    heard: [gone],
  },
  {
    name: "of another scheduler ends and goes",
    states: [promised(foreign), promised({ ...foreign, ...ended })],
    heard: [gone],
  },
  { name: "that ended long ago changes and goes", states: [promised(ended), promised(ended)], heard: [] },
])("a promise is over once: a Pod $name", ({ states, heard }) => {
  const { handler, queue } = podHandlerFixture();
  for (const [index, state] of states.entries()) {
    const before = states[index - 1];
    if (before === undefined) handler.added?.(state);
    else handler.updated?.(before, state);
  }
  for (const last of states.slice(-1)) handler.deleted?.(last);
  expect(queue.heard).toEqual(heard);
});

test("a Pod that is nominated to another node leaves room on the first one", () => {
  const { handler, queue } = podHandlerFixture();
  const elsewhere: Pod = { ...promised(), status: { nominatedNodeName: "m" } };
  handler.added?.(promised());
  handler.updated?.(promised(), promised());
  expect(queue.heard).toEqual([]);
  handler.updated?.(promised(), elsewhere);
  expect(queue.heard).toEqual([gone]);
});
