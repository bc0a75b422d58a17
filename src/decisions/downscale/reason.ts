import type { Pod } from "../../api/generated/core-v1.ts";
import type { Key, Rule, RuleName } from "./rules.ts";

/** The rule that separates a Pod from another, and the values it compared. */
export interface Reason {
  readonly rule: RuleName;
  /** What the values count, where the rule's name alone does not say. */
  readonly unit?: NonNullable<Rule["unit"]>;
  readonly value: Key;
  readonly against: { readonly pod: Pod; readonly value: Key };
}

/** A Pod that is removed or stays, and why. */
export interface DecidedPod {
  readonly pod: Pod;
  readonly because?: Reason;
}

/** The reason for a rule and the values it compared. */
export function reasonOf(rule: Rule, value: Key, against: Reason["against"]): Reason {
  const { name, unit } = rule;
  return unit === undefined ? { rule: name, value, against } : { rule: name, unit, value, against };
}
