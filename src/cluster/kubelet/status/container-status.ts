import { extended } from "../../../api/extended.ts";
import { formatTime } from "../../../api/time.ts";
import { exitWith, killed } from "../lifecycle/container-exit.ts";
import type {
  Container,
  ContainerState,
  ContainerStatus,
  Pod,
  PodStatus,
} from "../../../api/generated/core-v1.ts";
import {
  crashLoop,
  crashWaitedFor,
  identity,
  imageProblem,
  lastExit,
  runningState,
  statusOf,
  terminated,
  waiting,
} from "../lifecycle/container-state.ts";
import { initStatuses } from "./init-container-status.ts";
import type { ContainerExit } from "../lifecycle/pod-stage.ts";
import type { StagedPod } from "./staged-pod.ts";

/** Returns the container statuses that a kubelet reports in a stage. */
export function containerStatuses(
  view: StagedPod,
  started: boolean,
): Pick<PodStatus, "containerStatuses" | "initContainerStatuses" | "ephemeralContainerStatuses"> {
  const { ephemeralContainers = [], initContainers = [] } = view.pod.spec;
  return {
    ...(initContainers.length > 0 && { initContainerStatuses: initStatuses(view) }),
    ...(started &&
      ephemeralContainers.length > 0 && {
        ephemeralContainerStatuses: ephemeralContainers.map((container) => containerStatus(container, view)),
      }),
    containerStatuses: view.pod.spec.containers.map((container) => containerStatus(container, view)),
  };
}

/** Reports whether a Pod has ephemeral containers that its status does not list yet. */
export function hasNewEphemeralContainers({ spec, status }: Pod): boolean {
  const reported = status?.ephemeralContainerStatuses ?? [];
  return (spec.ephemeralContainers ?? []).some(
    (container) => !reported.some(({ name }) => name === container.name),
  );
}

/** Returns the status of a main container, which follows the Pod's stage. */
function containerStatus(container: Container, view: StagedPod): ContainerStatus {
  const { stage } = view;
  const base = identity(container, view);
  const down = (more: Pick<ContainerStatus, "state" | "lastState">): ContainerStatus =>
    extended(base, { ready: false, started: false, ...more });
  switch (stage.name) {
    case "image-back-off":
      if (stage.run !== undefined && stage.image !== (container.image ?? ""))
        return extended(base, { ready: false, started: true, state: runningState(container, view) });
      return asReplaced(down({ state: waiting(waitingReason(container, view)) }), container, view);
    case "admitted":
    case "initializing":
    case "init-back-off":
      return down({ state: waiting(waitingReason(container, view)) });
    case "running":
    case "ready":
    case "terminating":
      return asReplaced(
        extended(base, {
          ready: stage.name === "ready",
          started: true,
          state: runningState(container, view),
        }),
        container,
        view,
      );
    case "crash-back-off": {
      const state = waiting(crashLoop(container, view.pod, stage.delayMs));
      return down({ state, lastState: { terminated: lastExit(container, view, stage) } });
    }
    case "exited":
      return stage.initIndex === undefined
        ? down({ state: { terminated: terminated(container, view, stage.exit) } })
        : down({ state: waiting({ reason: "PodInitializing" }) });
    case "failed":
      return stage.ran
        ? down({ state: endedState(container, view, killed) })
        : down({ state: waiting(waitingReason(container, view)) });
    case "ended":
      return down({ state: endedState(container, view, stage.exit) });
  }
}

/**
 * Adds to the status of a container what is new if it was told to end because it has another image: how its last run
 * ended, one more restart and, unless it waits for the image, its start.
 */
function asReplaced(status: ContainerStatus, container: Container, view: StagedPod): ContainerStatus {
  const { pod, stage, behaviour, now } = view;
  const stored = statusOf(pod, container);
  const isReplaced = stored?.state?.running !== undefined && stored.image !== status.image;
  if (!isReplaced || stage.name === "terminating") return status;
  return {
    ...status,
    restartCount: stored.restartCount + 1,
    lastState: { terminated: terminated(container, view, exitWith(behaviour.exitCodeOnTerm)) },
    ...(stage.name !== "image-back-off" && { state: { running: { startedAt: formatTime(now) } } }),
  };
}

function waitingReason({ image }: Container, { pod, stage }: StagedPod) {
  if (stage.name === "image-back-off" && stage.image === (image ?? "")) return imageProblem(stage);
  const hasInitContainers = (pod.spec.initContainers ?? []).length > 0;
  return { reason: hasInitContainers ? "PodInitializing" : "ContainerCreating" };
}

/** Returns how a container ended; a container that waited for a restart has not run since its crash. */
function endedState(container: Container, view: StagedPod, exit: ContainerExit): ContainerState {
  const crash = crashWaitedFor(statusOf(view.pod, container));
  return { terminated: crash ?? terminated(container, view, exit) };
}
