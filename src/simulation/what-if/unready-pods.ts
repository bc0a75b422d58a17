import { findCondition } from "../../api/conditions.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { isActive, isReady } from "../../api/pod-state.ts";
import { isEvictedFrom } from "./drain-node.ts";
import type { PodHistories } from "./pod-histories.ts";
import type { PodPlace, UnreadyPod, WhatIfRun } from "./what-if-report.ts";

/** The Pods that are not as they should be at the end: not ready, not created, or not evicted by a drain. */
export function unreadyPods(run: WhatIfRun, placeOf: (pod: Pod) => PodPlace): readonly UnreadyPod[] {
  return [...podsThatWait(run, placeOf), ...missingPods(run), ...undrainedPods(run, placeOf)];
}

function podsThatWait(run: WhatIfRun, placeOf: (pod: Pod) => PodPlace): readonly UnreadyPod[] {
  return run.after.pods
    .filter((pod) => isActive(pod) && !isReady(pod) && !isUndrained(pod, run))
    .map((pod) => ({ ...placeOf(pod), problem: "not-ready", because: whyNotReady(pod, run.histories) }));
}

function whyNotReady(pod: Pod, histories: PodHistories): string {
  const { spec, status } = pod;
  if (spec.nodeName === undefined || spec.nodeName === "") return whyNoNode(pod, histories);
  const reason = (status?.containerStatuses ?? [])
    .map(({ state }) => state?.waiting?.reason)
    .find((each) => each !== undefined);
  if (reason !== undefined) return `its containers wait: ${reason}`;
  return findCondition(status?.conditions, "Ready")?.status === "Unknown"
    ? "its node is silent"
    : "its containers run but are not ready, or its node is not";
}

function whyNoNode(pod: Pod, histories: PodHistories): string {
  const gates = (pod.spec.schedulingGates ?? []).map(({ name }) => name);
  if (gates.length > 0) return `no node: it waits for scheduling gates (${gates.join(", ")})`;
  const { schedulerName = "" } = pod.spec;
  return histories.placementOf(pod) ?? `no node: no scheduler named ${schedulerName} is simulated`;
}

/** The Pods that controllers could not create. */
function missingPods({ after }: WhatIfRun): readonly UnreadyPod[] {
  return [...after.replicaSets, ...after.replicationControllers].flatMap(({ metadata, status }) => {
    const failure = findCondition(status?.conditions, "ReplicaFailure");
    if (failure?.status !== "True" || failure.message === undefined) return [];
    const place = { namespace: metadata.namespace ?? "", pod: `${metadata.name}-…` };
    return [{ ...place, problem: "not-created", because: failure.message }];
  });
}

/** The Pods that a drain could not evict, ready or not. */
function undrainedPods(run: WhatIfRun, placeOf: (pod: Pod) => PodPlace): readonly UnreadyPod[] {
  return run.after.pods
    .filter((pod) => isUndrained(pod, run))
    .map((pod) => {
      const refusal = run.refusedEvictions.get(pod.metadata.uid);
      return {
        ...placeOf(pod),
        problem: "not-evicted",
        because: refusal === undefined ? "it is not evicted yet" : `it is not evicted: ${refusal}`,
      };
    });
}

function isUndrained(pod: Pod, { changes }: WhatIfRun): boolean {
  return changes.some((change) => change.kind === "drain" && isEvictedFrom(pod, change.node));
}
