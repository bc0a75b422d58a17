import type { ApiRequest } from "../api-request.ts";
import type { ApiResponse } from "../api-response.ts";
import { notFound } from "../failures.ts";
import { served } from "../item.ts";
import { collectionOf, type ServerContext } from "../server-context.ts";
import { requestKey } from "../stored-object.ts";
import { withVirtualLeases } from "../virtual-leases.ts";
import { waitForRevision } from "../wait-for-revision.ts";
import { revisionOf } from "../watch/list-options.ts";

/** Reads one object. */
export async function get(context: ServerContext, request: ApiRequest): Promise<ApiResponse> {
  const { resource, name = "", options } = request;
  await waitForRevision(context, revisionOf(options.resourceVersion) ?? 0, request.signal);
  const view = withVirtualLeases(context, resource, collectionOf(context, resource));
  const record = view.get(requestKey(request));
  if (record === undefined) throw notFound(resource, name);
  return { kind: "object", code: 200, item: served(resource, record) };
}
