import type {
  Container,
  ContainerState,
  ContainerStatus,
  Pod,
  PodStatus,
} from "../../api/generated/core-v1.ts";
import { formatTime } from "../../api/time.ts";
import type { StagedPod } from "./staged-pod.ts";

/** The container statuses a kubelet reports in a stage. */
export function containerStatuses(
  view: StagedPod,
  started: boolean,
): Pick<PodStatus, "containerStatuses" | "initContainerStatuses" | "ephemeralContainerStatuses"> {
  const { ephemeralContainers = [] } = view.pod.spec;
  return {
    ...initStatuses(view, started),
    ...(started &&
      ephemeralContainers.length > 0 && {
        ephemeralContainerStatuses: ephemeralContainers.map((container) => containerStatus(container, view)),
      }),
    containerStatuses: view.pod.spec.containers.map((container) => containerStatus(container, view)),
  };
}

/** Whether a Pod has got ephemeral containers that its status does not have yet. */
export function hasNewEphemeralContainers({ spec, status }: Pod): boolean {
  const reported = status?.ephemeralContainerStatuses ?? [];
  return (spec.ephemeralContainers ?? []).some(
    (container) => !reported.some(({ name }) => name === container.name),
  );
}

/** Init containers are completed once the Pod runs; sidecars among them keep running. */
function initStatuses(view: StagedPod, started: boolean): Pick<PodStatus, "initContainerStatuses"> {
  const { pod, now } = view;
  if ((pod.spec.initContainers ?? []).length === 0) return {};
  return {
    initContainerStatuses: (pod.spec.initContainers ?? []).map((container) => {
      if (container.restartPolicy === "Always") return containerStatus(container, view);
      const at = formatTime(now);
      const done: ContainerState = {
        terminated: { exitCode: 0, reason: "Completed", startedAt: at, finishedAt: at },
      };
      return {
        ...identity(container, view),
        ready: started,
        started: false,
        state: started ? done : waiting("PodInitializing"),
      };
    }),
  };
}

function containerStatus(container: Container, view: StagedPod): ContainerStatus {
  const { pod, stage, now } = view;
  const base = identity(container, view);
  switch (stage.name) {
    case "admitted":
      return { ...base, ready: false, started: false, state: waiting("ContainerCreating") };
    case "image-back-off":
      return {
        ...base,
        ready: false,
        started: false,
        state:
          stage.attempt === 1
            ? waiting("ErrImagePull", stage.message)
            : waiting("ImagePullBackOff", `Back-off pulling image "${container.image ?? ""}"`),
      };
    case "running":
    case "ready":
    case "terminating":
      return {
        ...base,
        ready: stage.name === "ready",
        started: true,
        state: { running: { startedAt: startedAt(pod, container) ?? formatTime(now) } },
      };
    case "ended":
      return {
        ...base,
        ready: false,
        started: false,
        state: { terminated: terminated(view, container, stage.killed) },
      };
  }
}

function terminated({ pod, now }: StagedPod, container: Container, killed: boolean) {
  const began = startedAt(pod, container) ?? formatTime(now);
  return {
    exitCode: killed ? 137 : 0,
    reason: killed ? "Error" : "Completed",
    startedAt: began,
    finishedAt: formatTime(now),
  };
}

function identity(container: Container, { pod, stage }: StagedPod) {
  const image = container.image ?? "";
  const known = stage.name === "admitted" || stage.name === "image-back-off" ? "" : `${image}@simulated`;
  return {
    name: container.name,
    image,
    imageID: known,
    ...(known === "" ? {} : { containerID: `sim://${pod.metadata.uid}/${container.name}` }),
    restartCount: statusOf(pod, container)?.restartCount ?? 0,
  };
}

function startedAt(pod: Pod, container: Container): string | undefined {
  return statusOf(pod, container)?.state?.running?.startedAt;
}

function statusOf(pod: Pod, container: Container): ContainerStatus | undefined {
  const {
    containerStatuses: own = [],
    initContainerStatuses = [],
    ephemeralContainerStatuses = [],
  } = pod.status ?? {};
  const statuses = [...own, ...initContainerStatuses, ...ephemeralContainerStatuses];
  return statuses.find((status) => status.name === container.name);
}

function waiting(reason: string, message?: string): ContainerState {
  return { waiting: message === undefined ? { reason } : { reason, message } };
}
