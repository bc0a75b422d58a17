import type { ContainerStateTerminated, Pod } from "../../../api/generated/core-v1.ts";
import { isBeingDeleted } from "../../../api/object.ts";
import { isReady, isTerminal, readySince } from "../../../api/pod-state.ts";
import { type Instant, parseTime } from "../../../api/time.ts";
import { exponentialBackoffMs } from "../../../machinery/exponential-backoff.ts";
import { pastDeadline } from "./active-deadline.ts";
import { containerBackoff, exitOf, isRestarted, plannedExit } from "./container-exit.ts";
import { crashWaitedFor } from "./container-state.ts";
import { changedContainers, imagesOf, reportedRestarts, startedImages } from "./image-change.ts";
import { initialize, stepInitialization } from "./initialization.ts";
import type { PodBehaviour } from "../behaviour/pod-behaviour.ts";
import {
  type ContainerExit,
  elapsedAt,
  type PodStage,
  progressIn,
  type Run,
  type StageOf,
  type StepInput,
} from "./pod-stage.ts";
import { pullImage } from "./pull-image.ts";
import { beginTermination, continueTermination, endedBy } from "./termination.ts";

/** A run of this length resets the back-off. */
const healthyRunMs = 2 * containerBackoff.maxMs;

/** Returns the stage after this instant; the identical stage when nothing changes. */
export function stepPod(stage: PodStage | undefined, input: StepInput): PodStage {
  if (stage === undefined) return enter(input);
  const interrupted = interruption(stage, input);
  if (interrupted !== undefined) return interrupted;
  switch (stage.name) {
    case "image-back-off":
    case "crash-back-off":
      return input.now < stage.until && !hasOtherImage(stage, input) ? stage : afterWaiting(stage, input);
    case "admitted":
    case "ended":
      return input.now < stage.until ? stage : afterWaiting(stage, input);
    case "initializing":
    case "init-back-off":
      return stepInitialization(stage, input) ?? firstRun(input);
    case "running":
    case "ready":
      return continueRun(stage, input);
    case "terminating":
      return continueTermination(stage, input);
    case "exited":
    case "failed":
    case "removed":
      return stage;
  }
}

/**
 * Returns the stage of a Pod whose present stage is interrupted: by a delete, the shutdown of its node, or its
 * deadline.
 */
function interruption(stage: PodStage, input: StepInput): PodStage | undefined {
  if (isEnding(stage)) return undefined;
  if (isBeingDeleted(input.pod)) return terminate(input);
  if (isOver(stage)) return undefined;
  return input.behaviour.nodeShutdown ? shutDown(stage) : pastDeadline(stage, input);
}

function afterWaiting(
  stage: StageOf<"admitted" | "image-back-off" | "crash-back-off" | "ended">,
  input: StepInput,
): PodStage {
  switch (stage.name) {
    case "admitted":
      return start(input, 0);
    case "image-back-off":
      return start(input, hasOtherImage(stage, input) ? 0 : stage.attempt, stage.run);
    case "crash-back-off":
      return hasOtherImage(stage, input)
        ? start(input, 0, { ...stage, since: input.now })
        : run(input, { ...stage, since: input.now });
    case "ended":
      return { name: "removed" };
  }
}

/** Reports whether a Pod has another image than the one it waits for: then nothing is waited for any more. */
function hasOtherImage(stage: StageOf<"image-back-off" | "crash-back-off">, { pod }: StepInput): boolean {
  if (stage.name === "crash-back-off") return changedContainers(pod, stage).length > 0;
  const { containers, initContainers = [] } = pod.spec;
  return [...initContainers, ...containers].every(({ image = "" }) => image !== stage.image);
}

/** Returns the first stage of a Pod: it is new on its node, or was running before the kubelet was restarted. */
function enter(input: StepInput): PodStage {
  const { pod, now, behaviour } = input;
  if (isBeingDeleted(pod)) return terminate(input);
  if (pod.status?.phase === "Running" || isReady(pod)) return resume(input);
  if (behaviour.rejection !== undefined) return { name: "failed", ...behaviour.rejection, ran: false };
  return { name: "admitted", until: now + behaviour.startDelayMs };
}

/** Returns the stage of a Pod that is being deleted; one that has ended has no containers to wait for. */
function terminate(input: StepInput): PodStage {
  return isTerminal(input.pod) ? endedBy(false, input) : beginTermination(input);
}

/** Returns the stage of a Pod whose containers started before the kubelet did. */
function resume(input: StepInput): PodStage {
  const { pod } = input;
  const [main] = pod.status?.containerStatuses ?? [];
  const restarts = main?.restartCount ?? 0;
  const crash = crashWaitedFor(main);
  if (crash !== undefined) return backOffFromCrash(crash, restarts, input);
  const since = elapsedAt(parseTime(main?.state?.running?.startedAt), input);
  const found: Run = { since, restarts, backOffs: restarts, images: startedImages(pod) };
  if (!isReady(pod)) return run(input, found);
  const readyStage = { name: "ready", until: undefined, run: found } as const;
  return withUntil({ ...readyStage, since: elapsedAt(readySince(pod), input) }, input);
}

/** Pulls the images; then the init containers and the first run follow, or another run of the containers. */
function start(input: StepInput, failedAttempts: number, restarted?: Run): PodStage {
  const { containers, initContainers = [] } = input.pod.spec;
  for (const { image = "" } of [...initContainers, ...containers]) {
    const pull = pullImage(image, input.behaviour.imagePull);
    if (pull.ok) continue;
    const until = input.now + exponentialBackoffMs(containerBackoff, failedAttempts);
    const failed = { attempt: failedAttempts + 1, image, message: pull.message };
    return { name: "image-back-off", until, ...failed, ...(restarted && { run: restarted }) };
  }
  if (restarted !== undefined) return run(input, { ...restarted, since: input.now });
  return initialize(input, 0) ?? firstRun(input);
}

