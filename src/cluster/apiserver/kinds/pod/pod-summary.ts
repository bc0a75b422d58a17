import { isConditionTrue } from "../../../../api/conditions.ts";
import type { ContainerStateTerminated, ContainerStatus, Pod } from "../../../../api/generated/core-v1.ts";
import { isReady, isTerminal } from "../../../../api/pod-state.ts";
import { type Instant, parseTime } from "../../../../api/time.ts";

/** The summary of a Pod in one line of a table. */
export interface PodSummary {
  /** The STATUS column: not the phase, but the most significant state or reason. */
  readonly status: string;
  readonly ready: number;
  /** Containers that are meant to keep running, sidecars included. */
  readonly total: number;
  readonly restarts: number;
  readonly restartedAt: Instant | undefined;
}

interface Progress {
  /** The reason that the containers contribute, if any. */
  readonly status: string | undefined;
  readonly ready: number;
}

/** Summarizes a Pod; later states of its lifecycle override earlier ones. */
export function summarizePod(pod: Pod): PodSummary {
  const sidecars = sidecarsOf(pod);
  const reached = reachedInitContainers(pod, sidecars);
  const init = initProgress(pod, reached, sidecars);
  const running = pod.status?.containerStatuses ?? [];
  const total = pod.spec.containers.length + sidecars.size;
  // A restarted sidecar does not hide the state of running containers once the Initialized condition is true.
  if (init.status !== undefined && !isConditionTrue(pod.status?.conditions, "Initialized")) {
    return { status: ending(pod) ?? init.status, ready: init.ready, total, ...restartsOf(reached) };
  }
  const main = mainProgress(pod, running);
  return {
    status: ending(pod) ?? main.status ?? init.status ?? ownState(pod),
    ready: init.ready + main.ready,
    total,
    // Restarts of finished init containers are not shown; sidecars never finish.
    ...restartsOf([...reached.filter(({ name }) => sidecars.has(name)), ...running]),
  };
}

function ownState(pod: Pod): string {
  const gated = pod.status?.conditions?.some(
    ({ type, reason }) => type === "PodScheduled" && reason === "SchedulingGated",
  );
  if (gated === true) return "SchedulingGated";
  return pod.status?.reason || (pod.status?.phase ?? "");
}

function ending(pod: Pod): string | undefined {
  const { deletionTimestamp } = pod.metadata;
  if (deletionTimestamp === undefined || deletionTimestamp === null) return undefined;
  if (pod.status?.reason === "NodeLost") return "Unknown";
  return isTerminal(pod) ? undefined : "Terminating";
}

/** Returns the init containers up to the one that is not done; those after it have not begun. */
function reachedInitContainers(pod: Pod, sidecars: ReadonlySet<string>): readonly ContainerStatus[] {
  const statuses = pod.status?.initContainerStatuses ?? [];
  const blocking = statuses.findIndex((status) => !isInitDone(status, sidecars));
  return blocking === -1 ? statuses : statuses.slice(0, blocking + 1);
}

function initProgress(
  pod: Pod,
  reached: readonly ContainerStatus[],
  sidecars: ReadonlySet<string>,
): Progress {
  const ready = reached.filter(
    (status) => status.ready && sidecars.has(status.name) && status.started === true && !isEndedWell(status),
  );
  const last = reached.at(-1);
  const blocked = last !== undefined && !isInitDone(last, sidecars);
  const position = `${reached.length - 1}/${pod.spec.initContainers?.length ?? 0}`;
  return { status: blocked ? `Init:${initReason(last) ?? position}` : undefined, ready: ready.length };
}

function isInitDone(status: ContainerStatus, sidecars: ReadonlySet<string>): boolean {
  return isEndedWell(status) || (sidecars.has(status.name) && status.started === true);
}

function isEndedWell(status: ContainerStatus): boolean {
  return status.state?.terminated?.exitCode === 0;
}

function initReason({ state }: ContainerStatus): string | undefined {
  if (state?.terminated) return terminatedReason(state.terminated);
  const waiting = state?.waiting?.reason;
  return waiting === "PodInitializing" || waiting === "" ? undefined : waiting;
}

function mainProgress(pod: Pod, statuses: readonly ContainerStatus[]): Progress {
  const running = statuses.filter(isRunning);
  // The first container with a reason wins.
  const status = firstDefined(statuses, containerReason);
  if ((status ?? ownState(pod)) !== "Completed") return { status, ready: running.length };
  const failed = firstDefined(statuses, failureReason);
  return { status: completedStatus(pod, running.length > 0, failed) ?? status, ready: running.length };
}

/** Returns the status of a completed Pod: `Completed` only if all containers have completed without an error. */
function completedStatus(pod: Pod, anyRunning: boolean, failed: string | undefined): string | undefined {
  if (anyRunning && isReady(pod)) return "Running";
  return failed ?? (anyRunning ? "NotReady" : undefined);
}

function isRunning({ ready, state }: ContainerStatus): boolean {
  const stopped = Boolean(state?.waiting?.reason) || Boolean(state?.terminated);
  return ready && Boolean(state?.running) && !stopped;
}

function containerReason({ state }: ContainerStatus): string | undefined {
  if (state?.waiting?.reason) return state.waiting.reason;
  return state?.terminated ? terminatedReason(state.terminated) : undefined;
}

function failureReason({ state }: ContainerStatus): string | undefined {
  const failed = state?.terminated && state.terminated.exitCode !== 0 && !state.waiting?.reason;
  return failed ? terminatedReason(state.terminated) : undefined;
}

function terminatedReason({ reason, signal, exitCode }: ContainerStateTerminated): string {
  if (reason) return reason;
  return signal ? `Signal:${signal}` : `ExitCode:${exitCode}`;
}

function restartsOf(statuses: readonly ContainerStatus[]): Pick<PodSummary, "restarts" | "restartedAt"> {
  const times = statuses
    .map(({ lastState }) => parseTime(lastState?.terminated?.finishedAt))
    .filter((time) => time !== undefined);
  return {
    restarts: statuses.reduce((sum, { restartCount }) => sum + restartCount, 0),
    restartedAt: times.length === 0 ? undefined : Math.max(...times),
  };
}

/** Returns the names of the init containers that keep running beside the others. */
function sidecarsOf(pod: Pod): ReadonlySet<string> {
  const sidecars = (pod.spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === "Always");
  return new Set(sidecars.map(({ name }) => name));
}

function firstDefined<T>(
  statuses: readonly ContainerStatus[],
  ask: (status: ContainerStatus) => T | undefined,
): T | undefined {
  for (const status of statuses) {
    const answer = ask(status);
    if (answer !== undefined) return answer;
  }
  return undefined;
}
