import type { Pod } from "../../api/generated/core-v1.ts";
import { pods } from "../../api/resources.ts";
import { type EventDraft, referenceTo } from "../../machinery/events/event-draft.ts";
import type { PodStage } from "./lifecycle.ts";

/** The events a kubelet records when a Pod enters a stage. */
export function stageEvents(stage: PodStage, pod: Pod): readonly EventDraft[] {
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
  switch (stage.name) {
    case "running":
      return pod.spec.containers.flatMap(({ name, image }) => [
        normal("Pulled", `Container image "${image ?? ""}" already present on machine`),
        normal("Created", `Created container: ${name}`),
        normal("Started", `Started container ${name}`),
      ]);
    case "image-back-off":
      return [
        warning("Failed", capitalised(stage.message)),
        ...(stage.attempt > 1
          ? [normal("BackOff", `Back-off pulling image "${pod.spec.containers[0]?.image ?? ""}"`)]
          : []),
      ];
    case "terminating":
      return pod.spec.containers.map(({ name }) => normal("Killing", `Stopping container ${name}`));
    case "admitted":
    case "ready":
    case "ended":
    case "removed":
      return [];
  }
}

/** The event a kubelet records about an invalid simulation annotation. */
export function invalidSimulationEvent(pod: Pod, problem: string): EventDraft {
  return {
    regarding: referenceTo(pods, pod),
    type: "Warning",
    reason: "InvalidSimulation",
    message: problem,
  };
}

function capitalised(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
