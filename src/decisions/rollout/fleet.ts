import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import { type Budget, budgetOf } from "./budget.ts";
import { isActive } from "./counts.ts";
import { byAge, byYouth } from "./replica-set-order.ts";
import type { RolloutState } from "./state.ts";
import { hasTemplate } from "./template-equality.ts";

/** A Deployment's ReplicaSets told apart, and the budget they share. */
export interface Revisions extends RolloutState {
  readonly budget: Budget;
  /** The one that has the Deployment's template. */
  readonly newReplicaSet?: ReplicaSet;
  /** All others, the oldest first. */
  readonly oldReplicaSets: readonly ReplicaSet[];
}

/** Tells the ReplicaSets of a state apart: of several with the Deployment's template the oldest is the new one. */
export function revisionsOf(state: RolloutState): Revisions {
  const matching = state.replicaSets.filter((replicaSet) =>
    hasTemplate(replicaSet, state.deployment.spec.template),
  );
  return revisionsWithNew(state, matching.sort(byAge)[0]);
}

/** The same when it is known which ReplicaSet is the new one, if any. */
export function revisionsWithNew(state: RolloutState, newReplicaSet: ReplicaSet | undefined): Revisions {
  return {
    ...state,
    budget: budgetOf(state.deployment, state.gates),
    oldReplicaSets: state.replicaSets.filter((replicaSet) => replicaSet !== newReplicaSet).sort(byAge),
    ...(newReplicaSet === undefined ? {} : { newReplicaSet }),
  };
}

/** The ReplicaSets that are to have Pods: the old ones, the youngest first, and then the new one. */
export function activeReplicaSets({ oldReplicaSets, newReplicaSet }: Revisions): readonly ReplicaSet[] {
  const youngestFirst = oldReplicaSets.toSorted(byYouth);
  return (newReplicaSet === undefined ? youngestFirst : [...youngestFirst, newReplicaSet]).filter(isActive);
}
