import type { JsonObject } from "../../api/json.ts";
import type { Change } from "../../api/kinds/manners.ts";
import type { ApiRequest } from "./api-request.ts";
import type { ServerContext } from "./server-context.ts";

/** Lets a new object in, completed by what the cluster knows; throws when it may not come in. */
export function admitCreate(_context: ServerContext, _request: ApiRequest, object: JsonObject): JsonObject {
  return object;
}

/** The same for the next version of an object. */
export function admitUpdate(_context: ServerContext, _request: ApiRequest, { next }: Change): JsonObject {
  return next;
}

/** Whether an object may be deleted at all; throws when it may not. */
export function admitDelete(_request: ApiRequest): void {}
