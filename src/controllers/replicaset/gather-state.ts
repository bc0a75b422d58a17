import type { Pod } from "../../api/generated/core-v1.ts";
import { keyOf } from "../../api/object.ts";
import { isActive } from "../../api/pod-state.ts";
import { pods as podResource } from "../../api/resources.ts";
import { isSpreadOnScaleDown } from "../../api/workload-settings.ts";
import { finish, podsPerStep, type Steps } from "../../decisions/downscale/steps.ts";
import type { ReplicaSetState } from "../../decisions/replicas/plan-replica-set.ts";
import type { ReplicaOwner } from "../../decisions/replicas/replica-owner.ts";
import { sortClaimable } from "../../decisions/replicas/sort-claimable.ts";
import { builtInDefaults, spreadOfInSteps } from "../../decisions/spread/spread-of.ts";
import { runInSteps } from "../../machinery/clock/run-in-steps.ts";
import type { Informer } from "../../machinery/informer/informer.ts";
import { claimObjects } from "../../machinery/ownership/claim-objects.ts";
import type { OwnerIndex } from "../../machinery/ownership/owner-index.ts";
import type { ReplicaDependencies } from "./dependencies.ts";
import type { SyncContext } from "./sync-context.ts";

/** Where the state of an owner is gathered from. */
export interface StateSources<T extends ReplicaOwner> extends Pick<
  ReplicaDependencies<T>,
  "clock" | "gates" | "pods" | "nodes" | "services" | "spreadDefaults" | "removalProfile"
> {
  readonly index: OwnerIndex<T, Pod>;
  readonly relatedTo: (owner: T) => Iterable<Pod>;
}

/** Claims an owner's Pods and gathers all that a plan for it depends on. */
export async function gatherState<T extends ReplicaOwner>(
  sources: StateSources<T>,
  context: SyncContext<T>,
  isExpecting: boolean,
): Promise<ReplicaSetState> {
  const { clock, index, relatedTo } = sources;
  const { key, owner, kind, selection, pickers } = context;
  const readUpTo = sources.pods.resourceVersion;
  const { ours, others, terminating } = await runInSteps(
    sortClaimable(index.claimableBy(owner), context),
    clock,
  );
  const active = others.length === 0 ? ours : [...ours, ...(await claimPods(others, context))];
  const isCurrent =
    sources.pods.resourceVersion === readUpTo ||
    (await runInSteps(areStillActiveInSteps(active, sources.pods), clock));
  const gates = sources.gates();
  const isCounted = kind.countsTerminating && gates.DeploymentReplicaSetTerminatingReplicas;
  const spreadWorkload = () => ({
    owner,
    pods: active,
    related: relatedTo(owner),
    nodes: sources.nodes.hasSynced ? sources.nodes.list() : undefined,
    services: sources.services.list(),
    defaultsFor: sources.spreadDefaults ?? builtInDefaults,
  });
  return {
    owner,
    resource: kind.resource,
    selection,
    active,
    terminating: isCounted ? terminating : undefined,
    isExpecting: isExpecting || !isCurrent,
    related: () => relatedTo(owner),
    ...(isSpreadOnScaleDown(owner, gates) && { spread: () => spreadOfInSteps(spreadWorkload()) }),
    pickerProgress: (request) => pickers.progressOf(owner, request),
    isPickerAsked: pickers.isAsked(key),
    pickerHealth: pickers.healthOf(owner, gates),
    gates,
    removalProfile: sources.removalProfile,
    now: clock.now(),
  };
}

/** Adopts and releases Pods; returns the active ones that were adopted. An adopted Pod is as the API server returned it. */
async function claimPods<T extends ReplicaOwner>(
  candidates: readonly Pod[],
  context: SyncContext<T>,
): Promise<readonly Pod[]> {
  const claim = { ...context, ownerResource: context.kind.resource, resource: podResource };
  return (await claimObjects(candidates, claim)).filter(isActive);
}

/**
 * Whether Pods have not ended since they were read. Adopting Pods and choosing among many takes time. For a Pod that
 * ended meanwhile there will be no other event: if it were deleted, the owner would wait for its deletion in vain. So no
 * Pods are created or deleted then; the event that ended the Pod has enqueued the owner again.
 */
export function areStillActive(active: readonly Pod[], pods: Pick<Informer<Pod>, "get">): boolean {
  return finish(areStillActiveInSteps(active, pods));
}

/** The same with pauses, for all Pods of an owner; those that are chosen to be deleted are looked at again. */
export function* areStillActiveInSteps(
  active: readonly Pod[],
  pods: Pick<Informer<Pod>, "get">,
): Steps<boolean> {
  let seen = 0;
  for (const pod of active) {
    if (++seen % podsPerStep === 0) yield;
    const known = pods.get(keyOf(pod));
    if (known?.metadata.uid !== pod.metadata.uid || !isActive(known)) return false;
  }
  return true;
}
