import type { PodStatus } from "../../api/generated/core-v1.ts";
import { formatTime } from "../../api/time.ts";
import { containerStatuses } from "./container-status.ts";
import { conditionsIn } from "./pod-conditions.ts";
import type { View } from "./view.ts";

/**
 * The status a kubelet reports in a stage. Conditions the kubelet does not own are not in it: it is meant as a
 * strategic patch, which leaves them alone. While a Pod is terminating nothing is reported: its containers still run.
 */
export function statusIn(view: View): PodStatus | undefined {
  const { pod, stage, place, now } = view;
  if (stage.name === "terminating") return undefined;
  const started = stage.name !== "admitted" && stage.name !== "image-back-off";
  return {
    phase: phaseIn(stage),
    startTime: pod.status?.startTime ?? formatTime(now),
    ...(place.hostIP === undefined ? {} : { hostIP: place.hostIP, hostIPs: [{ ip: place.hostIP }] }),
    ...(started ? { podIP: place.podIP, podIPs: [{ ip: place.podIP }] } : {}),
    conditions: conditionsIn(view, started),
    ...containerStatuses(view, started),
    ...(pod.metadata.generation === undefined ? {} : { observedGeneration: pod.metadata.generation }),
  };
}

function phaseIn(stage: View["stage"]): string {
  switch (stage.name) {
    case "admitted":
    case "image-back-off":
      return "Pending";
    case "ended":
      return stage.killed ? "Failed" : "Succeeded";
    case "running":
    case "ready":
    case "terminating":
      return "Running";
  }
}
