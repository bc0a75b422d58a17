import type { FeatureGates } from "../api/feature-gates.ts";
import type { ReplicaSet } from "../api/generated/apps-v1.ts";
import type { Pod } from "../api/generated/core-v1.ts";
import { replicaSets } from "../api/resources.ts";
import { deletionCost } from "../decisions/downscale/deletion-cost.ts";
import { isCandidate } from "../decisions/downscale/picker-question.ts";
import { preferredLabel } from "../decisions/downscale/rules.ts";
import { type EventRecorder, referenceTo } from "../machinery/events/event-draft.ts";
import type { PickerOutcome } from "./picker-outcome.ts";

const fallingBack = "falling back to default pod selection";

/** Records a warning event if the call failed or the answer has names that are not candidates. */
export function recordOutcome(owner: ReplicaSet, outcome: PickerOutcome, events: EventRecorder): void {
  const text = outcome.kind === "failed" ? failureEvent(outcome) : ignoredPodsEvent(outcome);
  if (text !== undefined)
    events.record({ regarding: referenceTo(replicaSets, owner), type: "Warning", ...text });
}

interface EventText {
  readonly reason: string;
  readonly message: string;
}

function failureEvent({ failure, attempts }: Extract<PickerOutcome, { kind: "failed" }>): EventText {
  const code = failure.code === undefined ? "" : `, ${failure.code}`;
  const problem = failure.problem === undefined ? "" : `: ${failure.problem}`;
  const reason =
    failure.class === "Malformed" ? "DownscalePodPickerInvalidResponse" : "DownscalePodPickerFailed";
  const what = `${failure.class}${problem}${code}`;
  const message = `pod picker not used (${what}, ${attempts} attempt(s)); ${fallingBack}`;
  return { reason, message };
}

function ignoredPodsEvent({ answer }: Extract<PickerOutcome, { kind: "answered" }>): EventText | undefined {
  const { unknown } = answer.ignored;
  if (unknown === 0) return undefined;
  const rest = answer.kind === "Empty" ? `it named no candidate; ${fallingBack}` : "the others were used";
  return {
    reason: "DownscalePodPickerInvalidResponse",
    message: `pod picker named ${unknown} pod(s) that are not candidates; ${rest}`,
  };
}

/** Whether candidates differ in deletion cost or label, which come before the picker in the removal order. */
export function overrulesPicker(pods: readonly Pod[], gates: FeatureGates): boolean {
  const candidates = pods.filter(isCandidate);
  const differ = (valueOf: (pod: Pod) => unknown) => new Set(candidates.map(valueOf)).size > 1;
  return (
    (gates.PodDeletionCost && differ(deletionCost)) ||
    (gates.PreferForScaleDownLabel &&
      differ((pod) => Object.hasOwn(pod.metadata.labels ?? {}, preferredLabel)))
  );
}

/** Records a warning event that costs or labels override the picker. */
export function recordConflict(owner: ReplicaSet, events: EventRecorder): void {
  events.record({
    regarding: referenceTo(replicaSets, owner),
    type: "Warning",
    reason: "DownscalePodPickerConflict",
    message:
      "pods differ in deletion cost or carry the scale-down label, which comes before the pod picker; use one or the other",
  });
}
