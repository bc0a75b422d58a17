import { isSidecar } from "../../../decisions/placement/objects/pod-request.ts";
import { exponentialBackoffMs } from "../../../machinery/exponential-backoff.ts";
import { containerBackoff, exitWith, isRestarted } from "./container-exit.ts";
import type { PodStage, StageOf, StepInput } from "./pod-stage.ts";

/** Returns the stage in which the init containers run, beginning with this index; `undefined` when all are done. */
export function initialize({ pod, behaviour, now }: StepInput, index: number): PodStage | undefined {
  if (index >= (pod.spec.initContainers ?? []).length) return undefined;
  return { name: "initializing", index, since: now, restarts: 0, until: now + behaviour.initDelayMs };
}

/**
 * Init containers run one after the other; a sidecar among them runs on, and the next starts when it has started.
 * `undefined` when all are done.
 */
export function stepInitialization(
  stage: StageOf<"initializing" | "init-back-off">,
  input: StepInput,
): PodStage | undefined {
  const { pod, behaviour, now } = input;
  if (now < stage.until) return stage;
  const { index, restarts } = stage;
  if (stage.name === "init-back-off")
    return { name: "initializing", index, since: now, restarts, until: now + behaviour.initDelayMs };
  const container = pod.spec.initContainers?.[index];
  const exitCode = container === undefined || isSidecar(container) ? 0 : behaviour.initExitCode;
  if (exitCode === 0) return initialize(input, index + 1);
  const exit = exitWith(exitCode);
  // A Pod that restarts its containers restarts its init containers too, but only if they failed.
  if (!isRestarted(pod, exit)) return { name: "exited", exit, restarts: 0, initIndex: index };
  const delayMs = exponentialBackoffMs(containerBackoff, restarts);
  return { name: "init-back-off", index, restarts: restarts + 1, until: now + delayMs, delayMs, exit };
}
