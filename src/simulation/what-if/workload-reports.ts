import type { Pod } from "../../api/generated/core-v1.ts";
import { keyOf } from "../../api/object.ts";
import { isActive, isReady } from "../../api/pod-state.ts";
import type { Instant } from "../../api/time.ts";
import type { ClusterObjects } from "../../decisions/explain/cluster-objects.ts";
import { workloadKey } from "../tracking/workload-progress.ts";
import type { WhatIfRun, WorkloadReport, WorkloadState } from "./what-if-report.ts";
import type { Workload, WorkloadCounts } from "./workload-counts.ts";
import { countPerZone, skewOf } from "./zones.ts";

/** Every workload that has, or had, Pods: before, after, and the extremes on the way. */
export function workloadReports(run: WhatIfRun, seconds: (at: Instant) => number): readonly WorkloadReport[] {
  const { before, after, counts, histories, takenAt } = run;
  const affected = new Set(
    histories
      .all()
      .filter(({ createdAt, wentAt }) => createdAt !== undefined || wentAt !== undefined)
      .map(({ pod }) => keyOfWorkload(counts.workloadOf(pod))),
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
      isAffected: affected.has(keyOfWorkload(workload)) || was?.wanted !== is?.wanted,
    };
  });
}

const keyOfWorkload = (workload: Workload) => workloadKey(workload.kind, workload);

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
  const sorted = own.toSorted((a, b) => (keyOfWorkload(a) < keyOfWorkload(b) ? -1 : 1));
  return new Map(sorted.map((workload) => [keyOfWorkload(workload), workload]));
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
    const key = keyOfWorkload(counts.workloadOf(pod));
    const own = podsOf.get(key) ?? [];
    podsOf.set(key, own);
    own.push(pod);
  }
  const sizes = new Map(
    scalable(objects).map(({ kind, object: { metadata, spec } }) => [
      workloadKey(kind, metadata),
      spec?.replicas ?? 1,
    ]),
  );
  return (workload) => {
    const key = keyOfWorkload(workload);
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
