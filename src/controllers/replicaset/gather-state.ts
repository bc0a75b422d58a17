import type { Pod } from "../../api/generated/core-v1.ts";
import { keyOf } from "../../api/object.ts";
import { isActive } from "../../api/pod-state.ts";
import { pods as podResource } from "../../api/resources.ts";
import type { ReplicaSetState } from "../../decisions/replicas/plan-replica-set.ts";
import type { ReplicaOwner } from "../../decisions/replicas/replica-owner.ts";
import { countTerminating } from "../../decisions/replicas/replica-status.ts";
import type { Informer } from "../../machinery/informer/informer.ts";
import { claimObjects } from "../../machinery/ownership/claim-objects.ts";
import type { OwnerIndex } from "../../machinery/ownership/owner-index.ts";
import type { ReplicaDependencies } from "./dependencies.ts";
import type { SyncContext } from "./sync-context.ts";

/** Where the state of an owner is gathered from. */
export interface StateSources<T extends ReplicaOwner> extends Pick<
  ReplicaDependencies<T>,
  "clock" | "gates" | "pods"
> {
  readonly index: OwnerIndex<T, Pod>;
  readonly relatedTo: (owner: T) => readonly Pod[];
}

/** Claims an owner's Pods and gathers all that a plan for it depends on. */
export async function gatherState<T extends ReplicaOwner>(
  sources: StateSources<T>,
  context: SyncContext<T>,
  isExpecting: boolean,
): Promise<ReplicaSetState> {
  const { clock, index, relatedTo } = sources;
  const { key, owner, kind, selection, pickers } = context;
  const claimable = index.claimableBy(owner);
  const { active, isCurrent } = await claimPods(claimable.filter(isActive), context, sources.pods);
  const gates = sources.gates();
  const isCounted = kind.countsTerminating && gates.DeploymentReplicaSetTerminatingReplicas;
  return {
    owner,
    resource: kind.resource,
    selection,
    active,
    terminating: isCounted ? countTerminating(claimable, context) : undefined,
    isExpecting: isExpecting || !isCurrent,
    related: () => relatedTo(owner),
    pickerProgress: (request) => pickers.progressOf(owner, request),
    isPickerAsked: pickers.isAsked(key),
    pickerHealth: pickers.healthOf(owner, gates),
    gates,
    now: clock.now(),
  };
}

/**
 * Returns the active Pods the owner controls; an adopted Pod is as the API server returned it, which may be being
 * deleted. Adopting takes time. For a Pod that ended meanwhile there will be no other event: if it were chosen to be
 * deleted, the owner would wait for its deletion in vain. So no plan may be based on Pods that are not current; the
 * event that ended the Pod has enqueued the owner again.
 */
async function claimPods<T extends ReplicaOwner>(
  candidates: readonly Pod[],
  context: SyncContext<T>,
  pods: Informer<Pod>,
): Promise<{ readonly active: readonly Pod[]; readonly isCurrent: boolean }> {
  const readUpTo = pods.resourceVersion;
  const claim = { ...context, ownerResource: context.kind.resource, resource: podResource };
  const active = (await claimObjects(candidates, claim)).filter(isActive);
  return { active, isCurrent: pods.resourceVersion === readUpTo || areStillActive(active, pods) };
}

function areStillActive(active: readonly Pod[], pods: Informer<Pod>): boolean {
  return active.every((pod) => {
    const known = pods.get(keyOf(pod));
    return known?.metadata.uid === pod.metadata.uid && isActive(known);
  });
}