/** Returns the stage of the first run of the main containers. */
function firstRun(input: StepInput): PodStage {
  return run(input, { since: input.now, restarts: 0, backOffs: 0 });
}

function run(input: StepInput, { since, restarts, backOffs }: Run): PodStage {
  const started = { since, restarts, backOffs, images: imagesOf(input.pod) };
  return withUntil({ name: "running", until: undefined, run: started, since, wasReady: false }, input);
}

/** Returns the next stage of a run: checks, in this order, what can end the run or its readiness. */
function continueRun(stage: StageOf<"running" | "ready">, input: StepInput): PodStage {
  const { pod, behaviour, now } = input;
  if (changedContainers(pod, stage.run).length > 0) return start(input, 0, stage.run);
  if (now >= evictionAt(stage.run, behaviour)) return evicted;
  const exit = plannedExit(pod, behaviour, stage.run);
  if (exit !== undefined && now >= exit.at) return endRun(stage.run, exit.exit, input);
  if (now < changesReadinessAt(stage, input)) return withUntil(stage, input);
  const { run } = stage;
  return withUntil(
    stage.name === "ready"
      ? { name: "running", until: undefined, run, since: now, wasReady: true }
      : { name: "ready", until: undefined, run, since: now },
    input,
  );
}

/** Returns the stage with the instant of its next step; the identical stage if that does not change. */
function withUntil<S extends StageOf<"running" | "ready">>(stage: S, input: StepInput): S {
  const at = Math.min(
    evictionAt(stage.run, input.behaviour),
    plannedExit(input.pod, input.behaviour, stage.run)?.at ?? Number.POSITIVE_INFINITY,
    changesReadinessAt(stage, input),
  );
  const until = Number.isFinite(at) ? at : undefined;
  return until === stage.until ? stage : { ...stage, until };
}

/** Returns when a running Pod becomes ready, or stops being so; infinite: never. */
function changesReadinessAt(stage: StageOf<"running" | "ready">, input: StepInput): Instant {
  const { neverReady, readyFlapMs } = input.behaviour;
  if (stage.name === "ready")
    return neverReady ? stage.since : stage.since + (readyFlapMs ?? Number.POSITIVE_INFINITY);
  if (neverReady) return Number.POSITIVE_INFINITY;
  return stage.since + (stage.wasReady ? (readyFlapMs ?? 0) : readyAfterMs(input));
}

function evictionAt({ since }: Run, { evictAfterMs = Number.POSITIVE_INFINITY }: PodBehaviour): Instant {
  return since + evictAfterMs;
}

function shutDown(stage: PodStage): PodStage {
  const message = "Pod was terminated in response to imminent node shutdown.";
  return { name: "failed", reason: "Terminated", message, ...progressIn(stage) };
}

const evicted: PodStage = {
  name: "failed",
  reason: "Evicted",
  message: "The node was low on resource: memory.",
  ran: true,
};

/** Ends a run whose containers exited: they are restarted after a back-off, or the Pod is over. */
function endRun(ended: Run, exit: ContainerExit, input: StepInput): PodStage {
  const { since, backOffs, images } = ended;
  // A container that was started with another image reports more restarts than its Pod had runs.
  const restarts = Math.max(ended.restarts, reportedRestarts(input.pod));
  if (!isRestarted(input.pod, exit)) return { name: "exited", exit, restarts };
  const inARow = input.now - since >= healthyRunMs ? 0 : backOffs;
  const delayMs = exponentialBackoffMs(containerBackoff, inARow);
  return {
    name: "crash-back-off",
    until: input.now + delayMs,
    restarts: restarts + 1,
    backOffs: inARow + 1,
    delayMs,
    exit,
    ...(images !== undefined && { images }),
  };
}

/**
 * Returns the back-off of a Pod that the kubelet found in one. It begins anew, since its start is known only to the
 * second.
 */
function backOffFromCrash(
  crash: ContainerStateTerminated,
  restarts: number,
  { pod, now }: StepInput,
): PodStage {
  const delayMs = exponentialBackoffMs(containerBackoff, Math.max(0, restarts - 1));
  const [exit, images] = [exitOf(crash), startedImages(pod)];
  return {
    name: "crash-back-off",
    until: now + delayMs,
    restarts,
    backOffs: restarts,
    delayMs,
    exit,
    images,
  };
}

/** Returns how long a Pod runs before it is ready. */
export function readyAfterMs({ pod, behaviour }: Pick<StepInput, "pod" | "behaviour">): number {
  return behaviour.readyDelayMs + probeDelayMs(pod);
}

/** Returns the delay of the slowest readiness probe. Probes are not executed; each succeeds as early as possible. */
function probeDelayMs(pod: Pod): number {
  const delays = (pod.spec.containers ?? []).map(({ readinessProbe: probe }) => {
    if (probe === undefined) return 0;
    return (
      (probe.initialDelaySeconds ?? 0) + ((probe.successThreshold ?? 1) - 1) * (probe.periodSeconds ?? 10)
    );
  });
  return Math.max(0, ...delays) * 1000;
}

function isOver(stage: PodStage): boolean {
  return stage.name === "exited" || stage.name === "failed";
}

function isEnding(stage: PodStage): boolean {
  return stage.name === "terminating" || stage.name === "ended" || stage.name === "removed";
}
