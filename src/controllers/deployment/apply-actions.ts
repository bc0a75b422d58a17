import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import { replicaSets } from "../../api/resources.ts";
import { applyToState, type RolloutAction } from "../../decisions/rollout/action.ts";
import {
  type NameConflict,
  reportCreateFailure,
  resolveNameConflict,
} from "../../decisions/rollout/creation-outcome.ts";
import { planRollout, type RolloutPlan } from "../../decisions/rollout/plan-rollout.ts";
import type { RolloutState } from "../../decisions/rollout/state.ts";
import { hasCause, isAlreadyExists } from "../../machinery/client/api-error.ts";
import { applyRolloutAction, CreateReplicaSetError } from "./apply-action.ts";
import type { DeploymentSync } from "./sync-context.ts";

/**
 * Applies the actions of a plan in order, up to the first that fails, and returns the plan that was applied. That is
 * another plan when the new ReplicaSet turns out to exist already: then the rest is planned anew with it. When another
 * ReplicaSet has its name, the sync fails, and the next one arrives at another name.
 */
export async function applyRolloutActions(
  plan: RolloutPlan,
  state: RolloutState,
  context: DeploymentSync,
): Promise<RolloutPlan> {
  try {
    await applyInOrder(plan.actions, context);
    return plan;
  } catch (error) {
    if (!(error instanceof CreateReplicaSetError)) throw error;
    const reached = stateBeforeCreation(plan, state);
    const existing = await existingReplicaSet(error, reached, context);
    const next = { ...reached, replicaSets: [...reached.replicaSets, existing] };
    return applyRolloutActions(planRollout(next), next, context);
  }
}

async function applyInOrder(actions: readonly RolloutAction[], context: DeploymentSync): Promise<void> {
  for (const action of actions) await applyRolloutAction(action, context);
}

/** The state after the actions that come before the creation of the ReplicaSet. */
function stateBeforeCreation({ actions }: RolloutPlan, state: RolloutState): RolloutState {
  const creation = actions.findIndex(({ kind }) => kind === "create-replica-set");
  return actions.slice(0, creation).reduce(applyToState, state);
}

/** Returns the ReplicaSet that exists already. Any other reason for the failure is reported, then thrown. */
async function existingReplicaSet(
  failure: CreateReplicaSetError,
  state: RolloutState,
  context: DeploymentSync,
): Promise<ReplicaSet> {
  const { cause } = failure;
  if (isAlreadyExists(cause)) {
    const conflict = await nameConflict(failure, state, context);
    if (conflict.kind === "ours") return conflict.replicaSet;
    await applyRolloutAction(conflict.action, context);
  } else if (!hasCause(cause, "NamespaceTerminating")) {
    // The error of the creation is thrown, whether or not the report could be written.
    const report = reportCreateFailure(state, failure.replicaSet, failure.message);
    await applyInOrder(report, context).catch(() => undefined);
  }
  throw cause;
}

async function nameConflict(
  { replicaSet: name }: CreateReplicaSetError,
  state: RolloutState,
  { client, signal }: DeploymentSync,
): Promise<NameConflict> {
  const { namespace } = state.deployment.metadata;
  return resolveNameConflict(state, await client.get(replicaSets, { namespace, name }, signal));
}
