import { zoneLabel } from "../../../api/well-known.ts";
import type { Endpoint, EndpointPort } from "../../../api/generated/discovery-v1.ts";
import type { Node, ObjectReference, Pod, Service, ServicePort } from "../../../api/generated/core-v1.ts";
import { isBeingDeleted } from "../../../api/object.ts";
import { isReady, isTerminal } from "../../../api/pod-state.ts";
import { isSidecar } from "../../../decisions/placement/objects/pod-request.ts";

/** An endpoint, and the ports under which it is reached. */
export interface PortedEndpoint {
  readonly endpoint: Endpoint;
  readonly ports: readonly EndpointPort[];
}

/** Returns a Pod's endpoint for a Service; `undefined` for a Pod without an address, or that has ended. */
export function endpointOfPod(
  service: Service,
  pod: Pod,
  node: Node | undefined,
): PortedEndpoint | undefined {
  const { podIP } = pod.status ?? {};
  if (podIP === undefined || isTerminal(pod)) return undefined;
  const { nodeName, hostname, subdomain } = pod.spec;
  const zone = node?.metadata.labels?.[zoneLabel];
  const endpoint: Endpoint = {
    addresses: [podIP],
    conditions: conditionsOf(service, pod),
    targetRef: targetOf(pod),
    ...(nodeName !== undefined && { nodeName }),
    ...(zone !== undefined && { zone }),
    ...(hostname !== undefined && subdomain === service.metadata.name && { hostname }),
  };
  return { endpoint, ports: portsFor(service, pod) };
}

/** Refers to the Pod without its resource version, which changes with every status update. */
function targetOf({ metadata: { namespace, name, uid } }: Pod): ObjectReference {
  return { kind: "Pod", ...(namespace !== undefined && { namespace }), name, uid };
}

function conditionsOf({ spec }: Service, pod: Pod) {
  const serving = isReady(pod);
  const terminating = isBeingDeleted(pod);
  const ready = spec.publishNotReadyAddresses === true || (serving && !terminating);
  return { ready, serving, terminating };
}

/** Returns the ports of a Service as this Pod serves them; a named port that the Pod does not have is left out. */
function portsFor({ spec }: Service, pod: Pod): readonly EndpointPort[] {
  return (spec.ports ?? []).flatMap((servicePort) => {
    const port = targetPortOf(servicePort, pod);
    if (port === undefined) return [];
    const { name = "", protocol = "TCP", appProtocol } = servicePort;
    return [{ name, protocol, port, ...(appProtocol !== undefined && { appProtocol }) }];
  });
}

function targetPortOf(
  { targetPort, port, protocol = "TCP" }: ServicePort,
  { spec }: Pod,
): number | undefined {
  if (targetPort === undefined || targetPort === 0) return port;
  if (typeof targetPort === "number") return targetPort;
  const sidecars = spec.initContainers?.filter(isSidecar) ?? [];
  const named = [...spec.containers, ...sidecars]
    .flatMap(({ ports = [] }) => ports)
    .find((each) => each.name === targetPort && (each.protocol ?? "TCP") === protocol);
  return named?.containerPort;
}
