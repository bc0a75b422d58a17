import { checkPatched, expectedKindOf } from "../decoding/decode-body.ts";
import { applyPatch, isApply, readPatch } from "../patch/apply-patch.ts";
import { withNameFromUrl } from "../registry/name-from-url.ts";
import { metadataOf } from "../registry/object-meta.ts";
import { updateObject } from "./update.ts";
import type { ApiRequest } from "../request/api-request.ts";
import type { ApiResponse } from "../request/api-response.ts";
import { patchOptionsOf } from "../request/write-options.ts";
import type { ServerContext } from "../server-context.ts";
import { missingBody, notFoundError, optimisticLockConflict } from "../status-errors.ts";
import { currentRecord } from "../storage/convert-ahead.ts";
import { toServed } from "../storage/served-object.ts";
import { isAnyVersion } from "../storage/stored-object.ts";
import { apply } from "./apply.ts";

/** Handles a patch of an object or its status: applied to the newest stored version. */
export async function patch(context: ServerContext, request: ApiRequest): Promise<ApiResponse> {
  const { resource, name = "", subresource } = request;
  if (request.patch === undefined) throw missingBody();
  const { dryRun, fieldValidation } = patchOptionsOf(request.options, isApply(request.patch));
  if (isApply(request.patch)) return apply(context, request);
  const body = readPatch(request.patch, resource.schema.mergeRule !== undefined);
  const found = currentRecord(context, request);
  const stored = found instanceof Promise ? await found : found;
  if (stored === undefined) throw notFoundError(resource, name);
  const previous = toServed(resource, stored).object;
  const patched = applyPatch(previous, body, resource.schema);
  const { object, warnings } = checkPatched(patched, expectedKindOf(resource), {
    validation: fieldValidation,
    strictErrors: body.strictErrors,
    patch: body.value,
    known: previous,
  });
  const { resourceVersion = "" } = metadataOf(object);
  if (!isAnyVersion(resourceVersion) && resourceVersion !== previous.metadata.resourceVersion)
    throw optimisticLockConflict(resource, name);
  return updateObject(context, {
    request,
    stored,
    object: withNameFromUrl(object, request),
    writable: subresource === "status" ? "status" : "spec",
    dryRun,
    warnings,
    retry: (again) => patch(context, again),
  });
}
