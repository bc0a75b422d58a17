import { extended } from "../../../api/extended.ts";
import type { Container, ObjectReference, Pod } from "../../../api/generated/core-v1.ts";
import { pods } from "../../../api/resources.ts";
import { type EventDraft, referenceTo } from "../../../machinery/events/event-draft.ts";
import { deadlineExceeded } from "../lifecycle/active-deadline.ts";
import { podReference } from "../lifecycle/container-state.ts";
import type { PodStage, StageOf } from "../lifecycle/pod-stage.ts";

/** Returns the events a kubelet records when a Pod passes from one stage to the next. */
export function stageEvents(
  stage: PodStage,
  previous: PodStage | undefined,
  pod: Pod,
): readonly EventDraft[] {
  const { containers, initContainers = [] } = pod.spec;
  const about = (container: Container) => containerReference(container, pod);
  const starting = (container: Container) => {
    const record = normalAbout(about(container));
    return [
      record("Pulled", pulledMessage(container)),
      record("Created", "Container created"),
      record("Started", "Container started"),
    ];
  };
  const backingOff = (container: Container) =>
    warningAbout(about(container))(
      "BackOff",
      `Back-off restarting failed container ${container.name} in pod ${podReference(pod)}`,
    );
  switch (stage.name) {
    case "initializing":
      return initContainers.slice(stage.index, stage.index + 1).flatMap(starting);
    case "init-back-off":
      return initContainers.slice(stage.index, stage.index + 1).map(backingOff);
    case "running":
      if (previous?.name === "ready")
        return containers.map((container) =>
          warningAbout(about(container))("Unhealthy", "Readiness probe failed: simulated"),
        );
      // A restarted kubelet finds containers that run already.
      return previous === undefined || previous.name === "running" ? [] : containers.flatMap(starting);
    case "image-back-off":
      return failedPull(stage, pod);
    case "crash-back-off":
      return containers.map(backingOff);
    case "failed":
      return [failure(stage, pod)];
    case "terminating":
      // A second delete is not reported again.
      return previous?.name === "terminating"
        ? []
        : containers.map((container) =>
            normalAbout(about(container))("Killing", `Stopping container ${container.name}`),
          );
    case "admitted":
    case "ready":
    case "exited":
    case "ended":
    case "removed":
      return [];
  }
}

function failedPull({ image, message, attempt }: StageOf<"image-back-off">, pod: Pod): readonly EventDraft[] {
  const { containers, initContainers = [] } = pod.spec;
  const puller = [...initContainers, ...containers].find((container) => (container.image ?? "") === image);
  const about = puller === undefined ? referenceTo(pods, pod) : containerReference(puller, pod);
  const failed = warningAbout(about)("Failed", capitalised(message));
  return attempt > 1
    ? [failed, normalAbout(about)("BackOff", `Back-off pulling image "${image}"`)]
    : [failed];
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

/** Returns the message of a pull; images are on every node, so a pull takes no time. */
function pulledMessage({ image = "", imagePullPolicy }: Container): string {
  return imagePullPolicy === "Always"
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
