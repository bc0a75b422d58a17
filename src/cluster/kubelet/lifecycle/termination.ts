import { type Instant, parseTime } from "../../../api/time.ts";
import type { Pod } from "../../../api/generated/core-v1.ts";
import { exitOf, exitWith } from "./container-exit.ts";
import { crashWaitedFor } from "./container-state.ts";
import type { ContainerExit, PodStage, StageOf, StepInput } from "./pod-stage.ts";

const killedExitCode = 137;

/** Returns the stage of a Pod that is being deleted: its containers were told to end. */
export function beginTermination(input: StepInput): PodStage {
  const { pod, behaviour, now } = input;
  const { deletionTimestamp } = pod.metadata;
  if (behaviour.stuckTerminating)
    return { name: "terminating", until: undefined, killed: false, deletionTimestamp };
  const killAt = now + graceLeftMs(input);
  const gracefulEnd = now + behaviour.terminationDelayMs;
  const killed = behaviour.ignoreSigterm || gracefulEnd > killAt;
  return { name: "terminating", until: killed ? killAt : gracefulEnd, killed, deletionTimestamp };
}

/** A second delete may shorten the grace period; it never extends it. */
export function continueTermination(stage: StageOf<"terminating">, input: StepInput): PodStage {
  const { pod, now, behaviour } = input;
  const { until } = stage;
  if (until === undefined) return behaviour.stuckTerminating ? stage : beginTermination(input);
  const { deletionTimestamp } = pod.metadata;
  // A timestamp is not read twice: the clock may have been set meanwhile.
  const killAt = deletionTimestamp === stage.deletionTimestamp ? until : now + graceLeftMs(input);
  const isShortened = killAt < until;
  if (now >= Math.min(until, killAt)) return endedBy(stage.killed || isShortened, input);
  return isShortened ? { ...stage, until: killAt, killed: true, deletionTimestamp } : stage;
}

/** Returns the stage of a Pod whose containers have ended after a delete; it stays visible for a moment. */
export function endedBy(killed: boolean, { pod, behaviour, now }: StepInput): StageOf<"ended"> {
  const exit = exitBefore(pod) ?? exitWith(killed ? killedExitCode : behaviour.exitCodeOnTerm);
  return { name: "ended", until: now + behaviour.removalDelayMs, exit };
}

/**
 * Returns how the containers of a Pod ended that did not run when it was deleted; containers that never ran have not
 * succeeded.
 */
// upstream: kubelet, status manager, TerminatePod
function exitBefore({ status }: Pod): ContainerExit | undefined {
  const [main] = status?.containerStatuses ?? [];
  if (status?.phase === "Pending") return { exitCode: killedExitCode, reason: "ContainerStatusUnknown" };
  const crash = crashWaitedFor(main);
  return crash && exitOf(crash);
}

/**
 * Returns how much of the grace period is left: never more than all of it, even if the clock was set since the delete.
 */
function graceLeftMs({ pod, now, wallNow = now }: StepInput): Instant {
  const { deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata;
  const leftMs = (parseTime(deletionTimestamp) ?? wallNow) - wallNow;
  return Math.min(Math.max(leftMs, 0), (deletionGracePeriodSeconds ?? Number.POSITIVE_INFINITY) * 1000);
}
