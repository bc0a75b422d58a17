import type { ApiError } from "../../../machinery/client/api-error.ts";
import { applyConflict } from "../status-errors.ts";
import type { FieldConflict } from "./apply-configuration.ts";
import { pathsOf } from "./field-set.ts";
import type { FieldsEntry } from "./fields-entry.ts";
import { formatPath } from "./path-element.ts";

/** Returns a 409 with the fields in conflict, in the words of kube-apiserver, which kubectl's users know. */
export function conflictError(conflicts: readonly FieldConflict[]): ApiError {
  const found = conflicts
    .map(({ with: entry, fields }) => ({ manager: nameOf(entry), paths: pathsOf(fields).map(formatPath) }))
    .sort((left, right) => (left.manager < right.manager ? -1 : 1));
  const causes = found.flatMap(({ manager, paths }) =>
    paths.map((field) => ({ reason: "FieldManagerConflict", message: `conflict with ${manager}`, field })),
  );
  const [only, ...more] = causes;
  if (only !== undefined && more.length === 0)
    return applyConflict(`Apply failed with 1 conflict: ${only.message}: ${only.field}`, causes);
  const lines = found.flatMap(({ manager, paths }) => [
    `conflicts with ${manager}:`,
    ...paths.map((path) => `- ${path}`),
  ]);
  return applyConflict(`Apply failed with ${causes.length} conflicts: ${lines.join("\n")}`, causes);
}

function nameOf({ manager, operation, apiVersion, subresource }: FieldsEntry): string {
  const name = JSON.stringify(manager);
  const full = subresource === undefined ? name : `${name} with subresource ${JSON.stringify(subresource)}`;
  return operation === "Update" ? `${full} using ${apiVersion}` : full;
}
