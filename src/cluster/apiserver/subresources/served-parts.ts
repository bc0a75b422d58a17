import type { ApiRequest } from "../api-request.ts";
import type { ApiResponse } from "../api-response.ts";
import type { ServedResource } from "../served-resource.ts";
import type { ServerContext } from "../server-context.ts";
import { get } from "../verbs/get.ts";
import { patch } from "../verbs/patch.ts";
import { update } from "../verbs/update.ts";
import { bind } from "./binding.ts";
import { evict } from "./eviction.ts";
import { finalize } from "./finalize.ts";
import { getScale, patchScale, updateScale } from "./scale.ts";

/** Answers one kind of request. */
export type Handler = (context: ServerContext, request: ApiRequest) => Promise<ApiResponse>;

/** By name of the subresource and verb; what the schema has beyond these is not supported yet. */
const handlers: ReadonlyMap<string, Handler> = new Map([
  ["status get", get],
  ["status update", update],
  ["status patch", patch],
  ["scale get", getScale],
  ["scale update", updateScale],
  ["scale patch", patchScale],
  ["binding create", bind],
  ["eviction create", evict],
  ["finalize update", finalize],
]);

/** Who answers a request to a subresource; `undefined` when nobody does yet. */
export function partHandler(subresource: string, verb: string): Handler | undefined {
  return handlers.get(`${subresource} ${verb}`);
}

/** A resource as clients may hear of it: without the subresources that nobody answers for. */
export function withServedParts(resource: ServedResource): ServedResource {
  const parts = resource.subresources.map((part) => ({
    ...part,
    verbs: part.verbs.filter((verb) => partHandler(part.name, verb) !== undefined),
  }));
  return { ...resource, subresources: parts.filter(({ verbs }) => verbs.length > 0) };
}
