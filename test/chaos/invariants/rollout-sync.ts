import { defaultFeatureGates } from "../../../src/api/feature-gates.ts";
import type { Deployment, ReplicaSet } from "../../../src/api/generated/apps-v1.ts";
import type { Pod } from "../../../src/api/generated/core-v1.ts";
import type { StoredObject } from "../../../src/api/object.ts";
import { controllerOf, isControlledBy } from "../../../src/api/owner-references.ts";
import { isTerminating } from "../../../src/api/pod-state.ts";
import { qualifiedName } from "../../../src/api/resource.ts";
import { deployments, pods as podResource, replicaSets } from "../../../src/api/resources.ts";
import { budgetOf } from "../../../src/decisions/rollout/budget.ts";
import { planRollout } from "../../../src/decisions/rollout/plan-rollout.ts";
import type { ClientCall } from "../../../src/machinery/client/intercept-client.ts";
import type { Process } from "../../../src/simulation/observation.ts";
import type { InvariantContext, InvariantHandlers } from "./invariant.ts";

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
const sizeOf = ({ spec }: ReplicaSet) => spec.replicas ?? 1;

/** One reconcile of the Deployment controller: what it has read, and the sizes it has written. */
export class RolloutSync {
  readonly deployment: Deployment;
  readonly #replicaSets: ReplicaSet[];
  readonly #sizes: Map<string, number>;
  readonly #isRolling: boolean;
  /** The Pods that it saw terminating when it began. */
  readonly #terminating: readonly Pod[];

  constructor(deployment: Deployment, read: readonly ReplicaSet[], { now, pods = [] }: SyncBegin) {
    this.#terminating = pods.filter(isTerminating);
    const owned = read.filter((each) => isControlledBy(each, deployment.metadata.uid));
    this.deployment = deployment;
    this.#replicaSets = owned;
    this.#sizes = new Map(owned.map((each) => [each.metadata.name, sizeOf(each)]));
    const plan = planRollout({ deployment, replicaSets: owned, gates: defaultFeatureGates, now });
    this.#isRolling = plan.kind === "rolling-update";
  }

  /** A ReplicaSet that could not be created since it exists already, as the API server has it. */
  read(existing: ReplicaSet): void {
    if (!isControlledBy(existing, this.deployment.metadata.uid)) return;
    // One whose hash collides with that of the new template is known already.
    const isKnown = this.#replicaSets.some(({ metadata }) => metadata.uid === existing.metadata.uid);
    if (!isKnown) this.#replicaSets.push(existing);
    this.#sizes.set(existing.metadata.name, sizeOf(existing));
  }

  /** A ReplicaSet is created, or given another size. */
  write({ metadata, spec }: Pick<ReplicaSet, "metadata" | "spec">): void {
    this.#sizes.set(metadata.name, spec.replicas ?? 1);
  }

