// Which Pods go.
export { chooseVictims, type Choice } from "./downscale/choose-victims.ts";
export { rankPods, type Ranking } from "./downscale/rank-pods.ts";
export { removalOrder, type Key, type Rule, type RuleName } from "./downscale/rules.ts";
export type { Facts, Picks } from "./downscale/facts.ts";
export type { Judged, Reason } from "./downscale/reason.ts";
export { profiles, type Profile, type ProfileName } from "./downscale/profiles.ts";
export type { OpenChoice } from "./downscale/choose-as-kubernetes.ts";
export { countPerNode } from "./downscale/co-location.ts";
export { deletionAgeRatios } from "./downscale/age-ratio.ts";
export { pickerQuestion, type PickerQuestion } from "./downscale/picker-question.ts";
export {
  interpretPickerAnswer,
  parsePickerAnswer,
  type IgnoredNames,
  type PickerAnswer,
} from "./downscale/picker-answer.ts";
export { eitherReason, removalReason, survivalReason } from "./explain/removal-reason.ts";

// How many Pods each revision has, and when.
export { planRollout, type PassKind, type Plan } from "./rollout/plan-rollout.ts";
export type { RolloutState } from "./rollout/state.ts";
export { applyToState, type Action, type RolloutEvent } from "./rollout/action.ts";
export type { Outcome } from "./rollout/outcome.ts";
export type { TerminatingUnknown } from "./rollout/step.ts";
export type { Limit, RevisionLimit } from "./rollout/limit.ts";
export { reportCreateFailure, resolveNameConflict, type NameConflict } from "./rollout/creation-outcome.ts";
export { limitInWords, revisionInWords } from "./explain/rollout-limits.ts";
