import type { Pod } from "../../api/generated/core-v1.ts";
import { isReady, isTerminal } from "../../api/pod-state.ts";
import { type Instant, parseTime } from "../../api/time.ts";
import { type Backoff, exponentialBackoffMs } from "../../machinery/exponential-backoff.ts";
import { pullImage } from "./pull-image.ts";
import type { PodBehaviour } from "./pod-behaviour.ts";

/**
 * Where a Pod is on its node. States that pass by themselves say when (`until`); the others wait for a change.
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
  | { readonly name: "terminating"; readonly until: Instant | undefined; readonly killed: boolean }
  | { readonly name: "ended"; readonly until: Instant; readonly killed: boolean }
  | { readonly name: "removed" };

/** What a step sees. */
export interface StepInput {
  readonly pod: Pod;
  readonly behaviour: PodBehaviour;
  readonly now: Instant;
}

/** Terminal Pods stay visible for a moment, as they do while a real kubelet unmounts and tidies up. */
const removalDelayMs = 50;
// upstream: kubelet, MaxContainerBackOff and its base
const imagePullBackoff: Backoff = { initialMs: 10_000, maxMs: 300_000 };

/** One move of the machine: the stage after this moment. The same stage (by identity) means nothing happens. */
export function step(stage: PodStage | undefined, sight: StepInput): PodStage {
  if (stage === undefined) return enter(sight);
  if (isBeingDeleted(sight.pod) && !isEnding(stage)) return beginTermination(sight);
  const { now } = sight;
  switch (stage.name) {
    case "admitted":
      return now >= stage.until ? start(sight, 0) : stage;
    case "image-back-off":
      return now >= stage.until ? start(sight, stage.attempt) : stage;
    case "running":
      return stage.until !== undefined && now >= stage.until ? { name: "ready" } : stage;
    case "terminating":
      return continueTermination(stage, sight);
    case "ended":
      return now >= stage.until ? { name: "removed" } : stage;
    case "ready":
    case "removed":
      return stage;
  }
}

/** When a stage wants to be looked at again, if nothing changes before. */
export function wakeAt(stage: PodStage): Instant | undefined {
  return "until" in stage ? stage.until : undefined;
}

/** The stage of a Pod not seen before: new on its node, or found half-way after a restart. */
function enter(sight: StepInput): PodStage {
  const { pod, now } = sight;
  if (isBeingDeleted(pod)) {
    return isTerminal(pod)
      ? { name: "ended", until: now + removalDelayMs, killed: false }
      : beginTermination(sight);
  }
  if (isReady(pod)) return { name: "ready" };
  if (pod.status?.phase === "Running") return run(sight);
  return { name: "admitted", until: now + sight.behaviour.startDelayMs };
}

function start(sight: StepInput, failedAttempts: number): PodStage {
  const failed = (sight.pod.spec.containers ?? [])
    .map((container) => pullImage(container.image ?? "", sight.behaviour.imagePull))
    .find((pull) => !pull.ok);
  if (failed === undefined || failed.ok) return run(sight);
  const delayMs = exponentialBackoffMs(imagePullBackoff, failedAttempts);
  const attempt = failedAttempts + 1;
  return { name: "image-back-off", until: sight.now + delayMs, attempt, message: failed.message };
}

function run(sight: StepInput): PodStage {
  const { behaviour, now } = sight;
  return {
    name: "running",
    until: behaviour.neverReady ? undefined : now + behaviour.readyDelayMs + probeDelayMs(sight.pod),
  };
}

/** Probes are not executed: the slowest readiness probe succeeds as early as it could. */
function probeDelayMs(pod: Pod): number {
  const delays = (pod.spec.containers ?? []).map(({ readinessProbe: probe }) => {
    if (probe === undefined) return 0;
    return (
      (probe.initialDelaySeconds ?? 0) + ((probe.successThreshold ?? 1) - 1) * (probe.periodSeconds ?? 10)
    );
  });
  return Math.max(0, ...delays) * 1000;
}

function beginTermination({ pod, behaviour, now }: StepInput): PodStage {
  if (behaviour.stuckTerminating) return { name: "terminating", until: undefined, killed: false };
  const killAt = parseTime(pod.metadata.deletionTimestamp) ?? now;
  const gracefulEnd = now + behaviour.terminationDelayMs;
  const killed = behaviour.ignoreSigterm || gracefulEnd > killAt;
  return { name: "terminating", until: Math.max(now, killed ? killAt : gracefulEnd), killed };
}

/** A second delete may have brought the end forward; it never puts it off. */
function continueTermination(stage: PodStage & { readonly name: "terminating" }, sight: StepInput): PodStage {
  const { pod, now } = sight;
  if (stage.until === undefined) return stage;
  const killAt = parseTime(pod.metadata.deletionTimestamp) ?? stage.until;
  if (now >= Math.min(stage.until, killAt)) {
    return { name: "ended", until: now + removalDelayMs, killed: stage.killed || killAt < stage.until };
  }
  return killAt < stage.until ? { ...stage, until: killAt, killed: true } : stage;
}

function isBeingDeleted(pod: Pod): boolean {
  return parseTime(pod.metadata.deletionTimestamp) !== undefined;
}

function isEnding(stage: PodStage): boolean {
  return stage.name === "terminating" || stage.name === "ended" || stage.name === "removed";
}
