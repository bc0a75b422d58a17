import { findCondition } from "../../api/conditions.ts";
import type { Node, Pod } from "../../api/generated/core-v1.ts";
import { keyOf } from "../../api/object.ts";
import { isActive, isReady } from "../../api/pod-state.ts";
import { formatTime, type Instant } from "../../api/time.ts";
import type { ClusterObjects } from "../../decisions/explain/cluster-objects.ts";
import { type Change, describeChange } from "./change.ts";
import { isEvictedFrom, type RefusedEvictions } from "./drain-node.ts";
import type { PodHistories, PodHistory } from "./pod-histories.ts";
import { type Workload, type WorkloadCounts, workloadKey } from "./workload-counts.ts";
import { countPerZone, skewOf, type ZoneCounts, zoneOf } from "./zones.ts";

/** What comes of changes to a cluster, as plain JSON. */
export interface WhatIfReport {
  /** What was changed, as sentences. */
  readonly changes: readonly string[];
  readonly takenAt: string;
  /** Whether nothing happened any more at the end. */
  readonly stable: boolean;
  /** From the changes to the last thing that happened. */
  readonly tookSeconds: number;
  /** Every workload that has, or had, Pods. */
  readonly workloads: readonly WorkloadReport[];
  /** The Pods that went, in the order in which they did. */
  readonly went: readonly GonePod[];
  /** The Pods that were created and are still there. */
  readonly came: readonly NewPod[];
  /** The Pods that are not ready at the end, and Pods that could not be created. */
  readonly notReady: readonly UnreadyPod[];
  readonly assumptions: readonly string[];
}

export interface WorkloadReport extends Workload {
  readonly before: WorkloadState;
  readonly after: WorkloadState;
  /** The fewest ready Pods on the way, and the most Pods, terminating ones included. */
  readonly lowestReady: { readonly pods: number; readonly afterSeconds: number };
  readonly mostPods: { readonly pods: number; readonly afterSeconds: number };
  /** Whether Pods of it came or went. */
  readonly isAffected: boolean;
}

export interface WorkloadState {
  /** How many Pods it should have; absent where only its own controller knows. */
  readonly wanted?: number;
  readonly pods: number;
  readonly ready: number;
  readonly zones: ZoneCounts;
  /** Between the fullest and the emptiest zone. */
  readonly skew: number;
}

/** A Pod and where it is. */
export interface PodPlace {
  readonly namespace: string;
  readonly pod: string;
  readonly node?: string;
  readonly zone?: string;
}

export interface GonePod extends PodPlace {
  readonly afterSeconds: number;
  readonly rule: string;
  readonly because: string;
}

export interface NewPod extends PodPlace {
  readonly afterSeconds: number;
  /** Absent when it is not ready. */
  readonly readyAfterSeconds?: number;
}

export interface UnreadyPod extends PodPlace {
  readonly problem: "not-ready" | "not-created" | "not-evicted";
  readonly because: string;
}

/** What a simulation left behind. */
export interface WhatIfRun {
  readonly changes: readonly Change[];
  /** Of its drains. */
  readonly refusedEvictions: RefusedEvictions;
  readonly takenAt: Instant;
  readonly before: ClusterObjects;
  readonly after: ClusterObjects;
  readonly histories: PodHistories;
  readonly counts: WorkloadCounts;
  readonly isStable: boolean;
  readonly endedAt: Instant;
  readonly assumptions: readonly string[];
}

/** The report of a run. */
export function reportOf(run: WhatIfRun): WhatIfReport {
  const { takenAt, histories, before, after } = run;
  const seconds = (at: Instant) => Math.max(0, Math.round((at - takenAt) / 1000));
  const nodes = new Map([...before.nodes, ...after.nodes].map((node) => [node.metadata.name, node]));
  const placeOf = (pod: Pod): PodPlace => podPlace(pod, nodes);
  const went = histories.all().filter(hasGone);
  return {
    changes: run.changes.map(describeChange),
    takenAt: formatTime(takenAt),
    stable: run.isStable,
    tookSeconds: seconds(run.endedAt),
    workloads: workloadReports(run, seconds),
    went: went
      .toSorted((a, b) => a.wentAt - b.wentAt)
      .map(({ pod, wentAt, because }) => ({
        ...placeOf(pod),
        afterSeconds: seconds(wentAt),
        rule: because?.rule ?? "",
        because: because?.text ?? "",
      })),
    came: histories
      .all()
      .filter(({ createdAt, wentAt }) => createdAt !== undefined && wentAt === undefined)
      .map(({ pod, createdAt = takenAt, readyAt }) => ({
        ...placeOf(pod),
        afterSeconds: seconds(createdAt),
        ...(readyAt !== undefined && isReady(pod) && { readyAfterSeconds: seconds(readyAt) }),
      })),
    notReady: [...unreadyPods(run, placeOf), ...missingPods(run), ...undrainedPods(run, placeOf)],
    assumptions: run.assumptions,
  };
}

