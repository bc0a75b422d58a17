import type { Namespace } from "../../../../api/generated/core-v1.ts";
import { isJsonObject, type JsonObject } from "../../../../api/json.ts";
import { validateQualifiedFinalizers } from "../../kinds/object-meta/validate-object-meta.ts";
import type { Sent } from "../../../../api/sent.ts";
import { decodeRequestBody, expectedKindOf } from "../../decoding/decode-body.ts";
import { withNameFromUrl } from "../../registry/name-from-url.ts";
import { isReadyForRemoval, metadataOf } from "../../registry/object-meta.ts";
import type { ApiRequest } from "../../request/api-request.ts";
import type { ApiResponse } from "../../request/api-response.ts";
import { writeOptionsOf } from "../../request/write-options.ts";
import type { ServerContext } from "../../server-context.ts";
import { invalidObject, optimisticLockConflict } from "../../status-errors.ts";
import { commitPut, commitRemove } from "../../storage/commit.ts";
import { getStored, isSuperseded } from "../../storage/stored-object.ts";

/** Handles an update of `namespaces/finalize`: removes a namespace that is being deleted with its last finalizer. */
export async function finalize(context: ServerContext, request: ApiRequest): Promise<ApiResponse> {
  const { resource, name = "" } = request;
  const { dryRun } = writeOptionsOf(request.options, "UpdateOptions");
  const sent = withNameFromUrl(decodeRequestBody(request, expectedKindOf(resource)).object, request);
  const stored = getStored(context, request);
  const { resourceVersion = "" } = metadataOf(sent);
  if (resourceVersion !== "" && resourceVersion !== stored.object.metadata.resourceVersion)
    throw optimisticLockConflict(resource, name);
  const object = withSpecFinalizers(stored.object, sent);
  checkFinalizers(request, object);
  const review = context.webhooks.reviewOf(request, "UPDATE", { dryRun });
  if (review !== undefined) {
    await review.check({ object, oldObject: stored.object });
    if (isSuperseded(context, resource, stored)) throw optimisticLockConflict(resource, name);
  }
  if (resource.schema.isSame(object, stored.object)) return { kind: "object", code: 200, item: stored };
  const removed = isReadyForRemoval(object);
  const commit = removed ? commitRemove : commitPut;
  const { item, durable } = commit(context, { resource, object, dryRun });
  await durable;
  return { kind: "object", code: 200, item, removed };
}

function checkFinalizers({ resource, name = "" }: ApiRequest, namespace: Sent<Namespace>): void {
  const errors = validateQualifiedFinalizers(namespace.spec?.finalizers ?? [], "spec.finalizers");
  if (errors.length > 0) throw invalidObject(resource, name, errors);
}

function withSpecFinalizers(stored: JsonObject, sent: JsonObject): JsonObject {
  const { spec } = sent;
  const finalizers = (isJsonObject(spec) ? spec["finalizers"] : undefined) ?? [];
  return { ...stored, spec: { ...(isJsonObject(stored["spec"]) && stored["spec"]), finalizers } };
}
