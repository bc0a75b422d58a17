import type {
  Container,
  ContainerState,
  ContainerStateTerminated,
  ContainerStatus,
  Pod,
} from "../../../api/generated/core-v1.ts";
import { formatDuration } from "../../../api/duration.ts";
import { formatTime } from "../../../api/time.ts";
import type { ContainerExit } from "./pod-stage.ts";
import type { StagedPod } from "../status/staged-pod.ts";

/** Returns why a container waits whose restart is delayed. */
export function crashLoop({ name }: Container, pod: Pod, delayMs: number) {
  const message = `back-off ${formatDuration(delayMs)} restarting failed container=${name} pod=${podReference(pod)}`;
  return { reason: "CrashLoopBackOff", message };
}

/** Name, namespace and UID as the kubelet writes them in messages. */
export function podReference({ metadata }: Pod): string {
  return `${metadata.name}_${metadata.namespace ?? ""}(${metadata.uid})`;
}

/** Returns why a container waits whose image cannot be pulled. */
export function imageProblem({
  attempt,
  image,
  message,
}: {
  attempt: number;
  image: string;
  message: string;
}) {
  return attempt === 1
    ? { reason: "ErrImagePull", message }
    : { reason: "ImagePullBackOff", message: `Back-off pulling image "${image}"` };
}

/** Returns the state of a running container, which keeps its start time until it is restarted. */
export function runningState(container: Container, view: StagedPod): ContainerState {
  return { running: { startedAt: startedAt(view.pod, container) ?? formatTime(view.now) } };
}

/** Returns the exit after which a container waits for its restart: the stored one if it is counted there already. */
export function lastExit(
  container: Container,
  view: StagedPod,
  { exit, restarts }: { readonly exit: ContainerExit; readonly restarts: number },
): ContainerStateTerminated {
  const { lastState, restartCount } = statusOf(view.pod, container) ?? {};
  const stored = restartCount === restarts ? lastState?.terminated : undefined;
  return stored ?? terminated(container, view, exit);
}

/** Returns the crash of a container that waits to be restarted. */
export function crashWaitedFor(status: ContainerStatus | undefined): ContainerStateTerminated | undefined {
  return status?.state?.waiting === undefined ? undefined : status.lastState?.terminated;
}

/** Returns the state of a container that ends now. */
export function terminated(
  container: Container,
  { pod, now }: StagedPod,
  { exitCode, reason }: ContainerExit,
): ContainerStateTerminated {
  const at = formatTime(now);
  const began = startedAt(pod, container) ?? at;
  const containerID = containerIdOf(pod, container);
  return { exitCode, reason, startedAt: began, finishedAt: at, containerID };
}

/** Returns the members that every status of a container has, whatever its state. */
export function identity(container: Container, { pod, stage }: StagedPod) {
  const image = container.image ?? "";
  const stored = statusOf(pod, container);
  const isPulled = hasImage(image, stage);
  const lastState = stored?.lastState;
  return {
    name: container.name,
    image,
    imageID: isPulled ? `${image}@simulated` : "",
    ...(isPulled && { containerID: containerIdOf(pod, container) }),
    restartCount: Math.max(stored?.restartCount ?? 0, restartsIn(stage)),
    ...(lastState !== undefined && { lastState }),
  };
}

function hasImage(image: string, stage: StagedPod["stage"]): boolean {
  if (stage.name === "image-back-off") return stage.run !== undefined && stage.image !== image;
  return stage.name !== "admitted";
}

function restartsIn(stage: StagedPod["stage"]): number {
  if (stage.name === "running" || stage.name === "ready") return stage.run.restarts;
  if (stage.name === "image-back-off") return stage.run?.restarts ?? 0;
  return stage.name === "crash-back-off" || stage.name === "exited" ? stage.restarts : 0;
}

function containerIdOf({ metadata }: Pod, { name }: Container): string {
  return `sim://${metadata.uid}/${name}`;
}

function startedAt(pod: Pod, container: Container): string | undefined {
  return statusOf(pod, container)?.state?.running?.startedAt;
}

/** Returns the stored status of a container of any sort. */
export function statusOf(pod: Pod, { name }: Pick<Container, "name">): ContainerStatus | undefined {
  const {
    containerStatuses: own = [],
    initContainerStatuses = [],
    ephemeralContainerStatuses = [],
  } = pod.status ?? {};
  return [...own, ...initContainerStatuses, ...ephemeralContainerStatuses].find(
    (status) => status.name === name,
  );
}

/** Returns the state of a waiting container. */
export function waiting(why: { readonly reason: string; readonly message?: string }): ContainerState {
  return { waiting: why };
}
