import type { Container, ContainerStatus } from "../../../api/generated/core-v1.ts";
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
import { killed } from "../lifecycle/container-exit.ts";
import { isSidecar } from "../../../decisions/placement/objects/pod-request.ts";
import { initIndexOf } from "../lifecycle/pod-stage.ts";
import type { StagedPod } from "./staged-pod.ts";

const completed = { exitCode: 0, reason: "Completed" };

/** Returns the statuses of the init containers: they run one after the other, and sidecars among them keep running. */
export function initStatuses(view: StagedPod): readonly ContainerStatus[] {
  const { initContainers = [] } = view.pod.spec;
  const current = initIndexOf(view.stage, initContainers.length);
  return initContainers.map((container, index) => {
    if (index > current) return down(container, view);
    if (index < current) return isSidecar(container) ? sidecar(container, view) : done(container, view);
    return running(container, view);
  });
}

/** Returns the status of the init container whose turn it is. */
function running(container: Container, view: StagedPod): ContainerStatus {
  const { pod, stage } = view;
  const base = down(container, view);
  if (stage.name === "exited")
    return { ...base, state: { terminated: terminated(container, view, stage.exit) } };
  if (stage.name === "failed")
    return {
      ...base,
      state: { terminated: crashWaitedFor(statusOf(pod, container)) ?? terminated(container, view, killed) },
    };
  if (stage.name !== "init-back-off") return { ...base, started: true, state: runningState(container, view) };
  const lastState = { terminated: lastExit(container, view, stage) };
  const state = waiting(crashLoop(container, pod, stage.delayMs));
  // A restarted kubelet counts from zero, and the status must never decrease.
  return { ...base, restartCount: Math.max(base.restartCount, stage.restarts), state, lastState };
}

/** Returns the status of a sidecar, which runs as long as its Pod and ends with it. */
function sidecar(container: Container, view: StagedPod): ContainerStatus {
  const { stage } = view;
  const hasEnded = stage.name === "ended" || stage.name === "exited" || stage.name === "failed";
  if (hasEnded)
    return { ...down(container, view), state: { terminated: terminated(container, view, completed) } };
  return { ...down(container, view), ready: true, started: true, state: runningState(container, view) };
}

/** Returns the status of an init container that has ended, which keeps its exit. */
function done(container: Container, view: StagedPod): ContainerStatus {
  const { terminated: ended } = statusOf(view.pod, container)?.state ?? {};
  const state = { terminated: ended ?? terminated(container, view, completed) };
  return { ...down(container, view), ready: true, state };
}

function down(container: Container, view: StagedPod): ContainerStatus {
  const { stage } = view;
  const base = { ...identity(container, view), restartCount: restartsOf(container, view) };
  const state =
    stage.name === "image-back-off" && stage.image === (container.image ?? "")
      ? waiting(imageProblem(stage))
      : waiting({ reason: "PodInitializing" });
  return { ...base, ready: false, started: false, state };
}

/** Returns the restarts of an init container, without those of the main containers. */
function restartsOf(container: Container, { pod }: StagedPod): number {
  return statusOf(pod, container)?.restartCount ?? 0;
}
