import type { Pod, PodSpec, PodStatus } from "../../generated/core-v1.ts";
import type { Sent } from "../sent.ts";

/** What Pods can be selected by. */
export function podFields({ spec = {}, status = {} }: Sent<Pod>): Readonly<Record<string, string>> {
  return { ...specFields(spec), ...statusFields(status) };
}

/** `spec.host` is what `spec.nodeName` was once called. */
function specFields(spec: Sent<PodSpec>): Readonly<Record<string, string>> {
  const { nodeName = "", restartPolicy = "", schedulerName = "", serviceAccountName = "" } = spec;
  return {
    "spec.nodeName": nodeName,
    "spec.host": nodeName,
    "spec.restartPolicy": restartPolicy,
    "spec.schedulerName": schedulerName,
    "spec.serviceAccountName": serviceAccountName,
    "spec.hostNetwork": String(spec.hostNetwork === true),
  };
}

function statusFields({
  phase = "",
  nominatedNodeName = "",
  podIPs = [],
}: Sent<PodStatus>): Readonly<Record<string, string>> {
  const podIP = podIPs[0]?.ip ?? "";
  return {
    "status.phase": phase,
    "status.podIP": podIP,
    "status.podIPs": podIP,
    "status.nominatedNodeName": nominatedNodeName,
  };
}
