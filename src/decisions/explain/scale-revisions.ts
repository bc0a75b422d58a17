import type { Deployment, ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { FeatureGates } from "../../api/feature-gates.ts";
import type { Instant } from "../../api/time.ts";
import { gatherRollout } from "../gather/gather-rollout.ts";
import { listReader } from "../gather/workload-reader.ts";
import { applyToState } from "../rollout/action.ts";
import { annotationsOf, revisionAnnotation } from "../rollout/annotations.ts";
import { hasReplicas, sizeOf } from "../rollout/counts.ts";
import { planRollout, type RolloutPlan } from "../rollout/plan-rollout.ts";
import { revisionsOf } from "../rollout/revisions.ts";
import type { RolloutState } from "../rollout/state.ts";
import type { ClusterObjects } from "./cluster-objects.ts";

/** A Deployment among the objects of its cluster. */
export interface DeploymentScene {
  readonly deployment: Deployment;
  readonly objects: ClusterObjects;
  readonly gates: FeatureGates;
  readonly now: Instant;
}

/** An owner of Pods whose size changes. */
export interface ScaledRevision {
  readonly kind: "ReplicaSet" | "ReplicationController";
  readonly name: string;
  /** Of a Deployment: its number, and whether it has the current template. */
  readonly revision?: string;
  readonly role?: "new" | "old";
  /** Its size before and after. */
  readonly from: number;
  readonly to: number;
}

export interface ScaledRevisions {
  readonly owners: readonly { readonly owner: ReplicaSet; readonly scaled: ScaledRevision }[];
  /** How the size is shared. */
  readonly because: string;
}

/** The sizes of a Deployment's ReplicaSets after the passes that a new size leads to; the youngest revision first. */
export function scaleRevisions(scene: DeploymentScene, replicas: number): ScaledRevisions {
  const state = gatherRollout(scene.deployment, listReader(scene.objects), scene);
  const { plan, after } = scaledState({ ...state, deployment: withReplicas(state.deployment, replicas) });
  const sizes = new Map(after.replicaSets.map((each) => [each.metadata.name, sizeOf(each)]));
  const { newReplicaSet, oldReplicaSets } = revisionsOf(state);
  const ordered = [...(newReplicaSet === undefined ? [] : [newReplicaSet]), ...oldReplicaSets.toReversed()];
  return {
    owners: ordered.map((owner) => ({ owner, scaled: scaledRevision(owner, { newReplicaSet, sizes }) })),
    because: sharingReason(plan, ordered.filter(hasReplicas).length),
  };
}

/** More passes in a row than any scale takes. */
const mostPasses = 10;

/**
 * The first pass, and the state after it and after all passes that only scale and follow at once: a Deployment whose
 * new ReplicaSet turns out to have all Pods that are wanted, all of them available, gives up the old ones.
 */
function scaledState(start: RolloutState): { readonly plan: RolloutPlan; readonly after: RolloutState } {
  const first = planRollout(start);
  let [plan, after] = [first, first.actions.reduce(applyToState, start)];
  for (let before = start, pass = 1; pass < mostPasses; pass++) {
    if (plan.kind !== "scale" || !isResized(before, after)) break;
    before = reported(after);
    plan = planRollout(before);
    if (plan.kind === "scale") after = plan.actions.reduce(applyToState, before);
  }
  return { plan: first, after };
}

function isResized(before: RolloutState, after: RolloutState): boolean {
  const sizes = ({ replicaSets }: RolloutState) => replicaSets.map(sizeOf).join();
  return sizes(before) !== sizes(after);
}

/** The state once the ReplicaSets have removed the Pods that are too many: of these the unavailable go first. */
function reported(state: RolloutState): RolloutState {
  const replicaSets = state.replicaSets.map((each) => {
    const { status, metadata } = each;
    const most = (count: number | undefined) => Math.min(count ?? 0, sizeOf(each));
    const { replicas = 0, readyReplicas, availableReplicas, terminatingReplicas } = status ?? {};
    return {
      ...each,
      status: {
        ...status,
        replicas: most(replicas),
        readyReplicas: most(readyReplicas),
        availableReplicas: most(availableReplicas),
        ...(terminatingReplicas !== undefined && {
          terminatingReplicas: terminatingReplicas + replicas - most(replicas),
        }),
        ...(metadata.generation !== undefined && { observedGeneration: metadata.generation }),
      },
    };
  });
  return { ...state, replicaSets };
}

function withReplicas(deployment: Deployment, replicas: number): Deployment {
  const { metadata, spec } = deployment;
  if (spec.replicas === replicas) return deployment;
  const generation = (metadata.generation ?? 0) + 1;
  return { ...deployment, metadata: { ...metadata, generation }, spec: { ...spec, replicas } };
}

function scaledRevision(
  owner: ReplicaSet,
  after: { readonly newReplicaSet: ReplicaSet | undefined; readonly sizes: ReadonlyMap<string, number> },
): ScaledRevision {
  const { name } = owner.metadata;
  const revision = annotationsOf(owner)[revisionAnnotation];
  return {
    kind: "ReplicaSet",
    name,
    ...(revision === undefined ? {} : { revision }),
    role: owner === after.newReplicaSet ? "new" : "old",
    from: sizeOf(owner),
    to: after.sizes.get(name) ?? 0,
  };
}

function sharingReason({ kind, outcome }: RolloutPlan, active: number): string {
  if (outcome.kind === "invalid") return "the Deployment cannot be read, so nothing happens to it";
  if (kind === "status") return "the Deployment is being deleted: its size no longer matters";
  if (kind !== "scale") return "the change goes by the rules of the rollout, which is in progress";
  if (active <= 1) return "all Pods belong to one ReplicaSet, which gets the new size";
  return "a rollout is in progress: its ReplicaSets share the new size in proportion to the sizes they have";
}
