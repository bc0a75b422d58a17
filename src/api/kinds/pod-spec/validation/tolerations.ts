import { invalid, notSupported } from "../../../field-error.ts";
import type { Toleration } from "../../../generated/core-v1.ts";
import { labelValueProblems } from "../../../labels/label-syntax.ts";
import { each, type FieldErrors, none, requiredOneOf } from "../../field-checks.ts";
import { validateLabelKey } from "../../label-selectors.ts";
import type { Sent } from "../../sent.ts";

const effects = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

/** Validates the effect of a taint, which a toleration may leave out to mean all of them. */
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
      // Behind a gate that is off upstream, too.
      return [notSupported(at, operator, ["Equal", "Exists", "Lt", "Gt"])];
    default:
      return [notSupported(at, operator, ["Equal", "Exists"])];
  }
}
