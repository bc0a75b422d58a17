// Which Pods a downscale removes, and why: the published subpath `trimtab/decisions/downscale`.

export { chooseVictims, type Choice } from "./choose-victims.ts";
export { rankPods, type Ranking } from "./rank-pods.ts";
export { removalOrder, type Key, type Rule, type RuleName } from "./rules.ts";
export type { Facts, Picks } from "./facts.ts";
export type { DecidedPod, Reason } from "./reason.ts";
export { removalProfiles, type RemovalProfile, type RemovalProfileName } from "./removal-profiles.ts";
export type { OpenChoice } from "./choose-as-kubernetes.ts";
export { countPerNode } from "./co-location.ts";
export { deletionAgeRatios } from "./age-ratio.ts";
export { pickerQuestion, type PickerQuestion } from "./picker-question.ts";
export {
  interpretPickerAnswer,
  parsePickerAnswer,
  type IgnoredNames,
  type PickerAnswer,
} from "./picker-answer.ts";
export { eitherReason, removalReason, survivalReason } from "../explain/removal-reason.ts";
export { toRemovalRecord, type RemovalRecord } from "../explain/removal-record.ts";
