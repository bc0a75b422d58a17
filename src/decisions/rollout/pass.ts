import { type Action, applyToState } from "./action.ts";
import type { RolloutState } from "./state.ts";

/** A pass under way: what is to be done so far, and the state once it is. */
export interface Pass {
  readonly state: RolloutState;
  readonly actions: readonly Action[];
}

/** A pass that has not done anything yet. */
export function begin(state: RolloutState): Pass {
  return { state, actions: [] };
}

/** The pass with more to do; whatever is decided next sees the results. */
export function perform(pass: Pass, actions: readonly Action[]): Pass {
  if (actions.length === 0) return pass;
  return { state: actions.reduce(applyToState, pass.state), actions: [...pass.actions, ...actions] };
}
