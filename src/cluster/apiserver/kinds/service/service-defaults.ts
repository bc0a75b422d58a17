import type { Service, ServicePort, ServiceSpec } from "../../../../api/generated/core-v1.ts";
import { eachItem, fillAbsent, fillEmpty, mapMembers, withMember } from "../../../../api/defaulting.ts";
import type { Sent } from "../../../../api/sent.ts";

const affinitySeconds = 10_800;

/** Returns a Service with its defaults; the API server allocates addresses and node ports afterwards. */
export function serviceDefaults(service: Sent<Service>): Sent<Service> {
  return mapMembers(fillAbsent(service, { spec: {} }), { spec: specDefaults });
}

function specDefaults(spec: Sent<ServiceSpec>): Sent<ServiceSpec> {
  const filled = fillEmpty(spec, { type: "ClusterIP", sessionAffinity: "None" });
  return mapMembers(byType(withAffinity(filled)), { ports: eachItem(portDefaults) });
}

function portDefaults(port: Sent<ServicePort>): Sent<ServicePort> {
  const filled = fillEmpty(port, { protocol: "TCP" });
  return port.port === undefined ? filled : fillEmpty(filled, { targetPort: port.port });
}

function withAffinity(spec: Sent<ServiceSpec>): Sent<ServiceSpec> {
  if (spec.sessionAffinity === "None") return withMember(spec, "sessionAffinityConfig", undefined);
  if (
    spec.sessionAffinity !== "ClientIP" ||
    spec.sessionAffinityConfig?.clientIP?.timeoutSeconds !== undefined
  )
    return spec;
  return { ...spec, sessionAffinityConfig: { clientIP: { timeoutSeconds: affinitySeconds } } };
}

function byType(spec: Sent<ServiceSpec>): Sent<ServiceSpec> {
  if (spec.type === "ExternalName") return withExternalPolicy(spec);
  const addressed = fillAbsent(spec, {
    internalTrafficPolicy: "Cluster",
    ipFamilies: ["IPv4"],
    ipFamilyPolicy: "SingleStack",
  });
  const balanced =
    spec.type === "LoadBalancer" ? fillAbsent(addressed, { allocateLoadBalancerNodePorts: true }) : addressed;
  return withExternalPolicy(balanced);
}

/** Reports whether a Service can be reached from outside the cluster. */
export function isExternallyAccessible({ type, externalIPs = [] }: Sent<ServiceSpec>): boolean {
  return type === "LoadBalancer" || type === "NodePort" || (type === "ClusterIP" && externalIPs.length > 0);
}

function withExternalPolicy(spec: Sent<ServiceSpec>): Sent<ServiceSpec> {
  return isExternallyAccessible(spec) ? fillEmpty(spec, { externalTrafficPolicy: "Cluster" }) : spec;
}
