import type { Status } from "../../../api/generated/meta-v1.ts";
import type { StoreRecord } from "../../store/store.ts";
import type { ApiResponse } from "../request/api-response.ts";
import type { Deletion } from "../request/delete-options.ts";
import type { ServedResource } from "../served-resource.ts";
import type { ServerContext } from "../server-context.ts";
import { commitPut, commitRemove, type WriteResult } from "../storage/commit.ts";
import { type ServedObject, toServed } from "../storage/served-object.ts";
import { checkPreconditions } from "../storage/stored-object.ts";
import { metadataOf } from "./object-meta.ts";
import { planDeletion } from "./plan-deletion.ts";

/** An object to delete, and the options of the delete. */
export interface DeletionRequest {
  readonly resource: ServedResource;
  readonly record: StoreRecord;
  readonly deletion: Deletion;
}

/** Deletes an object, or marks it for deletion where finalizers or a kubelet have to act first. */
export async function deleteObject(context: ServerContext, request: DeletionRequest): Promise<ApiResponse> {
  const { resource, record } = request;
  const { orphansByDefault = false, deleteWarning } = resource.strategy;
  const current = toServed(resource, record);
  checkPreconditions(resource, record, request.deletion.preconditions ?? {});
  const deletion = { ...request.deletion, orphansByDefault };
  const answer = await perform(context, { ...request, deletion }, current);
  const isDefault = deletion.propagation === undefined && deleteWarning !== undefined;
  return isDefault ? { ...answer, warnings: [deleteWarning] } : answer;
}

async function perform(
  context: ServerContext,
  { resource, deletion }: Pick<DeletionRequest, "resource" | "deletion">,
  current: ServedObject,
): Promise<ApiResponse> {
  const plan = planDeletion(current.object, deletion, context.clock.now());
  const { dryRun } = deletion;
  switch (plan.do) {
    case "nothing": {
      // It is being deleted already, perhaps by a commit that may still be lost.
      const waits = context.store.flushed();
      if (waits !== undefined) await waits;
      return stillThere(current, deletion);
    }
    case "mark": {
      const written = commitPut(context, { resource, object: plan.object, dryRun });
      await written.durable;
      return stillThere(written.item, deletion);
    }
    case "mark-and-remove": {
      const { item } = commitPut(context, { resource, object: plan.object, dryRun });
      return removedResponse(resource, commitRemove(context, { resource, object: item.object, dryRun }));
    }
    case "remove":
      return removedResponse(resource, commitRemove(context, { resource, object: current.object, dryRun }));
  }
}

function stillThere(item: ServedObject, { orphanDependents }: Deletion): ApiResponse {
  return { kind: "object", code: orphanDependents === false ? 202 : 200, item };
}

async function removedResponse(
  resource: ServedResource,
  { item, durable }: WriteResult,
): Promise<ApiResponse> {
  await durable;
  if (resource.strategy.returnsObjectOnDelete === true)
    return { kind: "object", code: 200, item, removed: true };
  return { kind: "status", code: 200, status: successStatusOf(resource, item) };
}

function successStatusOf(resource: ServedResource, { object }: ServedObject): Status {
  const { name = "", uid = "" } = metadataOf(object);
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    details: { name, ...(resource.group !== "" && { group: resource.group }), kind: resource.plural, uid },
  };
}
