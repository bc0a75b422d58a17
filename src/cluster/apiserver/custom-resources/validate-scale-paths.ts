import { type FieldError, invalid } from "../../../api/field-error.ts";
import type { CustomResourceSubresourceScale } from "../../../api/generated/apiextensions-v1.ts";
import type { Json } from "../../../api/json.ts";
import { valueAtPath } from "../../../api/value-at-path.ts";

const largest = 2 ** 31 - 1;

/** Validates the values of an object that its scale subresource shows. */
export function validateScalePaths(
  object: Json,
  scale: CustomResourceSubresourceScale | undefined,
): readonly FieldError[] {
  if (scale === undefined) return [];
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale;
  return [
    ...replicasProblems(object, specReplicasPath),
    ...replicasProblems(object, statusReplicasPath),
    ...selectorProblems(object, labelSelectorPath),
  ];
}

function replicasProblems(object: Json, path: string): readonly FieldError[] {
  const value = valueAtPath(object, path);
  if (value === undefined) return [];
  if (typeof value !== "number" || !Number.isInteger(value))
    return [invalid(path, 0, `${path} accessor error: ${shown(value)}, expected int64`)];
  if (value < 0) return [invalid(path, value, "should be a non-negative integer")];
  return value > largest ? [invalid(path, value, `should be less than or equal to ${largest}`)] : [];
}

function selectorProblems(object: Json, path: string | undefined): readonly FieldError[] {
  const value = path === undefined ? undefined : valueAtPath(object, path);
  if (path === undefined || value === undefined || typeof value === "string") return [];
  return [invalid(path, "", `${path} accessor error: ${shown(value)}, expected string`)];
}

/** Names a value and its type as Go does. */
function shown(value: Json): string {
  if (value === null) return "<nil> is of the type <nil>";
  if (Array.isArray(value)) return `${JSON.stringify(value)} is of the type []interface {}`;
  if (typeof value === "object") return `${JSON.stringify(value)} is of the type map[string]interface {}`;
  const type = typeof value === "boolean" ? "bool" : typeof value === "string" ? "string" : "float64";
  return `${String(value)} is of the type ${type}`;
}
