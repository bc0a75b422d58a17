import { duplicate, invalid, required, tooMany } from "../../../../api/field-error.ts";
import type { Endpoint, EndpointPort, EndpointSlice } from "../../../../api/generated/discovery-v1.ts";
import { ipProblems, parseIp, unreachableProblems } from "../../../../api/ip-address.ts";
import { dns1123LabelProblems, dns1123SubdomainProblems } from "../../../../api/names.ts";
import {
  each,
  type FieldErrors,
  immutable,
  none,
  requiredOneOf,
  wellFormed,
} from "../../../../api/field-checks.ts";
import { eachItem, fillAbsent, mapMembers, withMember } from "../../../../api/defaulting.ts";
import type { KindStrategy } from "../kind-strategy.ts";
import { equalField, semanticEqual } from "../../../../api/schema/semantic-equality.ts";
import type { Sent } from "../../../../api/sent.ts";

const maxEndpoints = 1000;
const maxAddresses = 100;

/** The strategy of EndpointSlices. */
export const endpointSliceStrategy: KindStrategy<Sent<EndpointSlice>> = {
  defaults(object) {
    return mapMembers(object, { ports: eachItem((port) => fillAbsent(port, { name: "", protocol: "TCP" })) });
  },
  prepareForUpdate({ next, previous }) {
    // An EndpointSlice has no spec: any change outside its metadata increments the generation.
    const after = withMember(next, "metadata", undefined);
    if (semanticEqual("discovery.v1.EndpointSlice", after, withMember(previous, "metadata", undefined)))
      return next;
    const generation = (previous.metadata?.generation ?? 0) + 1;
    return { ...next, metadata: { ...next.metadata, generation } };
  },
  validate(object, _context, stored) {
    const { addressType, ports, endpoints } = object;
    const isOld =
      stored !== undefined && equalField("discovery.v1.EndpointSlice", [object, stored], "endpoints");
    return [
      ...requiredOneOf(addressType, "addressType", ["FQDN", "IPv4", "IPv6"]),
      ...validatePorts(ports),
      ...(isOld ? none : validateEndpoints(endpoints, addressType ?? "")),
    ];
  },
  validateUpdate({ next, previous }) {
    return immutable(next.addressType ?? "", previous.addressType ?? "", "addressType");
  },
  generation: "spec",
  unconditionalUpdate: true,
};

function validatePorts(ports: readonly Sent<EndpointPort>[] | undefined): FieldErrors {
  const names = new Set<string>();
  return each(ports, "ports", ({ name = "", protocol }, at) => {
    const isRepeated = names.has(name);
    names.add(name);
    return [
      ...wellFormed(name, `${at}.name`, dns1123LabelProblems),
      ...(isRepeated ? [duplicate(`${at}.name`, name)] : none),
      ...requiredOneOf(protocol, `${at}.protocol`, ["SCTP", "TCP", "UDP"]),
    ];
  });
}

function validateEndpoints(
  endpoints: readonly Sent<Endpoint>[] | undefined,
  addressType: string,
): FieldErrors {
  const count = endpoints?.length ?? 0;
  if (count > maxEndpoints) return [tooMany("endpoints", count, maxEndpoints)];
  return each(endpoints, "endpoints", ({ addresses = [], nodeName, hostname }, at) => [
    ...validateCount(addresses.length, `${at}.addresses`),
    ...each(addresses, `${at}.addresses`, (address, item) =>
      addressProblems(address, addressType).map((problem) => invalid(item, address, problem)),
    ),
    ...wellFormed(nodeName, `${at}.nodeName`, dns1123SubdomainProblems),
    ...wellFormed(hostname, `${at}.hostname`, dns1123LabelProblems),
  ]);
}

function validateCount(count: number, path: string): FieldErrors {
  if (count === 0) return [required(path, "must contain at least 1 address")];
  return count > maxAddresses ? [tooMany(path, count, maxAddresses)] : none;
}

function addressProblems(address: string, addressType: string): readonly string[] {
  if (addressType === "FQDN") return dns1123SubdomainProblems(address.replace(/\.$/, ""));
  if (addressType !== "IPv4" && addressType !== "IPv6") return [];
  const problems = ipProblems(address);
  if (problems.length > 0) return problems;
  const isOther = (parseIp(address)?.length === 4) !== (addressType === "IPv4");
  return [...(isOther ? [`must be an ${addressType} address`] : []), ...unreachableProblems(address)];
}
