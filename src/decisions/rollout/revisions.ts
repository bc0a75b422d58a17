import { compareText } from "../../api/compare-text.ts";
import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import { parseTime } from "../../api/time.ts";
import { type Budget, budgetOf } from "./budget.ts";
import { hasReplicas, sizeOf } from "./counts.ts";
import type { RolloutState } from "./state.ts";
import { hasTemplate } from "./pod-template.ts";

/** A Deployment's ReplicaSets, separated into the new and the old ones, and the budget they share. */
export interface Revisions extends RolloutState {
  readonly budget: Budget;
  /** The one that has the Deployment's template. */
  readonly newReplicaSet?: ReplicaSet;
  /** All others, the oldest first. */
  readonly oldReplicaSets: readonly ReplicaSet[];
}

/** Separates the ReplicaSets of a state: of several with the Deployment's template the oldest is the new one. */
export function revisionsOf(state: RolloutState): Revisions {
  const matching = state.replicaSets.filter((replicaSet) =>
    hasTemplate(replicaSet, state.deployment.spec.template),
  );
  return revisionsWithNew(state, matching.sort(byAge)[0]);
}

/** Separates the ReplicaSets of a state whose new ReplicaSet, if there is one, is known. */
export function revisionsWithNew(state: RolloutState, newReplicaSet: ReplicaSet | undefined): Revisions {
  return {
    ...state,
    budget: budgetOf(state.deployment, state.gates),
    oldReplicaSets: state.replicaSets.filter((replicaSet) => replicaSet !== newReplicaSet).sort(byAge),
    ...(newReplicaSet === undefined ? {} : { newReplicaSet }),
  };
}

/** The ReplicaSets with desired replicas: the old ones, the youngest first, and then the new one. */
export function activeReplicaSets({ oldReplicaSets, newReplicaSet }: Revisions): readonly ReplicaSet[] {
  const youngestFirst = oldReplicaSets.toSorted(byYouth);
  return (newReplicaSet === undefined ? youngestFirst : [...youngestFirst, newReplicaSet]).filter(
    hasReplicas,
  );
}

type Order = (a: ReplicaSet, b: ReplicaSet) => number;

/** The oldest first, the smaller name between equals; one without a creation time is oldest. */
export const byAge: Order = (a, b) =>
  createdAt(a) - createdAt(b) || compareText(a.metadata.name, b.metadata.name);

/** The exact reverse of `byAge`. */
export const byYouth: Order = (a, b) => byAge(b, a);

/** The largest first, then the younger. */
export const bySizeThenYouth: Order = (a, b) => sizeOf(b) - sizeOf(a) || byYouth(a, b);

/** The largest first, then the older. */
export const bySizeThenAge: Order = (a, b) => sizeOf(b) - sizeOf(a) || byAge(a, b);

function createdAt(replicaSet: ReplicaSet): number {
  return parseTime(replicaSet.metadata.creationTimestamp) ?? Number.MIN_SAFE_INTEGER;
}
