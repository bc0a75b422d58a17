import type { FeatureGates } from "../api/feature-gates.ts";
import type { ReplicaSet } from "../api/generated/apps-v1.ts";
import type { Pod } from "../api/generated/core-v1.ts";
import { replicaSets } from "../api/resources.ts";
import { deletionCost } from "../decisions/downscale/deletion-cost.ts";
import { isCandidate } from "../decisions/downscale/picker-question.ts";
import { preferredLabel } from "../decisions/downscale/rules.ts";
import { type EventRecorder, referenceTo } from "../machinery/events/event-draft.ts";
import type { PickerOutcome } from "./call-picker.ts";

const fallingBack = "falling back to default pod selection";

/** Tells people when a picker could not be used as it was meant; of success there is nothing to tell. */
export function recordOutcome(owner: ReplicaSet, finding: PickerOutcome, events: EventRecorder): void {
  const told = finding.kind === "failed" ? failureEvent(finding) : ignoredPodsEvent(finding);
  if (told !== undefined)
    events.record({ regarding: referenceTo(replicaSets, owner), type: "Warning", ...told });
}

interface EventText {
  readonly reason: string;
  readonly message: string;
}

function failureEvent({ failure, attempts }: Extract<PickerOutcome, { kind: "failed" }>): EventText {
  const code = failure.code === undefined ? "" : `, ${failure.code}`;
  const reason =
    failure.class === "Malformed" ? "DownscalePodPickerInvalidResponse" : "DownscalePodPickerFailed";
  const message = `pod picker not used (${failure.class}${code}, ${attempts} attempt(s)); ${fallingBack}`;
  return { reason, message };
}

function ignoredPodsEvent({ answer }: Extract<PickerOutcome, { kind: "answered" }>): EventText | undefined {
  const { unknown } = answer.ignored;
  if (unknown === 0) return undefined;
  const rest =
    answer.kind === "Empty" ? `nothing was left of its answer; ${fallingBack}` : "the rest was used";
  return {
    reason: "DownscalePodPickerInvalidResponse",
    message: `pod picker named ${unknown} pod(s) it was not asked about; ${rest}`,
  };
}

/** Whether Pods a picker could choose from carry costs or labels that overrule it: it is one or the other. */
export function overrulesPicker(pods: readonly Pod[], gates: FeatureGates): boolean {
  const candidates = pods.filter(isCandidate);
  const differ = (wordOn: (pod: Pod) => unknown) => new Set(candidates.map(wordOn)).size > 1;
  return (
    (gates.PodDeletionCost && differ(deletionCost)) ||
    (gates.PreferForScaleDownLabel &&
      differ((pod) => Object.hasOwn(pod.metadata.labels ?? {}, preferredLabel)))
  );
}

/** Tells people that two sources want a say in which Pods go. */
export function recordConflict(owner: ReplicaSet, events: EventRecorder): void {
  events.record({
    regarding: referenceTo(replicaSets, owner),
    type: "Warning",
    reason: "DownscalePodPickerConflict",
    message:
      "pods differ in deletion cost or carry the scale-down label, which comes before the pod picker; use one or the other",
  });
}
