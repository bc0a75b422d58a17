import { forbidden, invalid, required } from "../../../../api/field-error.ts";
import type { Service, ServiceSpec } from "../../../../api/generated/core-v1.ts";
import { cidrProblems, ipProblems, unreachableProblems } from "../../../../api/ip-address.ts";
import { validateLabels } from "../../../../api/labels/label-syntax.ts";
import { dns1123SubdomainProblems } from "../../../../api/names.ts";
import {
  each,
  type FieldErrors,
  none,
  requiredText,
  requiredOneOf,
  supported,
  within,
} from "../../../../api/field-checks.ts";
import type { ObjectUpdate } from "../kind-strategy.ts";
import type { Sent } from "../../../../api/sent.ts";
import { isExternallyAccessible } from "./service-defaults.ts";
import { validateServicePorts } from "./validate-service-ports.ts";

const types = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];

/** Validates a Service, whose address and node ports have been allocated. */
export function validateService({ spec = {} }: Sent<Service>): FieldErrors {
  return [
    ...validateByType(spec),
    ...validateServicePorts(spec),
    ...validateLabels(spec.selector, "spec.selector"),
    ...validateAffinity(spec),
    ...validateAddresses(spec),
    ...requiredOneOf(spec.type, "spec.type", types),
    ...validateBalancer(spec),
    ...validateTraffic(spec),
  ];
}

function isHeadless({ clusterIP, clusterIPs = [] }: Sent<ServiceSpec>): boolean {
  return clusterIP === "None" || (clusterIPs.length === 1 && clusterIPs[0] === "None");
}

function validateByType(spec: Sent<ServiceSpec>): FieldErrors {
  const { type = "", ports = [] } = spec;
  if (type === "ExternalName") return validateExternalName(spec);
  const needsAddress = type === "LoadBalancer" || type === "NodePort";
  const rule = `may not be set to 'None' for ${type} services`;
  return [
    ...(ports.length === 0 && !isHeadless(spec) ? [required("spec.ports")] : none),
    ...(needsAddress && isHeadless(spec) ? [invalid("spec.clusterIPs[0]", "None", rule)] : none),
  ];
}

function validateExternalName(spec: Sent<ServiceSpec>): FieldErrors {
  const absent = ["clusterIPs", "ipFamilies", "ipFamilyPolicy"] as const;
  const name = spec.externalName?.replace(/\.$/, "");
  return [
    ...absent
      .filter((member) => (spec[member] ?? "").length > 0)
      .map((member) => forbidden(`spec.${member}`, "may not be set for ExternalName services")),
    ...requiredText(name, "spec.externalName", dns1123SubdomainProblems),
  ];
}

function validateAffinity({ sessionAffinity, sessionAffinityConfig }: Sent<ServiceSpec>): FieldErrors {
  const path = "spec.sessionAffinityConfig.clientIP.timeoutSeconds";
  const known = requiredOneOf(sessionAffinity, "spec.sessionAffinity", ["ClientIP", "None"]);
  const seconds = sessionAffinityConfig?.clientIP?.timeoutSeconds ?? 0;
  const fits = sessionAffinity !== "ClientIP" || (seconds > 0 && seconds <= 86_400);
  return fits ? known : [...known, invalid(path, seconds, "must be greater than 0 and less than 86400")];
}

function validateAddresses({
  clusterIPs,
  externalIPs,
  ipFamilies,
  ipFamilyPolicy,
}: Sent<ServiceSpec>): FieldErrors {
  return [
    ...each(clusterIPs, "spec.clusterIPs", (ip, at) =>
      ip === "None" ? none : ipProblems(ip).map((problem) => invalid(at, ip, problem)),
    ),
    ...each(ipFamilies, "spec.ipFamilies", (family, at) => supported(family, at, ["IPv4", "IPv6"])),
    ...supported(ipFamilyPolicy, "spec.ipFamilyPolicy", [
      "PreferDualStack",
      "RequireDualStack",
      "SingleStack",
    ]),
    ...each(externalIPs, "spec.externalIPs", (ip, at) => {
      const problems = ipProblems(ip);
      return (problems.length > 0 ? problems : unreachableProblems(ip)).map((problem) =>
        invalid(at, ip, problem),
      );
    }),
  ];
}

function validateBalancer(spec: Sent<ServiceSpec>): FieldErrors {
  const { type, loadBalancerSourceRanges: ranges = [], allocateLoadBalancerNodePorts } = spec;
  const rule = "may only be used when `type` is 'LoadBalancer'";
  const path = "spec.LoadBalancerSourceRanges";
  const isBalancer = type === "LoadBalancer";
  return [
    ...(ranges.length > 0 && !isBalancer ? [forbidden(path, rule)] : none),
    ...each(ranges, path, (range, at) =>
      cidrProblems(range.trim()).map((problem) => invalid(at, range.trim(), problem)),
    ),
    ...(allocateLoadBalancerNodePorts !== undefined && !isBalancer
      ? [forbidden("spec.allocateLoadBalancerNodePorts", rule)]
      : none),
  ];
}

function validateTraffic(spec: Sent<ServiceSpec>): FieldErrors {
  const { externalTrafficPolicy: external = "", internalTrafficPolicy, trafficDistribution } = spec;
  const policies = ["Cluster", "Local"];
  const stray = external !== "" && !isExternallyAccessible(spec);
  const rule = "may only be set for externally-accessible services";
  return [
    ...(stray ? [invalid("spec.externalTrafficPolicy", external, rule)] : none),
    ...(isExternallyAccessible(spec)
      ? requiredOneOf(external, "spec.externalTrafficPolicy", policies)
      : none),
    ...supported(internalTrafficPolicy, "spec.internalTrafficPolicy", policies),
    ...supported(trafficDistribution, "spec.trafficDistribution", [
      "PreferClose",
      "PreferSameZone",
      "PreferSameNode",
    ]),
    ...within(spec.healthCheckNodePort ?? 0, "spec.healthCheckNodePort", { min: 0, max: 65_535 }),
  ];
}

/** Validates that a Service keeps its cluster IP. */
export function validateServiceUpdate({ next, previous }: ObjectUpdate<Sent<Service>>): FieldErrors {
  const known = ownAddress(previous);
  const current = ownAddress(next);
  if (known === undefined || current === undefined || known === current) return none;
  const rule = current === "" ? "primary clusterIP can not be unset" : "may not change once set";
  return [invalid("spec.clusterIPs[0]", next.spec?.clusterIPs ?? [], rule)];
}

/** Returns the cluster IP of a Service; `undefined` if it has none. */
function ownAddress({ spec = {} }: Sent<Service>): string | undefined {
  const [address = ""] = spec.clusterIPs ?? [];
  return spec.type === "ExternalName" ? undefined : address;
}
