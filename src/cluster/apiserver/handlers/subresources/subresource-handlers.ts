import type { ApiRequest } from "../../request/api-request.ts";
import type { ApiResponse } from "../../request/api-response.ts";
import type { ServedResource } from "../../served-resource.ts";
import type { ServerContext } from "../../server-context.ts";
import { get } from "../get.ts";
import { patch } from "../patch.ts";
import { update } from "../update.ts";
import { bind } from "./binding.ts";
import { evict } from "./eviction.ts";
import { finalize } from "./finalize.ts";
import { getScale, patchScale, updateScale } from "./scale.ts";

/** Answers one kind of request. */
export type VerbHandler = (context: ServerContext, request: ApiRequest) => Promise<ApiResponse>;

/** By name of the subresource and verb; what the schema has beyond these is not supported yet. */
const handlers: ReadonlyMap<string, VerbHandler> = new Map([
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
export function findSubresourceHandler(subresource: string, verb: string): VerbHandler | undefined {
  return handlers.get(`${subresource} ${verb}`);
}

/** A resource as clients may hear of it: without the subresources that nobody answers for. */
export function withServedSubresources(resource: ServedResource): ServedResource {
  const parts = resource.subresources.map((part) => ({
    ...part,
    verbs: part.verbs.filter((verb) => findSubresourceHandler(part.name, verb) !== undefined),
  }));
  return { ...resource, subresources: parts.filter(({ verbs }) => verbs.length > 0) };
}
