import type { DaemonSet, Deployment, ReplicaSet, StatefulSet } from "../../src/api/generated/apps-v1.ts";
import type { Job } from "../../src/api/generated/batch-v1.ts";
import type { Pod, ReplicationController } from "../../src/api/generated/core-v1.ts";
import { keyOf } from "../../src/api/object.ts";
import { controllerOf } from "../../src/api/owner-references.ts";
import { listReader } from "../../src/decisions/gather/workload-reader.ts";
import { claimedReplicaSets } from "../../src/decisions/gather/owned-objects.ts";
import type { ClusterState } from "../live/cluster-state.ts";

/** The object that users manage a Pod by: a Deployment rather than its ReplicaSet. */
export interface WorkloadName {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** A workload that the page has an object of. */
export type Workload =
  | { readonly kind: "Deployment"; readonly object: Deployment }
  | { readonly kind: "ReplicaSet"; readonly object: ReplicaSet }
  | { readonly kind: "ReplicationController"; readonly object: ReplicationController }
  | { readonly kind: "StatefulSet"; readonly object: StatefulSet }
  | { readonly kind: "DaemonSet"; readonly object: DaemonSet }
  | { readonly kind: "Job"; readonly object: Job };

/** One text per workload, as addresses and filters use it. */
export function workloadText({ kind, namespace, name }: WorkloadName): string {
  return `${kind}/${namespace}/${name}`;
}

/** The workload that such a text names; `undefined` where it names none. */
export function workloadOfText(text: string): WorkloadName | undefined {
  const [kind = "", namespace = "", name = ""] = text.split("/");
  return name === "" ? undefined : { kind, namespace, name };
}

/** The workload of a Pod; a Pod without a controller is its own. */
export function workloadOfPod(pod: Pod, { collections }: ClusterState): WorkloadName {
  const { namespace = "", name } = pod.metadata;
  const controller = controllerOf(pod);
  if (controller === undefined) return { kind: "Pod", namespace, name };
  if (controller.kind === "ReplicaSet") {
    const replicaSet = collections.replicaSets.get(`${namespace}/${controller.name}`);
    const above = replicaSet === undefined ? undefined : controllerOf(replicaSet);
    if (above !== undefined) return { kind: above.kind, namespace, name: above.name };
  }
  return { kind: controller.kind, namespace, name: controller.name };
}

/** The name of a Pod without the hash of its ReplicaSet, which says little: `web-x2k4p` for `web-5cd77c7d48-x2k4p`. */
export function shortPodName({ metadata: { name } }: Pod, workload: WorkloadName): string {
  const isGenerated = workload.kind === "Deployment" && name.startsWith(`${workload.name}-`);
  const [, ending] = (isGenerated && /-[a-z0-9]+-([a-z0-9]+)$/.exec(name)) || [];
  return ending === undefined ? name : `${workload.name}-${ending}`;
}

/** When a Pod would be removed that no ReplicaSet or ReplicationController controls. */
export function unrankedSentence(pod: Pod): string {
  const controller = controllerOf(pod);
  if (controller?.kind === "StatefulSet")
    return `StatefulSet ${controller.name} removes the Pods with the highest ordinals first.`;
  if (controller?.kind === "DaemonSet")
    return `DaemonSet ${controller.name} removes it when its node should no longer run one.`;
  return "No ReplicaSet or ReplicationController controls it: no scale-down removes it.";
}

/** All workloads but ReplicaSets that another workload controls, by namespace and name. */
export function workloadsOf({ collections }: ClusterState): readonly Workload[] {
  const standalone = [...collections.replicaSets.values()].filter(
    (object) => controllerOf(object) === undefined,
  );
  const found: Workload[] = [
    ...listed("Deployment", [...collections.deployments.values()]),
    ...listed("ReplicaSet", standalone),
    ...listed("ReplicationController", [...collections.replicationControllers.values()]),
    ...listed("StatefulSet", [...collections.statefulSets.values()]),
    ...listed("DaemonSet", [...collections.daemonSets.values()]),
    // Of CronJobs there is no view.
    ...listed("Job", [...collections.jobs.values()]),
  ];
  return found.toSorted((a, b) => collator.compare(keyOf(a.object), keyOf(b.object)));
}

function listed(kind: Workload["kind"], objects: readonly unknown[]): readonly Workload[] {
  return objects.map((object) => ({ kind, object }) as Workload);
}

/** Orders names as people do: `node-2` before `node-10`. */
export const collator = new Intl.Collator("en", { numeric: true });

/** The workload of a name, if the page has an object of it. */
export function workloadNamed(
  { kind, namespace, name }: WorkloadName,
  state: ClusterState,
): Workload | undefined {
  const key = `${namespace}/${name}`;
  const { deployments, replicaSets, replicationControllers, statefulSets, daemonSets, jobs } =
    state.collections;
  // A map, not an object: kinds come from addresses and owner references, and may be called `constructor`.
  const byKind = new Map<string, ReadonlyMap<string, unknown>>([
    ["Deployment", deployments],
    ["ReplicaSet", replicaSets],
    ["ReplicationController", replicationControllers],
    ["StatefulSet", statefulSets],
    ["DaemonSet", daemonSets],
    ["Job", jobs],
  ]);
  const object = byKind.get(kind)?.get(key);
  return object === undefined ? undefined : ({ kind, object } as Workload);
}

/** The Pods of a workload, through the ReplicaSets of a Deployment. */
export function podsOfWorkload(workload: Workload, state: ClusterState): readonly Pod[] {
  if (workload.kind !== "Deployment") return state.podsByController.in(workload.object.metadata.uid);
  return claimedReplicaSets(workload.object, listReader(state.objects)).flatMap((replicaSet) =>
    state.podsByController.in(replicaSet.metadata.uid),
  );
}

/** The number of Pods a workload is to have. */
export function desiredOf({ kind, object }: Workload): number {
  if (kind === "DaemonSet") return object.status?.desiredNumberScheduled ?? 0;
  return kind === "Job" ? (object.spec?.parallelism ?? 1) : (object.spec?.replicas ?? 1);
}
