// Which Pods go.
export { chooseVictims, type Choice } from "./downscale/choose-victims.ts";
export { rankPods, type Ranking } from "./downscale/rank-pods.ts";
export { removalOrder, type Key, type Rule, type RuleName } from "./downscale/rules.ts";
export type { Facts, Picks } from "./downscale/facts.ts";
export type { DecidedPod, Reason } from "./downscale/reason.ts";
export {
  removalProfiles,
  type RemovalProfile,
  type RemovalProfileName,
} from "./downscale/removal-profiles.ts";
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
export { toRemovalRecord, type RemovalRecord } from "./explain/removal-record.ts";

// How many Pods a ReplicaSet or ReplicationController lacks or has too many, and what it reports.
export { planReplicas, type ReplicasState, type ReplicasPlan } from "./replicas/plan-replicas.ts";
export { replicaStatus, type StatusState } from "./replicas/replica-status.ts";
export type { ManageOutcome } from "./replicas/replica-failure.ts";
export type { ReplicaOwner, ReplicaStatus } from "./replicas/replica-owner.ts";

// How many Pods each revision has, and when.
export { planRollout, type PassKind, type RolloutPlan } from "./rollout/plan-rollout.ts";
export type { RolloutState } from "./rollout/state.ts";
export { applyToState, type RolloutAction, type RolloutEvent } from "./rollout/action.ts";
export type { RolloutOutcome } from "./rollout/outcome.ts";
export type { TerminatingUnknown } from "./rollout/stage-result.ts";
export type { Limit, RevisionLimit } from "./rollout/limit.ts";
export { reportCreateFailure, resolveNameConflict, type NameConflict } from "./rollout/creation-outcome.ts";
export { describeLimit, describeRevisionLimit } from "./explain/describe-limit.ts";

// Where a Pod may and should go.
export {
  placePod,
  type PlacedBy,
  type Placement,
  type PlacementOptions,
  type PlacementOutcome,
  unschedulablePlugins,
} from "./placement/place-pod.ts";
export { evaluateNodes, type Evaluation } from "./placement/evaluate-nodes.ts";
export { type ClusterObjects, type Snapshot, snapshotOf } from "./placement/snapshot/snapshot.ts";
export { nodeInfo, type NodeInfo } from "./placement/snapshot/node-info.ts";
export { podInfo, type PodInfo } from "./placement/snapshot/pod-info.ts";
export { defaultPlugins, type PluginArgs } from "./placement/default-plugins.ts";
export { type PluginSet, pluginSetOf, type WeightedPlugin } from "./placement/plugin-set.ts";
export {
  fails,
  type Failure,
  fits,
  type PreFilterResult,
  type Plugin,
  type Refusal,
  type RefusalCode,
  rejects,
  type Scorer,
  unresolvable,
  unschedulable,
  type Verdict,
} from "./placement/plugin.ts";
export type { Breakdown, RefusedNode, Rejection } from "./placement/plugin.ts";
export type { PluginScore, ScoredNode, ScoreSheet } from "./placement/score-nodes.ts";
export type { Draw } from "./placement/choose-node.ts";
export type { DerivedSelector, SelectorSource } from "./placement/derived-selector.ts";
export { explainPlacement, type PlacementExplanation } from "./placement/explain-placement.ts";
export {
  describeConstraint,
  failedSchedulingMessage,
  describeSelection,
} from "./explain/placement-reason.ts";
