import { duplicate, forbidden, invalid } from "../../../../api/field-error.ts";
import type { Node, NodeSpec, NodeStatus, Taint } from "../../../../api/generated/core-v1.ts";
import { cidrProblems } from "../../../../api/ip-address.ts";
import { labelValueProblems } from "../../../../api/labels/label-syntax.ts";
import { parseQuantity, zero } from "../../../../api/quantity/quantity.ts";
import { fillAbsent, mapMembers } from "../../../../api/defaulting.ts";
import { each, type FieldErrors, none } from "../../../../api/field-checks.ts";
import type { KindStrategy, ObjectUpdate } from "../kind-strategy.ts";
import { validateLabelKey } from "../../../../api/labels/validate-selector.ts";
import { validateTaintEffect } from "../pod-spec/validation/placement.ts";
import { validateAmount } from "../pod-spec/validation/resources.ts";
import { equalField } from "../../../../api/schema/semantic-equality.ts";
import type { Sent } from "../../../../api/sent.ts";

/** The strategy of Nodes; they keep the status that the kubelet creates them with. */
export const nodeStrategy: KindStrategy<Sent<Node>> = {
  defaults(object) {
    return mapMembers(object, { spec: withBothCidrs, status: statusDefaults });
  },
  validate({ spec = {}, status = {} }) {
    return [
      // upstream puts the errors of taints under metadata
      ...validateTaints(spec.taints, "metadata.taints"),
      ...validateStatus(status),
      ...each(spec.podCIDRs, "spec.podCIDRs", (cidr, at) =>
        cidrProblems(cidr).map((problem) => invalid(at, cidr, problem)),
      ),
    ];
  },
  validateUpdate: validateAssignedFields,
  validateStatusUpdate({ next }) {
    return validateStatus(next.status ?? {});
  },
  selectableFields({ spec }) {
    return { "spec.unschedulable": String(spec?.unschedulable === true) };
  },
  unconditionalUpdate: true,
  keepsStatusOnCreate: true,
};

/** Fills in `allocatable`, by default `capacity`. */
function statusDefaults(status: Sent<NodeStatus>): Sent<NodeStatus> {
  return status.capacity === undefined ? status : fillAbsent(status, { allocatable: status.capacity });
}

/** Fills in `podCIDR`, the first of `podCIDRs`. */
function withBothCidrs(spec: Sent<NodeSpec>): Sent<NodeSpec> {
  const { podCIDR = "", podCIDRs = [] } = spec;
  const [first = ""] = podCIDRs;
  if (podCIDR === first) return spec;
  return podCIDR === "" ? { ...spec, podCIDR: first } : { ...spec, podCIDRs: [podCIDR] };
}

function validateTaints(taints: readonly Sent<Taint>[] | undefined, path: string): FieldErrors {
  const taken = new Set<string>();
  return each(taints, path, (taint, at) => {
    const { key = "", value = "", effect = "" } = taint;
    const isRepeated = taken.has(`${effect} ${key}`);
    taken.add(`${effect} ${key}`);
    const problems = labelValueProblems(value);
    return [
      ...validateLabelKey(key, `${at}.key`),
      ...(problems.length === 0 ? none : [invalid(`${at}.value`, value, problems.join(";"))]),
      ...validateTaintEffect(effect, `${at}.effect`),
      ...(isRepeated ? [duplicate(at, taint, "taints must be unique by key and effect pair")] : none),
    ];
  });
}

function validateStatus({ capacity, allocatable, addresses }: Sent<NodeStatus>): FieldErrors {
  const taken = new Set<string>();
  return [
    ...validateAmounts(capacity, "status.capacity"),
    ...validateAmounts(allocatable, "status.allocatable"),
    ...each(addresses, "status.addresses", (address, at) => {
      const title = `${address.type} ${address.address}`;
      const isRepeated = taken.has(title);
      taken.add(title);
      return isRepeated ? [duplicate(at, address)] : none;
    }),
  ];
}

function validateAmounts(
  amounts: Readonly<Record<string, string | number>> | undefined,
  path: string,
): FieldErrors {
  return Object.entries(amounts ?? {}).flatMap(([name, amount]) =>
    validateAmount(name, parseQuantity(amount) ?? zero, `${path}.${name}`),
  );
}

/** Validates that `podCIDRs` and `providerID`, once set, do not change. */
function validateAssignedFields({ next, previous }: ObjectUpdate<Sent<Node>>): FieldErrors {
  const { spec = {} } = next;
  const { spec: before = {} } = previous;
  const { podCIDRs = [], providerID = "" } = before;
  const changesCidrs = podCIDRs.length > 0 && !equalField("core.v1.NodeSpec", [before, spec], "podCIDRs");
  const changesProvider = providerID !== "" && providerID !== spec.providerID;
  const rule = (member: string): string => `node updates may not change ${member} except from "" to valid`;
  return [
    ...(changesCidrs ? [forbidden("spec.podCIDRs", rule("podCIDR"))] : none),
    ...(changesProvider ? [forbidden("spec.providerID", rule("providerID"))] : none),
  ];
}
