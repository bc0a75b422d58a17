// Which Pods a scale-down removes, and why those.

export { chooseVictims, type Choice } from "./choose-victims.ts";
export type { Facts, Picks } from "./facts.ts";
export { countPerNode } from "./co-location.ts";
export type { DecidedPod, Reason } from "./reason.ts";
export { removalOrder, type Rule, type RuleName } from "./rules.ts";
export { removalProfiles, type RemovalProfile, type RemovalProfileName } from "./removal-profiles.ts";
export { rankPods, type Ranking } from "./rank-pods.ts";
export { pickerQuestion, type PickerQuestion } from "./picker-question.ts";
export { interpretPickerAnswer, parsePickerAnswer, type PickerAnswer } from "./picker-answer.ts";
export { removalReason, survivalReason } from "../explain/removal-reason.ts";
export { toRemovalRecord, type RemovalDecision, type RemovalRecord } from "../explain/removal-record.ts";
