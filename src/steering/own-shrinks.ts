import type { Deployment, ReplicaSet } from "../api/generated/apps-v1.ts";
import { sizeOf } from "../decisions/rollout/counts.ts";
import { deferredText, readDeferred } from "../decisions/stock/deferred-shrink.ts";
import type { Shrinking } from "../decisions/stock/rollout-wait.ts";
import { watchedDeployment } from "./admission/find-workload.ts";
import type { SteeringDependencies } from "./dependencies.ts";
import { replicaSetsOf } from "./replica-sets-of.ts";

/** A size that the leading copy gives to an old ReplicaSet itself, and what that was planned on. */
export interface OwnShrink {
  readonly size: number;
  /** Of the Deployment. */
  readonly generation: number | undefined;
  /** The sizes that its ReplicaSets are planned to have together, by UID. */
  readonly sizes: ReadonlyMap<string, number>;
}

/** Sizes that are planned together. */
export interface PlannedShrinks {
  readonly deployment: Deployment;
  readonly replicaSets: readonly ReplicaSet[];
  readonly shrinkings: readonly Shrinking[];
}

/** What one of the planned sizes was planned on. */
export function ownShrink(size: number, { deployment, replicaSets, shrinkings }: PlannedShrinks): OwnShrink {
  const sizes = new Map(replicaSets.map((each) => [each.metadata.uid, sizeOf(each)]));
  for (const planned of shrinkings) sizes.set(planned.replicaSet.metadata.uid, planned.size);
  return { size, generation: deployment.metadata.generation, sizes };
}

/**
 * Whether a planned size may still be given once its victims are decided. The stock controller goes on meanwhile: where
 * another ReplicaSet has shrunk, or is about to, both together could be more than may be unavailable.
 */
export function isStillRight(
  { generation, sizes }: OwnShrink,
  replicaSet: ReplicaSet,
  deps: Pick<SteeringDependencies, "deployments" | "replicaSets" | "ownShrinks">,
): boolean {
  const deployment = watchedDeployment(replicaSet, deps);
  if (deployment === undefined || deployment.metadata.generation !== generation) return false;
  const others = replicaSetsOf(deps.replicaSets, deployment).filter(
    ({ metadata }) => metadata.uid !== replicaSet.metadata.uid,
  );
  return others.every((each) => {
    const deferred = readDeferred(deferredText(each));
    const planned = deps.ownShrinks.get(each.metadata.uid)?.size;
    const isAsPlanned = deferred === undefined || deferred.size === planned;
    return isAsPlanned && sizeOf(each) >= (sizes.get(each.metadata.uid) ?? 0);
  });
}
