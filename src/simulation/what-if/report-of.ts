import type { Node, Pod } from "../../api/generated/core-v1.ts";
import { formatTime, type Instant } from "../../api/time.ts";
import { zoneOf } from "../../api/well-known.ts";
import type { PodPlace, WhatIfReport, WhatIfRun, UnreadyPod } from "./what-if-report.ts";
import { workloadReports } from "./workload-reports.ts";
import { findCondition } from "../../api/conditions.ts";
import { isBeingDeleted } from "../../api/object.ts";
import { controllerOf } from "../../api/owner-references.ts";
import { statefulSets } from "../../api/resources.ts";
import { isActive, isReady } from "../../api/pod-state.ts";
import { isEvictable } from "../../user-actions/drain-nodes.ts";
import type { DecisionJournal } from "../tracking/decision-journal.ts";

/** The report of a run. */
export function reportOf(run: WhatIfRun): WhatIfReport {
  const { takenAt, departures, came, before, after } = run;
  const seconds = (at: Instant) => Math.max(0, Math.round((at - takenAt) / 1000));
  const nodes = new Map(
    [...before.objects.nodes, ...after.objects.nodes].map((node) => [node.metadata.name, node]),
  );
  const placeOf = (pod: Pod): PodPlace => podPlace(pod, nodes);
  return {
    changes: run.changes,
    takenAt: formatTime(takenAt),
    stable: run.isStable,
    tookSeconds: seconds(run.endedAt),
    workloads: workloadReports(run, seconds),
    went: departures.all().map(({ pod, at, rule, because }) => ({
      ...placeOf(pod),
      afterSeconds: seconds(at),
      rule,
      because,
    })),
    came: came.map(({ pod, createdAt, readyAt }) => ({
      ...placeOf(pod),
      afterSeconds: seconds(createdAt),
      ...(readyAt !== undefined && { readyAfterSeconds: seconds(readyAt) }),
    })),
    notReady: unreadyPods(run, placeOf),
    assumptions: run.assumptions,
  };
}

function podPlace({ metadata, spec }: Pod, nodes: ReadonlyMap<string, Node>): PodPlace {
  const { nodeName } = spec;
  const node = nodes.get(nodeName ?? "");
  const zone = node && zoneOf(node.metadata);
  return {
    namespace: metadata.namespace ?? "",
    pod: metadata.name,
    ...(nodeName !== undefined && nodeName !== "" && { node: nodeName }),
    ...(zone !== undefined && { zone }),
  };
}

/** The Pods that are not as they should be at the end: not ready, not gone, not created, or not evicted by a drain. */
function unreadyPods(run: WhatIfRun, placeOf: (pod: Pod) => PodPlace): readonly UnreadyPod[] {
  return [
    ...podsThatWait(run, placeOf),
    ...podsThatHoldOrdinals(run, placeOf),
    ...missingPods(run),
    ...undrainedPods(run, placeOf),
  ];
}

function podsThatWait(run: WhatIfRun, placeOf: (pod: Pod) => PodPlace): readonly UnreadyPod[] {
  return run.after.objects.pods
    .filter((pod) => isActive(pod) && !isReady(pod) && !isUndrained(pod, run))
    .map((pod) => ({ ...placeOf(pod), problem: "not-ready", because: whyNotReady(pod, run.journal) }));
}

/** The Pods of StatefulSets that have not ended since their deletion began: their containers may still run. */
function podsThatHoldOrdinals(
  { after, isStable }: WhatIfRun,
  placeOf: (pod: Pod) => PodPlace,
): readonly UnreadyPod[] {
  if (!isStable) return [];
  const because =
    "it is terminating on a node that is silent, and its ordinal gets no other Pod before it is deleted by force or the node goes";
  return after.objects.pods
    .filter((pod) => isBeingDeleted(pod) && controllerOf(pod)?.kind === statefulSets.kind)
    .map((pod) => ({ ...placeOf(pod), problem: "not-gone", because }));
}

function whyNotReady(pod: Pod, journal: DecisionJournal): string {
  const { spec, status } = pod;
  if (spec.nodeName === undefined || spec.nodeName === "") return whyNoNode(pod, journal);
  const reason = (status?.containerStatuses ?? [])
    .map(({ state }) => state?.waiting?.reason)
    .find((each) => each !== undefined);
  if (reason !== undefined) return `its containers wait: ${reason}`;
  return findCondition(status?.conditions, "Ready")?.status === "Unknown"
    ? "its node is silent"
    : "its containers run but are not ready, or its node is not";
}

function whyNoNode(pod: Pod, journal: DecisionJournal): string {
  const gates = (pod.spec.schedulingGates ?? []).map(({ name }) => name);
  if (gates.length > 0) return `no node: it waits for scheduling gates (${gates.join(", ")})`;
  const { schedulerName = "" } = pod.spec;
  return journal.rejectionOf(pod.metadata.uid) ?? `no node: no scheduler named ${schedulerName} is simulated`;
}

/** The Pods that controllers could not create. */
function missingPods({ after: { objects } }: WhatIfRun): readonly UnreadyPod[] {
  return [...objects.replicaSets, ...objects.replicationControllers].flatMap(({ metadata, status }) => {
    const failure = findCondition(status?.conditions, "ReplicaFailure");
    if (failure?.status !== "True" || failure.message === undefined) return [];
    const place = { namespace: metadata.namespace ?? "", pod: `${metadata.name}-…` };
    return [{ ...place, problem: "not-created", because: failure.message }];
  });
}

/** The Pods that a drain could not evict, ready or not. */
function undrainedPods(run: WhatIfRun, placeOf: (pod: Pod) => PodPlace): readonly UnreadyPod[] {
  const refusals = new Map(
    run.refusedEvictions.map(({ uid, cause, message }) => [uid, cause ?? message] as const),
  );
  return run.after.objects.pods
    .filter((pod) => isUndrained(pod, run))
    .map((pod) => {
      const refusal = refusals.get(pod.metadata.uid);
      return {
        ...placeOf(pod),
        problem: "not-evicted",
        because: refusal === undefined ? "it is not evicted yet" : `it is not evicted: ${refusal}`,
      };
    });
}

function isUndrained(pod: Pod, { drainedNodes }: WhatIfRun): boolean {
  return drainedNodes.has(pod.spec.nodeName ?? "") && isEvictable(pod);
}
