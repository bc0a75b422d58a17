import type {
  Container,
  ContainerStateTerminated,
  ContainerStatus,
  Pod,
} from "../../api/generated/core-v1.ts";
import { isBeingDeleted } from "../../api/object.ts";
import { deletionBeganAt, isReady } from "../../api/pod-state.ts";
import { type Instant, parseTime } from "../../api/time.ts";
import { statusOf } from "./lifecycle/container-state.ts";
import { readyAfterMs } from "./lifecycle/lifecycle.ts";
import { type PodBehaviour, readPodBehaviour } from "./behaviour/pod-behaviour.ts";

/** One line of a container's log. */
export interface LogLine {
  readonly at: Instant;
  readonly text: string;
  /** Distinguishes the lines of one log. */
  readonly key: string;
}

/** The lines that a container has written so far. */
export interface ContainerLog {
  readonly lines: readonly LogLine[];
  /** When the next line follows, unless the Pod changes before. */
  readonly nextAt: Instant | undefined;
  /** Whether no line will follow. */
  readonly ended: boolean;
}

/** One run of a container. */
interface Run {
  readonly startedAt: Instant;
  readonly finishedAt?: Instant | undefined;
  readonly exitCode?: number | undefined;
}

/** Limits how many of the repeated lines are kept. */
const maxRepeatedLines = 1000;

/**
 * Returns the log of a simulated container, computed from its Pod: what happened to it, and the lines that the Pod's
 * annotations ask for. Lines are only ever added. `undefined` when the container, or its previous run, has not started.
 */
export function containerLog(
  pod: Pod,
  container: Container,
  { now, previous }: { readonly now: Instant; readonly previous: boolean },
): ContainerLog | undefined {
  const run = runOf(statusOf(pod, container), previous);
  if (run === undefined) return undefined;
  const { behaviour } = readPodBehaviour(pod);
  const repeated = repeatedLines(behaviour, run, now);
  const lines = [...lifeLines(pod, container, { run, behaviour, previous }), ...repeated.lines];
  return {
    lines: lines.filter(({ at }) => at <= now).toSorted((a, b) => a.at - b.at),
    nextAt: run.finishedAt === undefined ? repeated.nextAt : undefined,
    ended: run.finishedAt !== undefined,
  };
}

function runOf(status: ContainerStatus | undefined, previous: boolean): Run | undefined {
  const { running, terminated } = (previous ? status?.lastState : status?.state) ?? {};
  if (terminated !== undefined) return finishedRun(terminated);
  const startedAt = parseTime(running?.startedAt);
  return startedAt === undefined ? undefined : { startedAt };
}

function finishedRun(state: ContainerStateTerminated): Run | undefined {
  const startedAt = parseTime(state.startedAt);
  if (startedAt === undefined) return undefined;
  return { startedAt, finishedAt: parseTime(state.finishedAt) ?? startedAt, exitCode: state.exitCode };
}

interface Life {
  readonly run: Run;
  readonly behaviour: PodBehaviour;
  readonly previous: boolean;
}

/** Returns the lines about what happens to a container, as it would log them. */
function lifeLines(pod: Pod, { name, image = "" }: Container, life: Life): readonly LogLine[] {
  const { run, behaviour } = life;
  const { startedAt, finishedAt, exitCode } = run;
  const said = behaviour.logIntervalMs === undefined ? behaviour.logLines : [];
  return [
    { key: "started", at: startedAt, text: `trimtab: container ${name} started (simulated), image ${image}` },
    ...said.map((text, index) => ({ key: `said ${index}`, at: startedAt, text })),
    ...(life.previous ? [] : readyLine(pod, name, life)),
    ...(life.previous ? [] : signalLine(pod, name, life)),
    ...(finishedAt !== undefined && exitCode !== undefined ? exitLine(name, exitCode, finishedAt) : []),
  ];
}

const killedExitCode = 137;

/** Returns the last line of a container; a killed container has no time to write one. */
function exitLine(name: string, exitCode: number, at: Instant): readonly LogLine[] {
  if (exitCode === killedExitCode) return [];
  const how = exitCode === 0 ? "exits" : `crashes and exits with code ${exitCode}`;
  return [{ key: "exited", at, text: `trimtab: container ${name} ${how}` }];
}

function readyLine(pod: Pod, name: string, { run, behaviour }: Life): readonly LogLine[] {
  if (behaviour.neverReady || !isServing(pod, name)) return [];
  const at = run.startedAt + readyAfterMs({ pod, behaviour });
  const end = run.finishedAt ?? deletionBeganAt(pod) ?? Number.POSITIVE_INFINITY;
  // Status times are whole seconds: a container may have become ready in the second in which it ends.
  if (!isReady(pod) && at > end) return [];
  return [{ key: "ready", at: Math.min(at, end), text: `trimtab: container ${name} is ready` }];
}

/** Reports whether a container becomes ready: not before its Pod, and never an init container. */
function isServing(pod: Pod, name: string): boolean {
  const isMain = pod.spec.containers.some((container) => container.name === name);
  return isMain && (isReady(pod) || isBeingDeleted(pod));
}

function signalLine(pod: Pod, name: string, { run, behaviour }: Life): readonly LogLine[] {
  const at = deletionBeganAt(pod);
  if (at === undefined || (run.finishedAt !== undefined && at > run.finishedAt)) return [];
  const answer = behaviour.ignoreSigterm || behaviour.stuckTerminating ? "ignores it" : "shuts down";
  return [{ key: "signalled", at, text: `trimtab: container ${name} received SIGTERM and ${answer}` }];
}

/** Returns the lines that a Pod's annotations repeat; only the newest of them are kept. */
function repeatedLines(
  { logLines, logIntervalMs }: PodBehaviour,
  { startedAt, finishedAt }: Run,
  now: Instant,
): { readonly lines: readonly LogLine[]; readonly nextAt: Instant | undefined } {
  if (logIntervalMs === undefined || logLines.length === 0) return { lines: [], nextAt: undefined };
  const end = Math.min(finishedAt ?? now, now);
  const count = Math.max(0, Math.floor((end - startedAt) / logIntervalMs));
  const first = Math.max(1, count - maxRepeatedLines + 1);
  const lines: LogLine[] = [];
  for (let number = first; number <= count; number++)
    lines.push({
      key: `said ${number}`,
      at: startedAt + number * logIntervalMs,
      text: logLines[(number - 1) % logLines.length] ?? "",
    });
  return { lines, nextAt: startedAt + (count + 1) * logIntervalMs };
}
