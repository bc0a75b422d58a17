import { isSidecar } from "../../../decisions/placement/objects/pod-request.ts";
import { exponentialBackoffMs } from "../../../machinery/exponential-backoff.ts";
import { type CommandRun, containerCommandRun } from "../behaviour/command-run.ts";
import { containerBackoff, exitWith, isRestarted } from "./container-exit.ts";
import type { PodStage, StageOf, StepInput } from "./pod-stage.ts";

/** Returns the stage in which the init containers run, beginning with this index; `undefined` when all are done. */
export function initialize(input: StepInput, index: number): PodStage | undefined {
  if (index >= (input.pod.spec.initContainers ?? []).length) return undefined;
  return initializing(input, index, 0);
}

function initializing(input: StepInput, index: number, restarts: number): StageOf<"initializing"> {
  const { now } = input;
  return { name: "initializing", index, since: now, restarts, until: now + initRun(input, index).afterMs };
}

/** How long an init container runs, unless its Pod or its command line says otherwise. */
const defaultInitMs = 100;
const started: CommandRun = { afterMs: defaultInitMs, exitCode: 0 };

/** Returns how long an init container runs and how it exits; the next one waits only for the start of a sidecar. */
function initRun({ pod, behaviour }: StepInput, index: number): CommandRun {
  const container = pod.spec.initContainers?.[index];
  const isPassed = container === undefined || isSidecar(container);
  const run = (isPassed ? undefined : containerCommandRun(container)) ?? started;
  return {
    afterMs: behaviour.initDelayMs ?? run.afterMs,
    exitCode: isPassed ? 0 : (behaviour.initExitCode ?? run.exitCode),
  };
}

/**
 * Init containers run one after the other; a sidecar among them runs on, and the next starts when it has started.
 * `undefined` when all are done.
 */
export function stepInitialization(
  stage: StageOf<"initializing" | "init-back-off">,
  input: StepInput,
): PodStage | undefined {
  const { pod, now } = input;
  if (now < stage.until) return stage;
  const { index, restarts } = stage;
  if (stage.name === "init-back-off") return initializing(input, index, restarts);
  const { exitCode } = initRun(input, index);
  if (exitCode === 0) return initialize(input, index + 1);
  const exit = exitWith(exitCode);
  // A Pod that restarts its containers restarts its init containers too, but only if they failed.
  if (!isRestarted(pod, exit)) return { name: "exited", exit, restarts: 0, initIndex: index };
  const delayMs = exponentialBackoffMs(containerBackoff, restarts);
  return { name: "init-back-off", index, restarts: restarts + 1, until: now + delayMs, delayMs, exit };
}
