// How many Pods each revision of a Deployment has, and when: the published subpath `trimtab/decisions/rollout`.

export { planRollout, type PassKind, type RolloutPlan } from "./plan-rollout.ts";
export type { RolloutState } from "./state.ts";
export { applyToState, type RolloutAction, type RolloutEvent } from "./action.ts";
export type { RolloutOutcome } from "./outcome.ts";
export type { TerminatingUnknown } from "./stage-result.ts";
export type { Limit, RevisionLimit } from "./limit.ts";
export { reportCreateFailure, resolveNameConflict, type NameConflict } from "./creation-outcome.ts";
export { describeLimit, describeRevisionLimit } from "../explain/describe-limit.ts";
