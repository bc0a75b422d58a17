import { type Instant, parseTime } from "../../../api/time.ts";
import {
  elapsedAt,
  type PodStage,
  progressIn,
  requeueAt,
  type StageOf,
  type StepInput,
} from "./pod-stage.ts";

/** The reason of a Pod that was active for longer than its `activeDeadlineSeconds`. */
export const deadlineExceeded = "DeadlineExceeded";

/** Returns when the kubelet ends a Pod because it was active for too long; infinite: never. */
function deadlineOf(input: StepInput): Instant {
  const { spec, status } = input.pod;
  const startTime = parseTime(status?.startTime);
  if (spec.activeDeadlineSeconds === undefined || startTime === undefined) return Number.POSITIVE_INFINITY;
  return elapsedAt(startTime, input) + spec.activeDeadlineSeconds * 1000;
}

/** Returns the last stage of a Pod whose deadline has passed. */
export function pastDeadline(stage: PodStage, input: StepInput): StageOf<"failed"> | undefined {
  if (input.now < deadlineOf(input)) return undefined;
  return {
    name: "failed",
    reason: deadlineExceeded,
    message: "Pod was active on the node longer than the specified deadline",
    ...progressIn(stage),
  };
}

/** Returns when a stage has to be stepped again unless the Pod changes before, its deadline included. */
export function nextStepAt(stage: PodStage, input: StepInput): Instant | undefined {
  const until = requeueAt(stage);
  if (!isActive(stage)) return until;
  const at = Math.min(until ?? Number.POSITIVE_INFINITY, deadlineOf(input));
  return Number.isFinite(at) ? at : undefined;
}

/** Reports whether a deadline can still end the Pod: it has neither ended nor been deleted. */
function isActive({ name }: PodStage): boolean {
  return !["exited", "failed", "terminating", "ended", "removed"].includes(name);
}
