import { invalid } from "../../../../api/field-error.ts";
import { type FieldErrors, none } from "../../../../api/field-checks.ts";

/** Validates the `apiVersion` of a reference: at most one slash, and a group unless the core group is allowed. */
export function validateApiVersion(
  apiVersion: string,
  path: string,
  { allowsCore }: { readonly allowsCore: boolean },
): FieldErrors {
  const parts = apiVersion.split("/");
  if (parts.length > 2) return [invalid(path, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)];
  const hasGroup = parts.length === 2 && parts[0] !== "";
  return hasGroup || allowsCore ? none : [invalid(path, apiVersion, "apiVersion must specify API group")];
}
