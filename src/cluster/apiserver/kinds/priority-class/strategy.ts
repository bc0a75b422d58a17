import { forbidden } from "../../../../api/field-error.ts";
import type { PriorityClass } from "../../../../api/generated/scheduling-v1.ts";
import { type FieldErrors, immutable, none, requiredOneOf } from "../../../../api/field-checks.ts";
import { fillAbsent } from "../../../../api/defaulting.ts";
import type { KindStrategy } from "../kind-strategy.ts";
import type { Sent } from "../../../../api/sent.ts";

const highestForUsers = 1_000_000_000;

/** The built-in PriorityClasses and their values. */
export const systemPriorities: ReadonlyMap<string, number> = new Map([
  ["system-node-critical", 2_000_001_000],
  ["system-cluster-critical", 2_000_000_000],
]);

/** The strategy of PriorityClasses. */
export const priorityClassStrategy: KindStrategy<Sent<PriorityClass>> = {
  defaults(object) {
    return fillAbsent(object, { preemptionPolicy: "PreemptLowerPriority" });
  },
  validate(object) {
    const policies = ["PreemptLowerPriority", "Never"];
    return [...validateRank(object), ...requiredOneOf(object.preemptionPolicy, "preemptionPolicy", policies)];
  },
  validateUpdate({ next, previous }) {
    const isMoved = (next.value ?? 0) !== (previous.value ?? 0);
    return [
      ...(isMoved ? [forbidden("value", "may not be changed in an update.")] : none),
      ...immutable(next.preemptionPolicy, previous.preemptionPolicy, "preemptionPolicy"),
    ];
  },
  generation: "spec",
  unconditionalUpdate: true,
};

function validateRank({ metadata, value = 0, globalDefault = false }: Sent<PriorityClass>): FieldErrors {
  const name = metadata?.name ?? "";
  if (!name.startsWith("system-")) {
    const rule = `maximum allowed value of a user defined priority is ${highestForUsers}`;
    return value > highestForUsers ? [forbidden("value", rule)] : none;
  }
  const problem = systemProblem(name, value, globalDefault);
  const rule = "priority class names with 'system-' prefix are reserved for system use only.";
  return problem === undefined ? none : [forbidden("metadata.name", `${rule} error: ${problem}`)];
}

function systemProblem(name: string, value: number, globalDefault: boolean): string | undefined {
  const known = systemPriorities.get(name);
  if (known === undefined) return `${name} is not a known system priority class`;
  if (value !== known) return `value of ${name} PriorityClass must be ${known}`;
  return globalDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}
