import type { Pod } from "../../api/generated/core-v1.ts";
import { isBeingDeleted } from "../../api/object.ts";
import { isReady, isTerminal } from "../../api/pod-state.ts";
import { type Instant, parseTime } from "../../api/time.ts";
import { type Backoff, exponentialBackoffMs } from "../../machinery/exponential-backoff.ts";
import { pullImage } from "./pull-image.ts";
import type { PodBehaviour } from "./pod-behaviour.ts";

/**
 * The stage of a Pod on its node. Stages that end by themselves say when (`until`, in elapsed time); the others wait
 * for a change.
 *
 *   admitted ──▶ running ──▶ ready ──▶ terminating ──▶ ended ──▶ removed
 *       └─▶ image-back-off ─┘ (again and again)
 */
export type PodStage =
  | { readonly name: "admitted"; readonly until: Instant }
  | {
      readonly name: "image-back-off";
      readonly until: Instant;
      readonly attempt: number;
      readonly message: string;
    }
  | { readonly name: "running"; readonly until: Instant | undefined }
  | { readonly name: "ready" }
  | {
      readonly name: "terminating";
      readonly until: Instant | undefined;
      readonly killed: boolean;
      /** The deletion timestamp that `until` was computed from. */
      readonly deletionTimestamp: string | undefined;
    }
  | { readonly name: "ended"; readonly until: Instant; readonly killed: boolean }
  | { readonly name: "removed" };

/** The input of a step. */
export interface StepInput {
  readonly pod: Pod;
  readonly behaviour: PodBehaviour;
  /** Elapsed time, which setting the clock does not change. */
  readonly now: Instant;
  /** What the clock says, in which deletion timestamps are; absent: the same. */
  readonly wallNow?: Instant;
}

/** Terminal Pods stay visible for a moment, as they do while a real kubelet unmounts volumes. */
const removalDelayMs = 50;
// upstream: kubelet, MaxContainerBackOff and its base
const imagePullBackoff: Backoff = { initialMs: 10_000, maxMs: 300_000 };

/** The stage after this instant; the same stage, by identity, when nothing changes. */
export function step(stage: PodStage | undefined, input: StepInput): PodStage {
  if (stage === undefined) return enter(input);
  if (isBeingDeleted(input.pod) && !isEnding(stage)) return beginTermination(input);
  const { now } = input;
  switch (stage.name) {
    case "admitted":
      return now >= stage.until ? start(input, 0) : stage;
    case "image-back-off":
      return now >= stage.until ? start(input, stage.attempt) : stage;
    case "running":
      return stage.until !== undefined && now >= stage.until ? { name: "ready" } : stage;
    case "terminating":
      return continueTermination(stage, input);
    case "ended":
      return now >= stage.until ? { name: "removed" } : stage;
    case "ready":
    case "removed":
      return stage;
  }
}

/** When a stage has to be stepped again if the Pod does not change before. */
export function requeueAt(stage: PodStage): Instant | undefined {
  return "until" in stage ? stage.until : undefined;
}

/** The first stage of a Pod: new on its node, or already running when the kubelet was restarted. */
function enter(input: StepInput): PodStage {
  const { pod, now } = input;
  if (isBeingDeleted(pod)) {
    return isTerminal(pod)
      ? { name: "ended", until: now + removalDelayMs, killed: false }
      : beginTermination(input);
  }
  if (isReady(pod)) return { name: "ready" };
  if (pod.status?.phase === "Running") return run(input);
  return { name: "admitted", until: now + input.behaviour.startDelayMs };
}

function start(input: StepInput, failedAttempts: number): PodStage {
  const failed = (input.pod.spec.containers ?? [])
    .map((container) => pullImage(container.image ?? "", input.behaviour.imagePull))
    .find((pull) => !pull.ok);
  if (failed === undefined || failed.ok) return run(input);
  const delayMs = exponentialBackoffMs(imagePullBackoff, failedAttempts);
  const attempt = failedAttempts + 1;
  return { name: "image-back-off", until: input.now + delayMs, attempt, message: failed.message };
}

function run(input: StepInput): PodStage {
  const { behaviour, now } = input;
  return {
    name: "running",
    until: behaviour.neverReady ? undefined : now + readyAfterMs(input),
  };
}

/** How long a Pod runs before it is ready. */
export function readyAfterMs({ pod, behaviour }: Pick<StepInput, "pod" | "behaviour">): number {
  return behaviour.readyDelayMs + probeDelayMs(pod);
}

/** Probes are not executed: the slowest readiness probe succeeds as early as possible. */
function probeDelayMs(pod: Pod): number {
  const delays = (pod.spec.containers ?? []).map(({ readinessProbe: probe }) => {
    if (probe === undefined) return 0;
    return (
      (probe.initialDelaySeconds ?? 0) + ((probe.successThreshold ?? 1) - 1) * (probe.periodSeconds ?? 10)
    );
  });
  return Math.max(0, ...delays) * 1000;
}

function beginTermination(input: StepInput): PodStage {
  const { pod, behaviour, now } = input;
  const { deletionTimestamp } = pod.metadata;
  if (behaviour.stuckTerminating)
    return { name: "terminating", until: undefined, killed: false, deletionTimestamp };
  const killAt = now + graceLeftMs(input);
  const gracefulEnd = now + behaviour.terminationDelayMs;
  const killed = behaviour.ignoreSigterm || gracefulEnd > killAt;
  return { name: "terminating", until: killed ? killAt : gracefulEnd, killed, deletionTimestamp };
}

/** How much is left of the grace period: never more than all of it, wherever the clock was set to since the delete. */
function graceLeftMs({ pod, now, wallNow = now }: StepInput): number {
  const { deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata;
  const leftMs = (parseTime(deletionTimestamp) ?? wallNow) - wallNow;
  return Math.min(Math.max(leftMs, 0), (deletionGracePeriodSeconds ?? Number.POSITIVE_INFINITY) * 1000);
}

/** A second delete may shorten the grace period; it never extends it. */
function continueTermination(stage: PodStage & { readonly name: "terminating" }, input: StepInput): PodStage {
  const { pod, now } = input;
  const { until } = stage;
  if (until === undefined) return stage;
  const { deletionTimestamp } = pod.metadata;
  // The same timestamp is not read again: the clock may have been set since.
  const killAt = deletionTimestamp === stage.deletionTimestamp ? until : now + graceLeftMs(input);
  const isShortened = killAt < until;
  if (now >= Math.min(until, killAt))
    return { name: "ended", until: now + removalDelayMs, killed: stage.killed || isShortened };
  return isShortened ? { ...stage, until: killAt, killed: true, deletionTimestamp } : stage;
}

function isEnding(stage: PodStage): boolean {
  return stage.name === "terminating" || stage.name === "ended" || stage.name === "removed";
}
