import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import { replicaSets } from "../../api/resources.ts";
import { applyToState } from "../../decisions/rollout/action.ts";
import {
  type NameConflict,
  reportCreateFailure,
  resolveNameConflict,
} from "../../decisions/rollout/creation-outcome.ts";
import { type RolloutPlan, planRollout } from "../../decisions/rollout/plan-rollout.ts";
import type { RolloutState } from "../../decisions/rollout/state.ts";
import { hasCause, isAlreadyExists } from "../../machinery/client/api-error.ts";
import { type ApplyContext, applyActions, CreationRefused } from "./apply-actions.ts";

/**
 * Plans a pass and carries it out. The name of a new ReplicaSet may turn out to be taken: by the very ReplicaSet that
 * was to be created, then the pass goes on with it; or by another one, then the next pass arrives at another name.
 */
export function planAndApply(
  state: RolloutState,
  errand: Omit<ApplyContext, "versions">,
): Promise<RolloutPlan> {
  return proceed(state, { ...errand, versions: new Map() });
}

async function proceed(state: RolloutState, errand: ApplyContext): Promise<RolloutPlan> {
  const plan = planRollout(state);
  try {
    await applyActions(plan.actions, errand);
    return plan;
  } catch (error) {
    if (!(error instanceof CreationRefused)) throw error;
    const reached = untilCreation(plan, state);
    const found = await explainRefusal(error, reached, errand);
    return proceed({ ...reached, replicaSets: [...reached.replicaSets, found] }, errand);
  }
}

/** The state as the actions before the refused one have left it. */
function untilCreation({ actions }: RolloutPlan, state: RolloutState): RolloutState {
  const refused = actions.findIndex(({ kind }) => kind === "create-replica-set");
  return actions.slice(0, refused).reduce(applyToState, state);
}

/** The ReplicaSet that was there already; anything else is written down where people see it, and thrown. */
async function explainRefusal(
  refusal: CreationRefused,
  state: RolloutState,
  errand: ApplyContext,
): Promise<ReplicaSet> {
  const { cause } = refusal;
  if (isAlreadyExists(cause)) {
    const conflict = await nameConflict(refusal, state, errand);
    if (conflict.kind === "ours") return conflict.replicaSet;
    await applyActions([conflict.action], errand);
  } else if (!hasCause(cause, "NamespaceTerminating")) {
    // Whether people could be told or not, the creation is what failed.
    await applyActions(reportCreateFailure(state, refusal.replicaSet, refusal.message), errand).catch(
      () => undefined,
    );
  }
  throw cause;
}

async function nameConflict(
  { replicaSet: name }: CreationRefused,
  state: RolloutState,
  { client, signal }: ApplyContext,
): Promise<NameConflict> {
  const { namespace } = state.deployment.metadata;
  return resolveNameConflict(state, await client.get(replicaSets, { namespace, name }, signal));
}
