import { extended } from "../../api/extended.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { keyOf } from "../../api/object.ts";
import { isActive } from "../../api/pod-state.ts";
import { pods as podResource } from "../../api/resources.ts";
import { finish, podsPerStep, type Steps } from "../../decisions/downscale/steps.ts";
import { removalStateOf } from "../../decisions/gather/gather-removal.ts";
import { sortClaimable } from "../../decisions/gather/owned-objects.ts";
import type { WorkloadReader } from "../../decisions/gather/workload-reader.ts";
import type { ReplicaSetState } from "../../decisions/replicas/replica-set-state.ts";
import type { ReplicaOwner } from "../../decisions/replicas/replica-owner.ts";
import { runInSteps } from "../../machinery/clock/run-in-steps.ts";
import type { Informer } from "../../machinery/informer/informer.ts";
import { claimObjects } from "../../machinery/ownership/claim-objects.ts";
import type { ReplicaDependencies, ReplicaSync } from "./sync-context.ts";

/** Where the state of an owner is gathered from. */
export interface ReplicaStateSources<T extends ReplicaOwner> extends Pick<
  ReplicaDependencies<T>,
  "clock" | "gates" | "pods" | "spreadDefaults" | "removalProfile"
> {
  readonly reader: WorkloadReader<T>;
}

/** Claims an owner's Pods and gathers all that a plan for it depends on. */
export async function gatherReplicaState<T extends ReplicaOwner>(
  sources: ReplicaStateSources<T>,
  context: ReplicaSync<T>,
  isExpecting: boolean,
): Promise<ReplicaSetState> {
  const { clock, reader, pods, spreadDefaults, removalProfile } = sources;
  const { owner, kind, selection, pickers } = context;
  const readUpTo = pods.resourceVersion;
  const { ours, others, terminating } = await runInSteps(
    sortClaimable(reader.claimablePods(owner), context),
    clock,
  );
  const active = others.length === 0 ? ours : [...ours, ...(await claimPods(others, context))];
  const isCurrent =
    pods.resourceVersion === readUpTo || (await runInSteps(areStillActiveInSteps(active, pods), clock));
  const gates = sources.gates();
  const isCounted = kind.countsTerminating && gates.DeploymentReplicaSetTerminatingReplicas;
  const settings = { gates, now: clock.now(), spreadDefaults, removalProfile };
  return extended(removalStateOf({ owner, active }, reader, settings), {
    resource: kind.resource,
    selection,
    terminating: isCounted ? terminating : undefined,
    isExpecting: isExpecting || !isCurrent,
    picker: pickers.stateOf(owner, gates),
  });
}

/** Adopts and releases Pods; returns the active ones that were adopted. An adopted Pod is as the API server returned it. */
async function claimPods<T extends ReplicaOwner>(
  candidates: readonly Pod[],
  context: ReplicaSync<T>,
): Promise<readonly Pod[]> {
  const claim = { ...context, ownerResource: context.kind.resource, resource: podResource };
  return (await claimObjects(candidates, claim)).filter(isActive);
}

/**
 * Reports whether none of the Pods has ended since it was read. Adopting Pods and choosing among many takes time, and a
 * Pod that ended in between causes no further event: if it were deleted, the owner would wait for its deletion forever.
 * The controller then creates and deletes no Pods; the event that ended the Pod has already enqueued the owner.
 */
export function areStillActive(active: readonly Pod[], pods: Pick<Informer<Pod>, "get">): boolean {
  return finish(areStillActiveInSteps(active, pods));
}

/** Variant with pauses for all Pods of an owner; those chosen for deletion are checked again later. */
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
