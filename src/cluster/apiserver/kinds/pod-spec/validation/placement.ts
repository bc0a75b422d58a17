import { duplicate, forbidden, invalid, notSupported, required } from "../../../../../api/field-error.ts";
import type { Toleration, TopologySpreadConstraint } from "../../../../../api/generated/core-v1.ts";
import type { LabelSelector } from "../../../../../api/generated/meta-v1.ts";
import { labelValueProblems } from "../../../../../api/labels/label-syntax.ts";
import {
  each,
  type FieldErrors,
  none,
  positive,
  requiredOneOf,
  supported,
} from "../../../../../api/field-checks.ts";
import { validateLabelKey, validateSelector } from "../../../../../api/labels/validate-selector.ts";
import type { LabelKeys } from "../../../../../api/pod/merge-label-keys.ts";
import type { Sent } from "../../../../../api/sent.ts";

const effects = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

/** Validates the effect of a taint; in a toleration an empty effect matches all effects. */
export function validateTaintEffect(effect: string | undefined, path: string): FieldErrors {
  return requiredOneOf(effect, path, effects);
}

/** Validates tolerations. */
export function validateTolerations(
  tolerations: readonly Sent<Toleration>[] | undefined,
  path: string,
): FieldErrors {
  return each(tolerations, path, (toleration, at) => {
    const { key = "", effect = "" } = toleration;
    return [
      ...(key === "" ? none : validateLabelKey(key, `${at}.key`)),
      ...validateMatchAll(toleration, `${at}.operator`),
      ...validateSeconds(toleration, `${at}.effect`),
      ...validateOperator(toleration, at),
      ...(effect === "" ? none : validateTaintEffect(effect, `${at}.effect`)),
    ];
  });
}

function validateMatchAll({ key = "", operator = "" }: Sent<Toleration>, path: string): FieldErrors {
  if (key !== "" || operator === "Exists") return none;
  const rule = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
  return [invalid(path, operator, rule)];
}

function validateSeconds({ tolerationSeconds, effect = "" }: Sent<Toleration>, path: string): FieldErrors {
  if (tolerationSeconds === undefined || effect === "NoExecute") return none;
  return [invalid(path, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set")];
}

function validateOperator({ operator = "", value = "" }: Sent<Toleration>, path: string): FieldErrors {
  const at = `${path}.operator`;
  switch (operator) {
    case "":
    case "Equal": {
      const problems = labelValueProblems(value);
      return problems.length === 0 ? none : [invalid(at, value, problems.join(";"))];
    }
    case "Exists":
      return value === "" ? none : [invalid(at, value, "value must be empty when `operator` is 'Exists'")];
    case "Lt":
    case "Gt":
      // Upstream these operators are behind a feature gate that is off by default.
      return [notSupported(at, operator, ["Equal", "Exists", "Lt", "Gt"])];
    default:
      return [notSupported(at, operator, ["Equal", "Exists"])];
  }
}

type Constraint = Sent<TopologySpreadConstraint>;

/** Validates topology spread constraints. */
export function validateTopologySpread(
  constraints: readonly Constraint[] | undefined,
  path: string,
): FieldErrors {
  const lastWith = new Map((constraints ?? []).map((constraint, index) => [titleOf(constraint), index]));
  return each(constraints, path, (constraint, at, index) => {
    // upstream reports the earlier of two equal constraints
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

/**
 * Validates keys that are merged into the selector. At creation this has already happened, so a key is a duplicate
 * only if the selector has it twice.
 */
export function validateLabelKeys(keys: LabelKeys, path: string): FieldErrors {
  const { matchLabelKeys, mismatchLabelKeys, labelSelector } = keys;
  const mismatched = new Set(mismatchLabelKeys);
  return [
    ...validateKeys(matchLabelKeys, `${path}.matchLabelKeys`, labelSelector),
    ...validateKeys(mismatchLabelKeys, `${path}.mismatchLabelKeys`, labelSelector),
    ...validateNotInSelector(matchLabelKeys ?? [], labelSelector ?? {}, path),
    ...each(matchLabelKeys, `${path}.matchLabelKeys`, (key, at) =>
      mismatched.has(key) ? [invalid(at, key, "exists in both matchLabelKeys and mismatchLabelKeys")] : none,
    ),
  ];
}

function validateKeys(
  keys: readonly string[] | undefined,
  path: string,
  selector: Sent<LabelSelector> | undefined,
): FieldErrors {
  if (keys === undefined || keys.length === 0) return none;
  if (selector === undefined) return [forbidden(path, "must not be specified when labelSelector is not set")];
  return each(keys, path, validateLabelKey);
}

// upstream gives these errors the index of the key, but the path of the term
function validateNotInSelector(
  keys: readonly string[],
  selector: Sent<LabelSelector>,
  path: string,
): FieldErrors {
  const seen = new Set(Object.keys(selector.matchLabels ?? {}));
  const indexes = new Map(keys.map((key, index) => [key, index]));
  return (selector.matchExpressions ?? []).flatMap(({ key = "" }) => {
    const index = indexes.get(key);
    const isTwice = index !== undefined && seen.has(key);
    seen.add(key);
    return isTwice
      ? [invalid(`${path}[${index}]`, key, "exists in both matchLabelKeys and labelSelector")]
      : none;
  });
}
