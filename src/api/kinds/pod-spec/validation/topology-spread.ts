import { duplicate, invalid, required } from "../../../field-error.ts";
import type { TopologySpreadConstraint } from "../../../generated/core-v1.ts";
import { each, type FieldErrors, none, positive, supported } from "../../field-checks.ts";
import { validateSelector } from "../../label-selectors.ts";
import type { Sent } from "../../sent.ts";
import { validateLabelKeys } from "./label-keys.ts";

type Constraint = Sent<TopologySpreadConstraint>;

/** Validates how a Pod wants to be spread. */
export function validateTopologySpread(
  constraints: readonly Constraint[] | undefined,
  path: string,
): FieldErrors {
  const lastWith = new Map((constraints ?? []).map((constraint, index) => [titleOf(constraint), index]));
  return each(constraints, path, (constraint, at, index) => {
    // upstream reports the earlier of two alike
    const isRepeated = lastWith.get(titleOf(constraint)) !== index;
    const repeated = duplicate(`${at}.{topologyKey, whenUnsatisfiable}`, titleOf(constraint));
    return [...validateConstraint(constraint, at), ...(isRepeated ? [repeated] : none)];
  });
}

function titleOf({ topologyKey = "", whenUnsatisfiable = "" }: Constraint): string {
  return `{${topologyKey}, ${whenUnsatisfiable}}`;
}

function validateConstraint(constraint: Constraint, path: string): FieldErrors {
  const { topologyKey = "", whenUnsatisfiable = "" } = constraint;
  const policies = ["Honor", "Ignore"];
  return [
    ...positive(constraint.maxSkew, `${path}.maxSkew`),
    ...(topologyKey === "" ? [required(`${path}.topologyKey`, "can not be empty")] : none),
    ...supported(whenUnsatisfiable, `${path}.whenUnsatisfiable`, ["DoNotSchedule", "ScheduleAnyway"]),
    ...validateMinDomains(constraint, `${path}.minDomains`),
    ...supported(constraint.nodeAffinityPolicy, `${path}.nodeAffinityPolicy`, policies),
    ...supported(constraint.nodeTaintsPolicy, `${path}.nodeTaintsPolicy`, policies),
    ...validateLabelKeys(constraint, path),
    ...validateSelector(constraint.labelSelector, `${path}.labelSelector`),
  ];
}

function validateMinDomains({ minDomains, whenUnsatisfiable = "" }: Constraint, path: string): FieldErrors {
  if (minDomains === undefined) return none;
  const rule = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`;
  const soft = whenUnsatisfiable === "DoNotSchedule" ? none : [invalid(path, minDomains, rule)];
  return [...positive(minDomains, path), ...soft];
}
