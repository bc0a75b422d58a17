import { isConditionTrue } from "../../../src/api/conditions.ts";
import type { Deployment, ReplicaSet } from "../../../src/api/generated/apps-v1.ts";
import type { Pod, ReplicationController } from "../../../src/api/generated/core-v1.ts";
import { keyOf, type StoredObject } from "../../../src/api/object.ts";
import { controllerOf, isControlledBy } from "../../../src/api/owner-references.ts";
import { isActive, isAvailable, isReady, isTerminal } from "../../../src/api/pod-state.ts";
import type { Instant } from "../../../src/api/time.ts";
import type { Store } from "../../../src/cluster/store/store.ts";
import type { Invariant } from "./invariant.ts";
import { stored } from "./stored.ts";

type Owner = ReplicaSet | ReplicationController;

/** At rest everything is as it was wished for, and every status says what is so. */
export const countsReached: Invariant = {
  name: "counts-reached",
  description: "when stable, every workload has the Pods it wants, each on a node, and reports so",
  begin: ({ clock, store }) => ({
    stable: () => {
      const present = store();
      return present === undefined ? undefined : check(present, clock.now());
    },
    unstable: () => "it is still being worked on, hours after the last fault",
  }),
};

/** Something that can be counted, as it is and as it should be. */
type Figure = readonly [of: string, is: unknown, should: unknown];

function check(store: Store, now: Instant): string | undefined {
  const pods = stored.pods(store);
  const owners = [...stored.replicaSets(store), ...stored.replicationControllers(store)];
  const jobs = stored.jobs(store);
  const controllers = [...owners, ...jobs, ...stored.statefulSets(store), ...stored.daemonSets(store)];
  const figures: readonly (readonly [string, readonly Figure[]])[] = [
    ...stored
      .namespaces(store)
      .map((namespace) => [`Namespace ${keyOf(namespace)}`, [presence(namespace)]] as const),
    ...pods.map((pod) => [`Pod ${keyOf(pod)}`, figuresOfPod(pod, controllers)] as const),
    ...jobs.map((job) => [`Job ${keyOf(job)}`, [presence(job)]] as const),
    ...owners.map((owner) => [nameOf(owner), figuresOfOwner(owner, pods, now)] as const),
    ...stored.deployments(store).map((each) => [nameOf(each), figuresOfDeployment(each, owners)] as const),
  ];
  for (const [what, those] of figures) {
    const wrong = those.find(([, is, should]) => is !== should);
    if (wrong !== undefined) return `${what}: ${wrong[0]} is ${String(wrong[1])}, not ${String(wrong[2])}`;
  }
  return undefined;
}

function nameOf(object: Owner | Deployment): string {
  return `${object.kind ?? ""} ${keyOf(object)}`;
}

/** What was deleted is gone by now. */
function presence({ metadata }: StoredObject): Figure {
  return ["its deletion", metadata.deletionTimestamp ?? "none", "none"];
}

function figuresOfPod(pod: Pod, owners: readonly StoredObject[]): readonly Figure[] {
  const controller = controllerOf(pod);
  const hasOwner = controller === undefined || owners.some(({ metadata }) => metadata.uid === controller.uid);
  return [
    presence(pod),
    ["that it has a node", pod.spec.nodeName !== undefined, true],
    ["that it says so", isTerminal(pod) || isConditionTrue(pod.status?.conditions, "PodScheduled"), true],
    ["that its controller is there", hasOwner, true],
  ];
}

function figuresOfOwner(owner: Owner, pods: readonly Pod[], now: Instant): readonly Figure[] {
  const { replicas: wanted = 1, minReadySeconds = 0 } = owner.spec;
  const { replicas, readyReplicas = 0, availableReplicas = 0, observedGeneration } = owner.status ?? {};
  const active = pods.filter((pod) => isActive(pod) && isControlledBy(pod, owner.metadata.uid));
  const available = active.filter((pod) => isAvailable(pod, minReadySeconds, now));
  return [
    presence(owner),
    ["the number of its Pods", active.length, wanted],
    ["status.replicas", replicas, active.length],
    ["status.readyReplicas", readyReplicas, active.filter(isReady).length],
    ["status.availableReplicas", availableReplicas, available.length],
    ["status.observedGeneration", observedGeneration, owner.metadata.generation],
  ];
}

function figuresOfDeployment(deployment: Deployment, owners: readonly Owner[]): readonly Figure[] {
  const { metadata, spec, status = {} } = deployment;
  const { replicas: wanted = 1 } = spec;
  const own = owners.filter((owner) => isControlledBy(owner, metadata.uid));
  const sizes = own.map((owner) => owner.spec.replicas ?? 0).filter((size) => size > 0);
  return [
    presence(deployment),
    ["what its ReplicaSets want", sizes.join(" + "), wanted === 0 ? "" : String(wanted)],
    ["status.replicas", status.replicas ?? 0, wanted],
    ["status.updatedReplicas", status.updatedReplicas ?? 0, wanted],
    ["status.availableReplicas", status.availableReplicas ?? 0, wanted],
    ["status.terminatingReplicas", status.terminatingReplicas ?? 0, 0],
    ["its progress", progressOf(deployment), "NewReplicaSetAvailable"],
    ["its ReplicaSets that are held back", own.filter(isHeldBack).length, 0],
    ["status.observedGeneration", status.observedGeneration, metadata.generation],
  ];
}

function progressOf({ status }: Deployment): string | undefined {
  return status?.conditions?.find(({ type }) => type === "Progressing")?.reason;
}

/** Whether a scale waits for Pods to terminate. */
function isHeldBack({ metadata }: Owner): boolean {
  return Object.hasOwn(
    metadata.annotations ?? {},
    "deployment.kubernetes.io/replicaset-replicas-before-scale",
  );
}
