import { invalid, notSupported } from "../../field-error.ts";
import type { NetworkPolicy, NetworkPolicyPort, NetworkPolicySpec } from "../../generated/networking-v1.ts";
import { eachItem, fillAbsent, mapMembers } from "../defaulting.ts";
import { each, type FieldErrors, none, portNumberOrName, supported } from "../field-checks.ts";
import type { KindStrategy } from "../kind-strategy.ts";
import { validateSelector } from "../label-selectors.ts";
import type { Sent } from "../sent.ts";

const policyTypes = ["Ingress", "Egress"];

/** The strategy of NetworkPolicies, which are stored, not enforced. */
export const networkPolicyStrategy: KindStrategy<Sent<NetworkPolicy>> = {
  defaults(object) {
    return mapMembers(fillAbsent(object, { spec: {} }), { spec: specDefaults });
  },
  validate({ spec = {} }) {
    return [
      ...validateSelector(spec.podSelector, "spec.podSelector"),
      ...each(spec.ingress, "spec.ingress", ({ ports }, at) => each(ports, `${at}.ports`, validatePort)),
      ...each(spec.egress, "spec.egress", ({ ports }, at) => each(ports, `${at}.ports`, validatePort)),
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
  const isReversed = typeof port === "number" && endPort !== undefined && endPort < port;
  return [
    ...supported(protocol, `${path}.protocol`, ["TCP", "UDP", "SCTP"]),
    ...(port === undefined ? none : portNumberOrName(port, `${path}.port`)),
    ...(isReversed ? [invalid(`${path}.endPort`, endPort, "must be greater than or equal to `port`")] : none),
  ];
}

function validateTypes(sent: readonly string[]): FieldErrors {
  const path = "spec.policyTypes";
  if (sent.length > policyTypes.length)
    return [invalid(path, sent, "may not specify more than two policyTypes")];
  return each(sent, path, (type, at) =>
    policyTypes.includes(type) ? none : [notSupported(at, type, policyTypes)],
  );
}
