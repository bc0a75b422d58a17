import { invalid } from "../../../../api/field-error.ts";
import type { ResourceQuota } from "../../../../api/generated/core-v1.ts";
import { qualifiedNameProblems } from "../../../../api/labels/label-syntax.ts";
import { formatQuantity } from "../../../../api/quantity/format-quantity.ts";
import { parseQuantity, zero } from "../../../../api/quantity/quantity.ts";
import { type FieldErrors, none } from "../../../../api/field-checks.ts";
import type { KindStrategy } from "../kind-strategy.ts";
import { isHugePages } from "../../../../api/resource-names.ts";
import { validateAmount } from "../pod-spec/validation/resources.ts";
import type { Sent } from "../../../../api/sent.ts";
import { validateSameScopes, validateScopes } from "./validate-scopes.ts";

/** The resources that are counted in whole objects. */
const objectCounts: ReadonlySet<string> = new Set([
  "pods",
  "resourcequotas",
  "services",
  "replicationcontrollers",
  "secrets",
  "configmaps",
  "persistentvolumeclaims",
  "services.nodeports",
  "services.loadbalancers",
]);
const measured: ReadonlySet<string> = new Set([
  "cpu",
  "memory",
  "ephemeral-storage",
  "requests.cpu",
  "requests.memory",
  "requests.storage",
  "requests.ephemeral-storage",
  "limits.cpu",
  "limits.memory",
  "limits.ephemeral-storage",
]);

/** The strategy of ResourceQuotas. */
export const resourceQuotaStrategy: KindStrategy<Sent<ResourceQuota>> = {
  validate({ spec = {} }) {
    return [...validateHard(spec.hard ?? {}), ...validateScopes(spec, isStandard)];
  },
  validateUpdate: ({ next, previous }) =>
    validateSameScopes({ next: next.spec ?? {}, previous: previous.spec ?? {} }),
  needsComponent: true,
  unconditionalUpdate: true,
  returnsObjectOnDelete: true,
};

function validateHard(hard: Readonly<Record<string, string | number>>): FieldErrors {
  return Object.entries(hard).flatMap(([name, value]) => {
    const at = `spec.hard[${name}]`;
    const amount = parseQuantity(value) ?? zero;
    const errors = nameProblems(name).map((problem) => invalid(at, name, problem));
    const isBroken = objectCounts.has(name) && amount.nanos % 1_000_000_000n !== 0n;
    return [
      ...errors,
      ...validateAmount(name, amount, at),
      ...(isBroken ? [invalid(at, formatQuantity(amount), "must be an integer")] : none),
    ];
  });
}

function isStandard(name: string): boolean {
  return objectCounts.has(name) || measured.has(name);
}

function nameProblems(name: string): readonly string[] {
  const syntax = qualifiedNameProblems(name);
  const isKnown = name.includes("/") || isStandard(name) || isHugePages(name.replace(/^requests\./, ""));
  return isKnown ? syntax : [...syntax, "must be a standard resource for quota"];
}
