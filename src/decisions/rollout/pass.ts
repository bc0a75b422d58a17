import { type RolloutAction, applyToState } from "./action.ts";
import type { RolloutState } from "./state.ts";

/** A pass under way: what is to be done so far, and the state once it is. */
export interface Pass {
  readonly state: RolloutState;
  readonly actions: readonly RolloutAction[];
}

/** A pass that has not done anything yet. */
export function startPass(state: RolloutState): Pass {
  return { state, actions: [] };
}

/** The pass with more to do; whatever is decided next sees the results. */
export function addActions(pass: Pass, actions: readonly RolloutAction[]): Pass {
  if (actions.length === 0) return pass;
  return { state: actions.reduce(applyToState, pass.state), actions: [...pass.actions, ...actions] };
}
