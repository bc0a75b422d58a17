import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { ClusterEvent } from "../../src/decisions/placement/cluster-event.ts";
import { podInfo } from "../../src/decisions/placement/objects/pod-info.ts";
import { clusterViewOf } from "../../src/decisions/placement/view/list-view.ts";
import { EventIndex, isWorthRequeuing } from "../../src/scheduler/queue/event-index.ts";
import { pluginHints } from "../../src/scheduler/queue/plugin-hints.cases.ts";
import type { QueuedPod } from "../../src/scheduler/queue/queued-pod.ts";
import { anyNode, anyReplicaSet, anyService, runningPod, waitingPod } from "./random-objects.ts";

const plugins = fc.subarray([...pluginHints.keys()], { minLength: 1, maxLength: 3 });
const assigned = runningPod.map((pod) => ({ ...pod, spec: { ...pod.spec, nodeName: "n1" } }));

const event: fc.Arbitrary<ClusterEvent> = fc.oneof(
  assigned.map((after): ClusterEvent => ({ resource: "AssignedPod", action: "Add", after })),
  assigned.map((before): ClusterEvent => ({ resource: "AssignedPod", action: "Delete", before })),
  fc
    .tuple(assigned, assigned, fc.constantFrom("UpdatePodLabel", "UpdatePodScaleDown", "Update"))
    .map(([before, after, action]): ClusterEvent => ({ resource: "AssignedPod", action, before, after })),
  anyNode.map((after): ClusterEvent => ({ resource: "Node", action: "Add", after })),
  anyNode.map((before): ClusterEvent => ({ resource: "Node", action: "Delete", before })),
  fc
    .tuple(anyNode, anyNode, fc.constantFrom("UpdateNodeLabel", "UpdateNodeTaint", "UpdateNodeAllocatable"))
    .map(([before, after, action]): ClusterEvent => ({ resource: "Node", action, before, after })),
  anyService.map((after): ClusterEvent => ({ resource: "Service", action: "Add", after })),
  anyReplicaSet.map((after): ClusterEvent => ({ resource: "ReplicaSet", action: "Add", after })),
);

/** Pods that were rejected, several of a template. */
const rejected = fc
  .array(fc.tuple(waitingPod, plugins, fc.integer({ min: 1, max: 3 })), { minLength: 1, maxLength: 12 })
  .map((templates) =>
    templates.flatMap(([pod, rejectedBy, replicas], template) =>
      Array.from({ length: replicas }, (_, index): QueuedPod => {
        const name = `waiting-${template}-${index}`;
        return {
          info: podInfo({ ...pod, metadata: { ...pod.metadata, name, uid: `uid-of-${name}` } }),
          unschedulablePlugins: new Set(rejectedBy),
          sequence: 0,
          attempts: 1,
          enqueuedAt: 0,
          unschedulableCount: 1,
          consecutiveErrors: 0,
          flushed: false,
        };
      }),
    ),
  );

test("an event helps the same Pods whether all of them are asked or one of each template", () => {
  const cluster = clusterViewOf({ nodes: [] });
  fc.assert(
    fc.property(
      rejected,
      fc.array(event, { minLength: 1, maxLength: 10 }),
      fc.nat(5),
      (entries, events, gone) => {
        const index = new EventIndex({ hintsFor: () => pluginHints, cluster });
        for (const entry of entries) index.add(entry);
        for (const entry of entries.slice(0, gone)) index.remove(entry);
        for (const each of events) {
          const helped = entries
            .slice(gone)
            .filter((entry) => isWorthRequeuing(entry, each, { hints: pluginHints, cluster }));
          expect(namesOf(index.helpedBy(each))).toEqual(namesOf(helped));
        }
      },
    ),
  );
});

test("a thousand Pods of a template cost an event one evaluation of a hint", () => {
  let evaluations = 0;
  const hints = {
    events: new Set(["Pod/Delete" as const]),
    isPerTemplate: true,
    isHelpful: () => ++evaluations > 0,
  };
  const index = new EventIndex({
    hintsFor: () => new Map([["Fit", hints]]),
    cluster: clusterViewOf({ nodes: [] }),
  });
  const [pod] = fc.sample(waitingPod, { numRuns: 1, seed: 1 });
  const [gone] = fc.sample(assigned, { numRuns: 1, seed: 1 });
  if (pod === undefined || gone === undefined) throw new Error("nothing was drawn");
  for (let number = 0; number < 1000; number++) {
    const metadata = { ...pod.metadata, uid: `uid-${number}` };
    index.add({
      info: podInfo({ ...pod, metadata }),
      unschedulablePlugins: new Set(["Fit"]),
      sequence: number,
      attempts: 1,
      enqueuedAt: 0,
      unschedulableCount: 1,
      consecutiveErrors: 0,
      flushed: false,
    });
  }
  expect(index.helpedBy({ resource: "AssignedPod", action: "Add", after: gone })).toHaveLength(0);
  expect(evaluations).toBe(0);
  expect(index.helpedBy({ resource: "AssignedPod", action: "Delete", before: gone })).toHaveLength(1000);
  expect(evaluations).toBe(1);
});

function namesOf(entries: readonly QueuedPod[]): readonly string[] {
  return entries.map(({ info }) => info.name).sort();
}
