import { type FieldError, invalid } from "../field-error.ts";
import type { JsonObject } from "../json.ts";

/** The list to which readers add errors. */
export type Errors = FieldError[];

/** The path of a member; the outermost object has none of its own. */
export function memberOf(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

/** Reports unknown members as errors. */
export function rejectUnknown(
  value: JsonObject,
  { path, known }: { readonly path: string; readonly known: readonly string[] },
  errors: Errors,
): void {
  for (const [name, member] of Object.entries(value))
    if (!known.includes(name))
      errors.push(invalid(memberOf(path, name), member, `unknown field, must be one of ${known.join(", ")}`));
}
