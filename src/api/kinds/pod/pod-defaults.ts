import type { Container, Pod, PodSpec, PodStatus } from "../../generated/core-v1.ts";
import { eachItem, fillAbsent, fillEmpty, type MemberMaps, mapMembers } from "../defaulting.ts";
import { podSpecDefaults } from "../pod-spec/pod-spec-defaults.ts";
import type { Sent } from "../sent.ts";

const sharingResources: MemberMaps<Sent<PodSpec>> = {
  containers: eachItem(requestLimits),
  initContainers: eachItem(requestLimits),
};

const sharingPorts: MemberMaps<Sent<PodSpec>> = {
  containers: eachItem(listenOnNode),
  initContainers: eachItem(listenOnNode),
};

/** A Pod with its defaults: those of every spec, and those only a Pod has. */
export function podDefaults(pod: Sent<Pod>): Sent<Pod> {
  return mapMembers(fillAbsent(pod, { spec: {} }), { spec: ownSpecDefaults, status: statusDefaults });
}

function ownSpecDefaults(spec: Sent<PodSpec>): Sent<PodSpec> {
  const filled = fillAbsent(podSpecDefaults(spec), { enableServiceLinks: true });
  const requesting = mapMembers(filled, sharingResources);
  return requesting.hostNetwork === true ? mapMembers(requesting, sharingPorts) : requesting;
}

/** What a container may use, and does not ask for, it asks for. */
function requestLimits(container: Sent<Container>): Sent<Container> {
  const { limits, requests = {} } = container.resources ?? {};
  if (limits === undefined || Object.keys(limits).every((name) => Object.hasOwn(requests, name)))
    return container;
  return { ...container, resources: { ...container.resources, requests: { ...limits, ...requests } } };
}

/** On its node's network a container's ports are ports of the node. */
function listenOnNode(container: Sent<Container>): Sent<Container> {
  return mapMembers(container, {
    ports: eachItem((port) =>
      port.containerPort === undefined ? port : fillEmpty(port, { hostPort: port.containerPort }),
    ),
  });
}

/** `podIP` is the first of `podIPs`; whoever writes either writes both. */
function statusDefaults(status: Sent<PodStatus>): Sent<PodStatus> {
  const { podIP = "", podIPs = [] } = status;
  const first = podIPs[0]?.ip ?? "";
  if (podIP === first) return status;
  return podIP === "" ? { ...status, podIP: first } : { ...status, podIPs: [{ ip: podIP }] };
}
