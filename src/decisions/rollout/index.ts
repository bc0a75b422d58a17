// How many Pods each revision of a Deployment has and when, and what limits it.

export { planRollout, type RolloutPlan } from "./plan-rollout.ts";
export type { RolloutState } from "./state.ts";
export type { CountedPods } from "./counted-pods.ts";
export { applyToState, type RolloutAction, type RolloutEvent } from "./action.ts";
export type { RolloutOutcome } from "./pass.ts";
export type { Limit, RevisionLimit } from "./limit.ts";
export { describeLimit, describeRevisionLimit } from "../explain/describe-limit.ts";
export { toRolloutRecord, type RolloutDecision, type RolloutRecord } from "../explain/rollout-record.ts";
