import type { Status } from "../../../api/generated/meta-v1.ts";
import type { StoreRecord } from "../../store/store.ts";
import type { ApiResponse } from "../api-response.ts";
import { type Item, served } from "../item.ts";
import { metadataOf } from "../metadata.ts";
import type { ServedResource } from "../served-resource.ts";
import type { ServerContext } from "../server-context.ts";
import { refuseOther } from "../stored-object.ts";
import { commitPut, commitRemove, type Written } from "../writing/commit.ts";
import type { Deletion } from "./delete-options.ts";
import { planDeletion } from "./plan-deletion.ts";

/** What is to be deleted, and how. */
export interface DeletionRequest {
  readonly resource: ServedResource;
  readonly record: StoreRecord;
  readonly deletion: Deletion;
}

/** Deletes an object, or begins to. */
export async function deleteObject(context: ServerContext, request: DeletionRequest): Promise<ApiResponse> {
  const { resource, record, deletion } = request;
  const current = served(resource, record);
  refuseOther(resource, record, deletion.preconditions ?? {});
  const plan = planDeletion(current.object, deletion, context.clock.now());
  const { dryRun } = deletion;
  switch (plan.do) {
    case "nothing":
      return stays(current, deletion);
    case "mark": {
      const written = commitPut(context, { resource, object: plan.object, dryRun });
      await written.durable;
      return stays(written.item, deletion);
    }
    case "mark-and-remove": {
      const { item } = commitPut(context, { resource, object: plan.object, dryRun });
      return gone(resource, commitRemove(context, { resource, object: item.object, dryRun }));
    }
    case "remove":
      return gone(resource, commitRemove(context, { resource, object: current.object, dryRun }));
  }
}

function stays(item: Item, { orphanDependents }: Deletion): ApiResponse {
  return { kind: "object", code: orphanDependents === false ? 202 : 200, item };
}

async function gone(resource: ServedResource, { item, durable }: Written): Promise<ApiResponse> {
  await durable;
  if (resource.manners.returnsObjectOnDelete === true)
    return { kind: "object", code: 200, item, removed: true };
  return { kind: "status", code: 200, status: removed(resource, item) };
}

function removed(resource: ServedResource, { object }: Item): Status {
  const { name = "", uid = "" } = metadataOf(object);
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    details: { name, ...(resource.group !== "" && { group: resource.group }), kind: resource.plural, uid },
  };
}
