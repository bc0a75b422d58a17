import { forbidden, invalid, notSupported, required } from "../../../../api/field-error.ts";
import type {
  IPBlock,
  NetworkPolicy,
  NetworkPolicyPeer,
  NetworkPolicyPort,
  NetworkPolicySpec,
} from "../../../../api/generated/networking-v1.ts";
import { cidrProblems, isStrictSubset } from "../../../../api/ip-address.ts";
import { eachItem, fillAbsent, mapMembers } from "../../../../api/defaulting.ts";
import {
  each,
  type FieldErrors,
  none,
  portNumber,
  portNumberOrName,
  requiredText,
  supported,
} from "../../../../api/field-checks.ts";
import type { KindStrategy } from "../kind-strategy.ts";
import { validateSelector } from "../../../../api/labels/validate-selector.ts";
import type { Sent } from "../../../../api/sent.ts";

const policyTypes = ["Ingress", "Egress"];

/** The strategy of NetworkPolicies, which are stored, not enforced. */
export const networkPolicyStrategy: KindStrategy<Sent<NetworkPolicy>> = {
  defaults(object) {
    return mapMembers(fillAbsent(object, { spec: {} }), { spec: specDefaults });
  },
  validate({ spec = {} }) {
    return [
      ...validateSelector(spec.podSelector, "spec.podSelector"),
      ...each(spec.ingress, "spec.ingress", ({ ports, from }, at) => [
        ...each(ports, `${at}.ports`, validatePort),
        ...each(from, `${at}.from`, validatePeer),
      ]),
      ...each(spec.egress, "spec.egress", ({ ports, to }, at) => [
        ...each(ports, `${at}.ports`, validatePort),
        ...each(to, `${at}.to`, validatePeer),
      ]),
      ...validateTypes(spec.policyTypes ?? []),
    ];
  },
  needsComponent: true,
  generation: "spec",
  unconditionalUpdate: true,
};

function specDefaults(spec: Sent<NetworkPolicySpec>): Sent<NetworkPolicySpec> {
  const { egress = [], policyTypes: sent = [] } = spec;
  const typed =
    sent.length > 0 ? spec : { ...spec, policyTypes: egress.length > 0 ? policyTypes : ["Ingress"] };
  const withProtocol = eachItem((port: Sent<NetworkPolicyPort>) => fillAbsent(port, { protocol: "TCP" }));
  const ports = { ports: withProtocol };
  return mapMembers(typed, {
    ingress: eachItem((rule) => mapMembers(rule, ports)),
    egress: eachItem((rule) => mapMembers(rule, ports)),
  });
}

function validatePort({ protocol, port, endPort }: Sent<NetworkPolicyPort>, path: string): FieldErrors {
  return [
    ...supported(protocol, `${path}.protocol`, ["TCP", "UDP", "SCTP"]),
    ...(port === undefined ? none : portNumberOrName(port, `${path}.port`)),
    ...(endPort === undefined ? none : validateEndPort(endPort, port, `${path}.endPort`)),
  ];
}

function validateEndPort(endPort: number, port: number | string | undefined, path: string): FieldErrors {
  if (port === undefined)
    return [invalid(path, endPort, "may not be specified when `port` is not specified")];
  if (typeof port === "string")
    return [invalid(path, endPort, "may not be specified when `port` is non-numeric")];
  const isReversed = endPort < port;
  return [
    ...(isReversed ? [invalid(path, endPort, "must be greater than or equal to `port`")] : none),
    ...portNumber(endPort, path),
  ];
}

function validatePeer(peer: Sent<NetworkPolicyPeer>, path: string): FieldErrors {
  const { podSelector, namespaceSelector, ipBlock } = peer;
  const isSelected = podSelector !== undefined || namespaceSelector !== undefined;
  return [
    ...validateSelector(podSelector, `${path}.podSelector`),
    ...validateSelector(namespaceSelector, `${path}.namespaceSelector`),
    ...(ipBlock === undefined ? none : validateIpBlock(ipBlock, `${path}.ipBlock`)),
    ...(!isSelected && ipBlock === undefined ? [required(path, "must specify a peer")] : none),
    ...(isSelected && ipBlock !== undefined
      ? [forbidden(path, "may not specify both ipBlock and another peer")]
      : none),
  ];
}

function validateIpBlock({ cidr = "", except }: Sent<IPBlock>, path: string): FieldErrors {
  const errors = requiredText(cidr, `${path}.cidr`, cidrProblems);
  if (errors.length > 0) return errors;
  return each(except, `${path}.except`, (excepted, at) => {
    const problems = cidrProblems(excepted);
    if (problems.length === 0 && !isStrictSubset(excepted, cidr))
      return [invalid(at, excepted, "must be a strict subset of `cidr`")];
    return problems.map((problem) => invalid(at, excepted, problem));
  });
}

function validateTypes(sent: readonly string[]): FieldErrors {
  const path = "spec.policyTypes";
  if (sent.length > policyTypes.length)
    return [invalid(path, sent, "may not specify more than two policyTypes")];
  return each(sent, path, (type, at) =>
    policyTypes.includes(type) ? none : [notSupported(at, type, policyTypes)],
  );
}
