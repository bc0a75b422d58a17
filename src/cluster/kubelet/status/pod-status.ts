import type { PodStatus } from "../../../api/generated/core-v1.ts";
import { isReady, isTerminal } from "../../../api/pod-state.ts";
import { formatTime } from "../../../api/time.ts";
import { containerStatuses } from "./container-status.ts";
import { conditionsIn } from "./pod-conditions.ts";
import type { StagedPod } from "./staged-pod.ts";

/**
 * The status a kubelet reports in a stage. It is sent as a strategic patch, so conditions the kubelet does not own are
 * left out and stay. While a Pod is terminating nothing is reported: its containers still run, and are ready, unless its
 * behaviour says otherwise. Nor is anything of a Pod that has ended: its phase is final.
 */
export function statusIn(view: StagedPod): PodStatus | undefined {
  const { pod, stage, addresses, now } = view;
  if (!isReported(view)) return undefined;
  const started = hasSandbox(stage);
  return {
    phase: phaseIn(stage),
    ...(stage.name === "failed" && { reason: stage.reason, message: stage.message }),
    startTime: pod.status?.startTime ?? formatTime(now),
    ...(addresses.hostIP === undefined
      ? {}
      : { hostIP: addresses.hostIP, hostIPs: [{ ip: addresses.hostIP }] }),
    ...(started ? { podIP: addresses.podIP, podIPs: [{ ip: addresses.podIP }] } : {}),
    conditions: conditionsIn(view, started),
    ...containerStatuses(view, started),
    ...(pod.metadata.generation === undefined ? {} : { observedGeneration: pod.metadata.generation }),
  };
}

function isReported({ pod, stage, behaviour }: StagedPod): boolean {
  if (stage.name === "terminating") return behaviour.notReadyOnTerminate && isReady(pod);
  return !isTerminal(pod);
}

/** Reports whether the Pod has its network, and with it an address. */
function hasSandbox(stage: StagedPod["stage"]): boolean {
  if (stage.name === "failed") return stage.ran || stage.initIndex !== undefined;
  if (stage.name === "image-back-off") return stage.run !== undefined;
  return stage.name !== "admitted";
}

function phaseIn(stage: StagedPod["stage"]): string {
  switch (stage.name) {
    case "image-back-off":
      return stage.run === undefined ? "Pending" : "Running";
    case "admitted":
    case "initializing":
    case "init-back-off":
      return "Pending";
    case "failed":
      return "Failed";
    case "ended":
    case "exited":
      return stage.exit.exitCode === 0 ? "Succeeded" : "Failed";
    case "crash-back-off":
    case "running":
    case "ready":
    case "terminating":
      return "Running";
  }
}