const hasGone = (history: PodHistory): history is PodHistory & { readonly wentAt: Instant } =>
  history.wentAt !== undefined;

function podPlace({ metadata, spec }: Pod, nodes: ReadonlyMap<string, Node>): PodPlace {
  const { nodeName } = spec;
  const node = nodes.get(nodeName ?? "");
  const zone = node && zoneOf(node);
  return {
    namespace: metadata.namespace ?? "",
    pod: metadata.name,
    ...(nodeName !== undefined && nodeName !== "" && { node: nodeName }),
    ...(zone !== undefined && { zone }),
  };
}

function workloadReports(run: WhatIfRun, seconds: (at: Instant) => number): readonly WorkloadReport[] {
  const { before, after, counts, histories, takenAt } = run;
  const affected = new Set(
    histories
      .all()
      .filter(({ createdAt, wentAt }) => createdAt !== undefined || wentAt !== undefined)
      .map(({ pod }) => workloadKey(counts.workloadOf(pod))),
  );
  const statesOf = [before, after].map((objects) => workloadStates(objects, counts));
  const zero = { pods: 0, at: takenAt };
  const shown = ({ pods, at }: typeof zero) => ({ pods, afterSeconds: seconds(at) });
  return [...workloadsOf(run).values()].map((workload) => {
    const { lowestReady, mostPods } = counts.extremesOf(workload) ?? { lowestReady: zero, mostPods: zero };
    const [was, is] = statesOf.map((stateOf) => stateOf(workload));
    return {
      ...workload,
      before: was ?? nothing,
      after: is ?? nothing,
      lowestReady: shown(lowestReady),
      mostPods: shown(mostPods),
      isAffected: affected.has(workloadKey(workload)) || was?.wanted !== is?.wanted,
    };
  });
}

const nothing: WorkloadState = { pods: 0, ready: 0, zones: {}, skew: 0 };

/** All workloads that want or have Pods, before or after. */
function workloadsOf({ before, after, counts }: WhatIfRun): ReadonlyMap<string, Workload> {
  const found: Workload[] = [before, after].flatMap((objects) => [
    ...scalable(objects)
      .filter(({ object }) => (object.spec?.replicas ?? 1) > 0)
      .map(({ kind, object }) => ({
        kind,
        namespace: object.metadata.namespace ?? "",
        name: object.metadata.name,
      })),
    ...objects.pods.filter(isActive).map((pod) => counts.workloadOf(pod)),
  ]);
  // A ReplicaSet of a Deployment is not a workload of its own.
  const owned = new Set(
    after.replicaSets.filter(({ metadata }) => (metadata.ownerReferences ?? []).length > 0).map(keyOf),
  );
  const own = found.filter((each) => each.kind !== "ReplicaSet" || !owned.has(keyOf({ metadata: each })));
  const sorted = own.toSorted((a, b) => (workloadKey(a) < workloadKey(b) ? -1 : 1));
  return new Map(sorted.map((workload) => [workloadKey(workload), workload]));
}

function scalable({ deployments, replicaSets, replicationControllers }: ClusterObjects) {
  return [
    ...deployments.map((object) => ({ kind: "Deployment", object })),
    ...replicaSets.map((object) => ({ kind: "ReplicaSet", object })),
    ...replicationControllers.map((object) => ({ kind: "ReplicationController", object })),
  ];
}

/** Finds the state of workloads; each Pod and workload is looked at once, however many there are. */
function workloadStates(
  objects: ClusterObjects,
  counts: WorkloadCounts,
): (workload: Workload) => WorkloadState {
  const { nodes, pods } = objects;
  const podsOf = new Map<string, Pod[]>();
  for (const pod of pods.filter(isActive)) {
    const key = workloadKey(counts.workloadOf(pod));
    const own = podsOf.get(key) ?? [];
    podsOf.set(key, own);
    own.push(pod);
  }
  const sizes = new Map(
    scalable(objects).map(({ kind, object: { metadata, spec } }) => [
      workloadKey({ kind, namespace: metadata.namespace ?? "", name: metadata.name }),
      spec?.replicas ?? 1,
    ]),
  );
  return (workload) => {
    const key = workloadKey(workload);
    const own = podsOf.get(key) ?? [];
    const wanted = sizes.get(key);
    const zones = countPerZone(own, nodes);
    const ready = own.filter(isReady).length;
    return {
      ...(wanted !== undefined && { wanted }),
      pods: own.length,
      ready,
      zones,
      skew: skewOf(zones, nodes),
    };
  };
}

function unreadyPods(run: WhatIfRun, placeOf: (pod: Pod) => PodPlace): readonly UnreadyPod[] {
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
