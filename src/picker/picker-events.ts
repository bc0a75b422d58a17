import type { ReplicaSet } from "../api/generated/apps-v1.ts";
import type { ObjectReference } from "../api/generated/core-v1.ts";
import { apiVersionOf } from "../api/resource.ts";
import { deployments, replicaSets } from "../api/resources.ts";
import { formatTime, type Instant } from "../api/time.ts";
import type { PickerOutcome } from "../decisions/downscale/picker-outcome.ts";
import { type EventRecorder, referenceTo } from "../machinery/events/event-draft.ts";
import { pickerWorkloadOf } from "./picker-workload.ts";

const fallingBack = "falling back to default pod selection";

/** An outcome that a decision used, and until when the picker is not called again, if it keeps failing. */
export interface UsedOutcome {
  readonly outcome: PickerOutcome;
  readonly suspendedUntil?: Instant | undefined;
}

/**
 * Records a warning event if the call failed or the answer has names that are not candidates. The event is recorded
 * for the ReplicaSet and for its Deployment, where people look first.
 */
export function recordOutcome(owner: ReplicaSet, used: UsedOutcome, events: EventRecorder): void {
  const text = used.outcome.kind === "failed" ? failureEvent(used) : ignoredPodsEvent(used.outcome);
  if (text === undefined) return;
  for (const regarding of [referenceTo(replicaSets, owner), ...deploymentOf(owner)])
    events.record({ regarding, type: "Warning", ...text });
}

function deploymentOf(owner: ReplicaSet): readonly ObjectReference[] {
  const { namespace, kind, name, uid } = pickerWorkloadOf(owner);
  return kind === deployments.kind
    ? [{ apiVersion: apiVersionOf(deployments), kind, namespace, name, uid }]
    : [];
}

interface EventText {
  readonly reason: string;
  readonly message: string;
}

function failureEvent({ outcome, suspendedUntil }: UsedOutcome): EventText | undefined {
  // The event of the previous failure has already announced the suspension.
  if (outcome.kind !== "failed" || outcome.failure.class === "Suspended") return undefined;
  const { failure, attempts } = outcome;
  const code = failure.code === undefined ? "" : `, ${failure.code}`;
  const problem = failure.problem === undefined ? "" : `: ${failure.problem}`;
  const reason =
    failure.class === "Malformed" ? "DownscalePodPickerInvalidResponse" : "DownscalePodPickerFailed";
  const what = `${failure.class}${problem}${code}`;
  const then = suspendedUntil === undefined ? "" : `; not called until ${formatTime(suspendedUntil)}`;
  return { reason, message: `pod picker not used (${what}, ${attempts} attempt(s)); ${fallingBack}${then}` };
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
