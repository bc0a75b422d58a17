import type { ApiRequest } from "../request/api-request.ts";
import type { ApiResponse } from "../request/api-response.ts";
import { revisionOf } from "../request/list-options.ts";
import { collectionOf, type ServerContext } from "../server-context.ts";
import { notFoundError } from "../status-errors.ts";
import { readAhead } from "../storage/convert-ahead.ts";
import { toServed } from "../storage/served-object.ts";
import { requestKey } from "../storage/stored-object.ts";
import { withVirtualLeases } from "../storage/virtual-leases.ts";
import { waitForRevision } from "../storage/wait-for-revision.ts";

/** Handles a get. */
export async function get(context: ServerContext, request: ApiRequest): Promise<ApiResponse> {
  const { resource, name = "", options } = request;
  await waitForRevision(context, revisionOf(options.resourceVersion) ?? 0, request.signal);
  const view = withVirtualLeases(context, resource, collectionOf(context, resource));
  const record = view.get(requestKey(request));
  if (record === undefined) throw notFoundError(resource, name);
  const converted = readAhead(resource, [record]);
  if (converted !== undefined) await converted;
  return { kind: "object", code: 200, item: toServed(resource, record) };
}
