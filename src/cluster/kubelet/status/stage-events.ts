import type { Container, Pod } from "../../../api/generated/core-v1.ts";
import { pods } from "../../../api/resources.ts";
import { type EventDraft, referenceTo } from "../../../machinery/events/event-draft.ts";
import { deadlineExceeded } from "../lifecycle/active-deadline.ts";
import { podReference } from "../lifecycle/container-state.ts";
import type { PodStage } from "../lifecycle/pod-stage.ts";

/** The events a kubelet records when a Pod passes from one stage to the next. */
export function stageEvents(
  stage: PodStage,
  previous: PodStage | undefined,
  pod: Pod,
): readonly EventDraft[] {
  const regarding = referenceTo(pods, pod);
  const normal = (reason: string, message: string): EventDraft => ({
    regarding,
    type: "Normal",
    reason,
    message,
  });
  const warning = (reason: string, message: string): EventDraft => ({
    regarding,
    type: "Warning",
    reason,
    message,
  });
  const starting = ({ name, image }: Container) => [
    normal("Pulled", `Container image "${image ?? ""}" already present on machine`),
    normal("Created", `Created container: ${name}`),
    normal("Started", `Started container ${name}`),
  ];
  const backingOff = ({ name }: Container) =>
    warning("BackOff", `Back-off restarting failed container ${name} in pod ${podReference(pod)}`);
  const initContainers = (index: number) => pod.spec.initContainers?.slice(index, index + 1) ?? [];
  switch (stage.name) {
    case "initializing":
      return initContainers(stage.index).flatMap(starting);
    case "init-back-off":
      return initContainers(stage.index).map(backingOff);
    case "running":
      if (previous?.name === "ready")
        return pod.spec.containers.map(() => warning("Unhealthy", "Readiness probe failed: simulated"));
      // A kubelet that was restarted finds containers that run already.
      return previous === undefined || previous.name === "running"
        ? []
        : pod.spec.containers.flatMap(starting);
    case "image-back-off":
      return [
        warning("Failed", capitalised(stage.message)),
        ...(stage.attempt > 1 ? [normal("BackOff", `Back-off pulling image "${stage.image}"`)] : []),
      ];
    case "crash-back-off":
      return pod.spec.containers.map(backingOff);
    case "failed":
      return [(stage.reason === deadlineExceeded ? normal : warning)(stage.reason, stage.message)];
    case "terminating":
      // A second delete is not told again.
      return previous?.name === "terminating"
        ? []
        : pod.spec.containers.map(({ name }) => normal("Killing", `Stopping container ${name}`));
    case "admitted":
    case "ready":
    case "exited":
    case "ended":
    case "removed":
      return [];
  }
}

/** The event a kubelet records about simulation settings that are not known or make no sense: all of them at once. */
export function invalidSimulationEvents(pod: Pod, problems: readonly string[]): readonly EventDraft[] {
  if (problems.length === 0) return [];
  const message = problems.join("; ");
  return [{ regarding: referenceTo(pods, pod), type: "Warning", reason: "InvalidSimulation", message }];
}

function capitalised(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
