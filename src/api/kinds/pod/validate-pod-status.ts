import { forbidden, invalid } from "../../field-error.ts";
import type { Pod, PodCondition, PodStatus } from "../../generated/core-v1.ts";
import { ipProblems, parseIp } from "../../ip-address.ts";
import { dns1123SubdomainProblems } from "../../names.ts";
import { each, type FieldErrors, immutable, none, wellFormed } from "../field-checks.ts";
import { validateLabelKey } from "../label-selectors.ts";
import type { ObjectUpdate } from "../kind-strategy.ts";
import type { Sent } from "../sent.ts";
import { validateContainerStates } from "./validate-container-states.ts";

/** Validates what is said of a Pod's state. */
export function validatePodStatus(change: ObjectUpdate<Sent<Pod>>): FieldErrors {
  const { next, previous } = change;
  const { status = {} } = next;
  const before = previous.status ?? {};
  return [
    ...each(status.conditions, "status.conditions", validateCondition),
    ...validateNomination(status.nominatedNodeName ?? "", previous),
    ...generation(status.observedGeneration, "status.observedGeneration"),
    ...immutable(status.qosClass ?? "", before.qosClass ?? "", "status.qosClass"),
    ...validateContainerStates(change),
    ...validateIps(status.podIPs, before.podIPs, "status.podIPs"),
    ...validateHostIp(status),
    ...validateIps(status.hostIPs, before.hostIPs, "status.hostIPs"),
  ];
}

const ownConditions: ReadonlySet<string> = new Set(["PodScheduled", "Ready", "Initialized"]);

function validateCondition({ type = "", observedGeneration }: Sent<PodCondition>, path: string): FieldErrors {
  return [
    ...generation(observedGeneration, `${path}.observedGeneration`),
    ...(ownConditions.has(type) ? none : validateLabelKey(type, `${path}.Type`)),
  ];
}

function generation(value: number | undefined, path: string): FieldErrors {
  return value === undefined || value >= 0 ? none : [invalid(path, value, "must be a non-negative integer")];
}

function validateNomination(name: string, { spec, status }: Sent<Pod>): FieldErrors {
  if (name === "" || name === status?.nominatedNodeName) return none;
  const path = "status.nominatedNodeName";
  const isBound = (spec?.nodeName ?? "") !== "";
  return [
    ...wellFormed(name, path, dns1123SubdomainProblems),
    ...(isBound ? [forbidden(path, "may not be set on pods that are already bound to a node")] : none),
  ];
}

type Addresses = readonly { readonly ip?: string }[] | undefined;

function validateIps(next: Addresses, previous: Addresses, path: string): FieldErrors {
  const known = new Set(previous?.map(({ ip }) => ip));
  const syntax = each(next, path, ({ ip = "" }, at) =>
    known.has(ip) ? none : ipProblems(ip).map((problem) => invalid(at, ip, problem)),
  );
  const families = (next ?? []).map(({ ip = "" }) => parseIp(ip)?.length);
  const isClash = new Set(families).size !== families.length;
  return isClash
    ? [...syntax, invalid(path, next, "may specify no more than one IP for each IP family")]
    : syntax;
}

function validateHostIp({ hostIP = "", hostIPs = [] }: Sent<PodStatus>): FieldErrors {
  const first = hostIPs[0]?.ip ?? "";
  return hostIPs.length === 0 || first === hostIP
    ? none
    : [invalid("status.hostIPs[0].ip", first, "must be equal to `hostIP`")];
}
