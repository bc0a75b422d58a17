import type { ContainerStateTerminated, Pod } from "../../../api/generated/core-v1.ts";
import type { Instant } from "../../../api/time.ts";
import type { Backoff } from "../../../machinery/exponential-backoff.ts";
import { commandRunOf } from "../behaviour/command-run.ts";
import type { PodBehaviour } from "../behaviour/pod-behaviour.ts";
import type { ContainerExit, Run } from "./pod-stage.ts";

/** How long the kubelet waits before it pulls or starts again what failed. */
// upstream: kubelet, MaxContainerBackOff and its base
export const containerBackoff: Backoff = { initialMs: 10_000, maxMs: 300_000 };

/** An exit that the containers make by themselves, and its time. */
export interface PlannedExit {
  readonly at: Instant;
  readonly exit: ContainerExit;
}

/** The exit of a container that is killed: without being asked to stop, or because it does not stop in time. */
export const killed: ContainerExit = { exitCode: 137, reason: "Error" };

/** How long containers that are meant to end run, unless the Pod says otherwise. */
const defaultCompletionMs = 1000;
/** How long containers that crash run, unless the Pod says otherwise. */
const defaultCrashMs = 1000;

/**
 * Returns when and how the containers of a run exit by themselves; `undefined`: they run until they are told to end.
 */
export function plannedExit(pod: Pod, behaviour: PodBehaviour, run: Run): PlannedExit | undefined {
  const crash = plannedCrash(behaviour, run);
  const completion = plannedCompletion(pod, behaviour, run);
  if (crash === undefined || completion === undefined) return crash ?? completion;
  const isCompletionAskedFor = behaviour.completeAfterMs !== undefined;
  return isCompletionAskedFor && completion.at < crash.at ? completion : crash;
}

/** Reports whether containers that ended like this are started again. */
export function isRestarted({ spec }: Pod, { exitCode }: ContainerExit): boolean {
  const { restartPolicy = "Always" } = spec;
  return restartPolicy === "Always" || (restartPolicy === "OnFailure" && exitCode !== 0);
}

/** Returns an exit with the reason that the status of a container has for that code. */
export function exitWith(exitCode: number): ContainerExit {
  return { exitCode, reason: exitCode === 0 ? "Completed" : "Error" };
}

/** Returns the exit that the status of a container records. */
export function exitOf({ exitCode, reason }: ContainerStateTerminated): ContainerExit {
  return { ...exitWith(exitCode), ...(reason !== undefined && { reason }) };
}

function plannedCrash(behaviour: PodBehaviour, { since, restarts }: Run): PlannedExit | undefined {
  const { crashAfterMs = defaultCrashMs, crashExitCode = 1, outOfMemory } = behaviour;
  if (behaviour.startFails) return { at: since, exit: { exitCode: 128, reason: "StartError" } };
  if (restarts >= crashCount(behaviour)) return undefined;
  const exit = outOfMemory ? { exitCode: 137, reason: "OOMKilled" } : exitWith(crashExitCode);
  return { at: since + crashAfterMs, exit };
}

/** Returns how many runs end with a crash: as many as the Pod says, or one if it says anything else about a crash. */
function crashCount({ crashLoop, crashAfterMs, crashExitCode, outOfMemory }: PodBehaviour): number {
  if (crashLoop !== undefined) return crashLoop;
  return crashAfterMs !== undefined || crashExitCode !== undefined || outOfMemory ? 1 : 0;
}

/**
 * Returns when the containers complete, or exit as their command lines do. A Pod that is never restarted is meant to
 * end, as those of Jobs and Helm hooks are.
 */
function plannedCompletion(pod: Pod, { completeAfterMs }: PodBehaviour, { since }: Run) {
  const { containers, restartPolicy = "Always" } = pod.spec;
  const command = completeAfterMs === undefined ? commandRunOf(containers) : undefined;
  const defaultMs = restartPolicy === "Always" ? Number.POSITIVE_INFINITY : defaultCompletionMs;
  const afterMs = completeAfterMs ?? command?.afterMs ?? defaultMs;
  return Number.isFinite(afterMs)
    ? { at: since + afterMs, exit: exitWith(command?.exitCode ?? 0) }
    : undefined;
}
