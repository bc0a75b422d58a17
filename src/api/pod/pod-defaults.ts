import type { Container, Pod, PodSpec, PodStatus } from "../generated/core-v1.ts";
import { eachItem, fillAbsent, fillEmpty, type MemberMaps, mapMembers } from "../defaulting.ts";
import { podSpecDefaults } from "./pod-spec-defaults.ts";
import type { Sent } from "../sent.ts";

const sharingResources: MemberMaps<Sent<PodSpec>> = {
  containers: eachItem(requestLimits),
  initContainers: eachItem(requestLimits),
};

const ownMembers: MemberMaps<Sent<PodSpec>> = {
  ...sharingResources,
  terminationGracePeriodSeconds: (seconds) => (seconds < 0 ? 1 : seconds),
};

const sharingPorts: MemberMaps<Sent<PodSpec>> = {
  containers: eachItem(listenOnNode),
  initContainers: eachItem(listenOnNode),
};

/** A Pod with its defaults: those of every Pod spec, and those that templates do not get. */
export function podDefaults(pod: Sent<Pod>, stored?: Sent<Pod>): Sent<Pod> {
  const whole = fillAbsent(pod, { spec: {} });
  return mapMembers(whole, whole.spec === stored?.spec ? ownStatus : ownSpecAndStatus);
}

const ownStatus: MemberMaps<Sent<Pod>> = { status: statusDefaults };
const ownSpecAndStatus: MemberMaps<Sent<Pod>> = { spec: ownSpecDefaults, ...ownStatus };

function ownSpecDefaults(spec: Sent<PodSpec>): Sent<PodSpec> {
  const filled = fillAbsent(podSpecDefaults(spec), { enableServiceLinks: true });
  const requesting = mapMembers(filled, ownMembers);
  return requesting.hostNetwork === true ? mapMembers(requesting, sharingPorts) : requesting;
}

/** The request of a resource is its limit by default. */
function requestLimits(container: Sent<Container>): Sent<Container> {
  const { limits, requests = {} } = container.resources ?? {};
  if (limits === undefined || Object.keys(limits).every((name) => Object.hasOwn(requests, name)))
    return container;
  return { ...container, resources: { ...container.resources, requests: { ...limits, ...requests } } };
}

/** In the network of the node, host ports are the container ports by default. */
function listenOnNode(container: Sent<Container>): Sent<Container> {
  return mapMembers(container, {
    ports: eachItem((port) =>
      port.containerPort === undefined ? port : fillEmpty(port, { hostPort: port.containerPort }),
    ),
  });
}

/** `podIP` is the first of `podIPs`; a write of either sets both. */
function statusDefaults(status: Sent<PodStatus>): Sent<PodStatus> {
  const { podIP = "", podIPs = [] } = status;
  const first = podIPs[0]?.ip ?? "";
  if (podIP === first) return status;
  return podIP === "" ? { ...status, podIP: first } : { ...status, podIPs: [{ ip: podIP }] };
}
