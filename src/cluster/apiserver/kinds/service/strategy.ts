import type { Service, ServiceSpec } from "../../../../api/generated/core-v1.ts";
import { dns1123LabelProblems } from "../../../../api/names.ts";
import { eachItem, mapMembers, withMember } from "../../../../api/defaulting.ts";
import type { KindStrategy } from "../kind-strategy.ts";
import { equalField } from "../../../../api/schema/semantic-equality.ts";
import type { Sent } from "../../../../api/sent.ts";
import { isExternallyAccessible, serviceDefaults } from "./service-defaults.ts";
import { validateService, validateServiceUpdate } from "./validate-service.ts";

/** The strategy of Services; the API server allocates addresses and node ports. */
export const serviceStrategy: KindStrategy<Sent<Service>> = {
  nameProblems: dns1123LabelProblems,
  defaults: serviceDefaults,
  prepareForCreate(object) {
    return withMember(object, "status", undefined);
  },
  prepareForUpdate({ next, previous }) {
    return mapMembers(next, { spec: (spec) => withoutLeftovers(spec, previous.spec ?? {}) });
  },
  validate: validateService,
  validateUpdate: validateServiceUpdate,
  selectableFields({ spec = {} }) {
    return { "spec.clusterIP": spec.clusterIP ?? "", "spec.type": spec.type ?? "" };
  },
  unconditionalUpdate: true,
  createOnUpdate: true,
  returnsObjectOnDelete: true,
};

type Needs = (spec: Sent<ServiceSpec>) => boolean;

/** Fields that depend on the type of a Service and may have been set by the server. */
const dependent: readonly { readonly member: keyof ServiceSpec; readonly isNeeded: Needs }[] = [
  { member: "clusterIP", isNeeded: hasAddress },
  { member: "clusterIPs", isNeeded: hasAddress },
  { member: "ipFamilies", isNeeded: hasAddress },
  { member: "ipFamilyPolicy", isNeeded: hasAddress },
  { member: "allocateLoadBalancerNodePorts", isNeeded: isBalancer },
  { member: "loadBalancerClass", isNeeded: isBalancer },
  { member: "externalTrafficPolicy", isNeeded: isExternallyAccessible },
  { member: "healthCheckNodePort", isNeeded: hasHealthCheck },
];

/** Drops the fields that only the old type needs when the type changes, unless the client changed them, too. */
function withoutLeftovers(next: Sent<ServiceSpec>, previous: Sent<ServiceSpec>): Sent<ServiceSpec> {
  let spec = next;
  for (const { member, isNeeded } of dependent) {
    const isLeft =
      isNeeded(previous) && !isNeeded(next) && equalField("core.v1.ServiceSpec", [next, previous], member);
    if (isLeft) spec = withMember(spec, member, undefined);
  }
  return hasNodePorts(previous) && !hasNodePorts(next) ? withoutKnownNodePorts(spec, previous) : spec;
}

function withoutKnownNodePorts(spec: Sent<ServiceSpec>, previous: Sent<ServiceSpec>): Sent<ServiceSpec> {
  const known = new Set(previous.ports?.map(({ nodePort }) => nodePort));
  const isNew = spec.ports?.some(({ nodePort = 0 }) => nodePort !== 0 && !known.has(nodePort));
  if (isNew === true) return spec;
  return mapMembers(spec, { ports: eachItem((port) => withMember(port, "nodePort", undefined)) });
}

function hasAddress({ type }: Sent<ServiceSpec>): boolean {
  return type !== "ExternalName";
}

function isBalancer({ type }: Sent<ServiceSpec>): boolean {
  return type === "LoadBalancer";
}

function hasNodePorts({ type }: Sent<ServiceSpec>): boolean {
  return type === "NodePort" || type === "LoadBalancer";
}

function hasHealthCheck(spec: Sent<ServiceSpec>): boolean {
  return isBalancer(spec) && spec.externalTrafficPolicy === "Local";
}
