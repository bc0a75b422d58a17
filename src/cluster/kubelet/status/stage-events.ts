import { extended } from "../../../api/extended.ts";
import type { Container, ObjectReference, Pod } from "../../../api/generated/core-v1.ts";
import { pods } from "../../../api/resources.ts";
import { type EventDraft, referenceTo } from "../../../machinery/events/event-draft.ts";
import { deadlineExceeded } from "../lifecycle/active-deadline.ts";
import { podReference } from "../lifecycle/container-state.ts";
import { changedContainers } from "../lifecycle/image-change.ts";
import type { PodStage, StageOf } from "../lifecycle/pod-stage.ts";

/** Returns the events a kubelet records when a Pod passes from one stage to the next. */
export function stageEvents(
  stage: PodStage,
  previous: PodStage | undefined,
  pod: Pod,
): readonly EventDraft[] {
  const { containers, initContainers = [] } = pod.spec;
  const backingOff = (container: Container) =>
    warningAbout(containerReference(container, pod))(
      "BackOff",
      `Back-off restarting failed container ${container.name} in pod ${podReference(pod)}`,
    );
  switch (stage.name) {
    case "initializing":
      return initContainers.slice(stage.index, stage.index + 1).flatMap(starting(pod));
    case "init-back-off":
      return initContainers.slice(stage.index, stage.index + 1).map(backingOff);
    case "running":
      return runEvents(previous, pod);
    case "image-back-off":
      return [...replacedIn(previous, pod).map(replacing(pod)), ...failedPull(stage, pod)];
    case "crash-back-off":
      return containers.map(backingOff);
    case "failed":
      return [failure(stage, pod)];
    case "terminating":
      // A second delete is not reported again.
      return previous?.name === "terminating"
        ? []
        : containers.map((container) => killing(container, pod, `Stopping container ${container.name}`));
    case "admitted":
    case "ready":
    case "exited":
    case "ended":
    case "removed":
      return [];
  }
}

/** Returns the events of a Pod whose main containers run and are not ready yet, or no longer. */
function runEvents(previous: PodStage | undefined, pod: Pod): readonly EventDraft[] {
  const { containers } = pod.spec;
  const replaced = replacedIn(previous, pod);
  if (replaced.length > 0) return [...replaced.map(replacing(pod)), ...replaced.flatMap(starting(pod))];
  if (previous?.name === "ready")
    return containers.map((container) =>
      warningAbout(containerReference(container, pod))("Unhealthy", "Readiness probe failed: simulated"),
    );
  // A restarted kubelet finds containers that run already.
  return previous === undefined || previous.name === "running" ? [] : containers.flatMap(starting(pod));
}

/** The containers that have another image than before, when they ran already. */
function replacedIn(previous: PodStage | undefined, pod: Pod): readonly Container[] {
  return previous?.name === "running" || previous?.name === "ready"
    ? changedContainers(pod, previous.run)
    : [];
}

const replacing = (pod: Pod) => (container: Container) =>
  killing(container, pod, `Container ${container.name} definition changed, will be restarted`);

function killing(container: Container, pod: Pod, message: string): EventDraft {
  return normalAbout(containerReference(container, pod))("Killing", message);
}

const starting =
  (pod: Pod) =>
  (container: Container): readonly EventDraft[] => {
    const record = normalAbout(containerReference(container, pod));
    return [
      ...(isPulled(container) ? [record("Pulling", `Pulling image "${container.image ?? ""}"`)] : []),
      record("Pulled", pulledMessage(container)),
      record("Created", "Container created"),
      record("Started", "Container started"),
    ];
  };

function failedPull({ image, message, attempt }: StageOf<"image-back-off">, pod: Pod): readonly EventDraft[] {
  const { containers, initContainers = [] } = pod.spec;
  const puller = [...initContainers, ...containers].find((container) => (container.image ?? "") === image);
  const about = puller === undefined ? referenceTo(pods, pod) : containerReference(puller, pod);
  const [normal, warning] = [normalAbout(about), warningAbout(about)];
  const failed = [
    normal("Pulling", `Pulling image "${image}"`),
    warning("Failed", capitalised(message)),
    warning("Failed", "Error: ErrImagePull"),
  ];
  if (attempt === 1) return failed;
  const backOff = normal("BackOff", `Back-off pulling image "${image}"`);
  return [...failed, backOff, warning("Failed", "Error: ImagePullBackOff")];
}

function failure({ reason, message }: StageOf<"failed">, pod: Pod): EventDraft {
  const about = reason === deadlineExceeded ? normalAbout : warningAbout;
  return about(referenceTo(pods, pod))(reason, message);
}

function containerReference(container: Container, pod: Pod): ObjectReference {
  const list = pod.spec.containers.includes(container) ? "containers" : "initContainers";
  return extended(referenceTo(pods, pod), { fieldPath: `spec.${list}{${container.name}}` });
}

type EventAbout = (reason: string, message: string) => EventDraft;

const normalAbout =
  (regarding: ObjectReference): EventAbout =>
  (reason, message) => ({ regarding, type: "Normal", reason, message });

const warningAbout =
  (regarding: ObjectReference): EventAbout =>
  (reason, message) => ({ regarding, type: "Warning", reason, message });

/** Reports whether an image is pulled though it is on every node. */
function isPulled({ imagePullPolicy }: Container): boolean {
  return imagePullPolicy === "Always";
}

/** Returns the message of a pull, which takes no time. */
function pulledMessage(container: Container): string {
  const { image = "" } = container;
  return isPulled(container)
    ? `Successfully pulled image "${image}" in 0s (0s including waiting). Image size: 0 bytes.`
    : `Container image "${image}" already present on machine and can be accessed by the pod`;
}

/** Returns the event about simulation settings that are unknown or invalid: all of them in one. */
export function invalidSimulationEvents(pod: Pod, problems: readonly string[]): readonly EventDraft[] {
  if (problems.length === 0) return [];
  const message = problems.join("; ");
  return [{ regarding: referenceTo(pods, pod), type: "Warning", reason: "InvalidSimulation", message }];
}

function capitalised(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