  /**
   * Under `TerminationComplete` no more is added than the Pods that were reported or seen leave room for. A Pod counts
   * as seen if it was terminating when the reconcile began and still is, by what the controller sees now.
   */
  beyondSurge(seen: readonly Pod[]): string | undefined {
    const { policy, strategy, maxReplicas, replicas } = budgetOf(this.deployment, defaultFeatureGates);
    if (policy !== "TerminationComplete") return undefined;
    const stillTerminating = new Set(seen.filter(isTerminating).map(({ metadata }) => metadata.uid));
    const unreported = ({ metadata, status }: ReplicaSet) => {
      const own = this.#terminating.filter(
        (pod) => isControlledBy(pod, metadata.uid) && stillTerminating.has(pod.metadata.uid),
      );
      return Math.max(own.length - (status?.terminatingReplicas ?? 0), 0);
    };
    const pods = sum(
      this.#replicaSets.map((each) =>
        Math.max(sizeOf(each), (each.status?.replicas ?? 0) - unreported(each)),
      ),
    );
    const terminating = sum(
      this.#replicaSets.map((each) => (each.status?.terminatingReplicas ?? 0) + unreported(each)),
    );
    const limit = strategy === "Recreate" ? replicas : maxReplicas;
    const before = sum(this.#replicaSets.map(sizeOf));
    const after = sum([...this.#sizes.values()]);
    const room = Math.max(limit - pods - terminating, 0);
    return after - before > room
      ? `sizes go from ${before} to ${after} while ${pods} Pods and ${terminating} terminating leave room for ${room} of ${limit}`
      : undefined;
  }

  /** A rolling pass takes no more available Pods than the budget spares; those beyond a size are taken already. */
  beyondAvailability(availableOf: (replicaSet: ReplicaSet) => number): string | undefined {
    if (!this.#isRolling) return undefined;
    const { minAvailable } = budgetOf(this.deployment, defaultFeatureGates);
    const before = this.#replicaSets.map((each) => Math.min(availableOf(each), sizeOf(each)));
    const after = this.#replicaSets.map((each) =>
      Math.min(availableOf(each), sizeOf(each), this.#sizes.get(each.metadata.name) ?? 0),
    );
    const [available, taken] = [sum(before), sum(before) - sum(after)];
    return taken > Math.max(available - minAvailable, 0)
      ? `${taken} of ${available} available Pods are taken, and ${minAvailable} must stay`
      : undefined;
  }
}

/** When a reconcile begins. */
export interface SyncBegin {
  readonly now: number;
  /** The Pods that the controller sees; absent: none. */
  readonly pods?: readonly Pod[];
}

/** Follows every reconcile of the Deployment controller; `check` is called after each write of a ReplicaSet's size. */
export function checkRolloutSyncs(
  { clock }: InvariantContext,
  check: (sync: RolloutSync, seen: readonly Pod[]) => string | undefined,
): InvariantHandlers {
  const syncs = new WeakMap<Process, Map<string, RolloutSync>>();
  const syncsOf = (by: Process): Map<string, RolloutSync> => {
    const known = syncs.get(by) ?? new Map<string, RolloutSync>();
    syncs.set(by, known);
    return known;
  };
  const syncOf = (by: Process, replicaSet: ReplicaSet): RolloutSync | undefined => {
    const { namespace = "" } = replicaSet.metadata;
    return syncsOf(by).get(`${namespace}/${controllerOf(replicaSet)?.name ?? ""}`);
  };
  // What was stored, in case a mutation makes the controller read something else.
  const stored = new Map<string, StoredObject>();
  // What is stored of one version of an object is of its type.
  const asStored = <T extends StoredObject>(read: T) => (stored.get(versionOf(read)) ?? read) as T;
  const podsSeenBy = ({ informers }: Process) => (informers?.of(podResource).list() ?? []).map(asStored);

  return {
    commit({ collection, event }) {
      if (collection !== qualifiedName(replicaSets) && collection !== qualifiedName(podResource))
        return undefined;
      const { object } = event.record;
      stored.set(versionOf(object), object);
      return undefined;
    },
    "sync-began"({ by, key }) {
      if (by.component !== "deployment") return undefined;
      const deployment = by.informers?.of(deployments).get(key);
      if (deployment === undefined) return undefined;
      const read = by.informers?.of(replicaSets).list() ?? [];
      const begin = { now: clock.now(), pods: podsSeenBy(by) };
      syncsOf(by).set(key, new RolloutSync(deployment, read.map(asStored), begin));
      return undefined;
    },
    "sync-ended"({ by, key }) {
      syncsOf(by).delete(key);
      return undefined;
    },
    called({ by, call }) {
      if (by.component !== "deployment" || !writesSize(call)) return undefined;
      const replicaSet = call.body as ReplicaSet;
      const sync = syncOf(by, replicaSet);
      sync?.write(replicaSet);
      return sync && check(sync, podsSeenBy(by));
    },
    answered({ by, call: { verb, collection }, answer }) {
      if (by.component !== "deployment" || verb !== "get" || collection !== qualifiedName(replicaSets))
        return undefined;
      const replicaSet = answer as ReplicaSet;
      syncOf(by, replicaSet)?.read(replicaSet);
      return undefined;
    },
  };
}

function versionOf({ metadata }: StoredObject): string {
  return `${metadata.uid} ${metadata.resourceVersion}`;
}

function writesSize({ verb, collection, subresource }: ClientCall): boolean {
  const isSizing = verb === "create" || verb === "update";
  return isSizing && collection === qualifiedName(replicaSets) && subresource === undefined;
}
