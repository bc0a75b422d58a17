import { review, reviews } from "../auth/review.ts";
import { isUnsupportedKind } from "../discovery/listed-resource.ts";
import type { ApiRequest, Verb } from "../request/api-request.ts";
import type { ApiResponse } from "../request/api-response.ts";
import type { ServerContext } from "../server-context.ts";
import {
  methodNotAllowed,
  noSuchPath,
  notFoundError,
  notSupportedYet,
  unsupportedVerb,
} from "../status-errors.ts";
import { create } from "./create.ts";
import { deleteCollection, deleteOne } from "./delete.ts";
import { get } from "./get.ts";
import { list } from "./list.ts";
import { patch } from "./patch.ts";
import { resourceMetrics, resourceMetricsGroup } from "./resource-metrics.ts";
import { bindByBody } from "./subresources/binding.ts";
import { findSubresourceHandler } from "./subresources/subresource-handlers.ts";
import { update } from "./update.ts";
import type { VerbHandler } from "./verb-handler.ts";
import { watch } from "./watch.ts";

/** The API without a transport: HTTP and the in-process client both call it. */
export interface RequestHandler {
  /**
   * Handles a request; throws an `ApiError` when it is refused. A write is committed in the turn of the call, unless
   * admission webhooks have to be called.
   */
  handle(request: ApiRequest): Promise<ApiResponse>;
}

const verbs: Readonly<Record<Verb, VerbHandler>> = {
  get,
  list,
  watch,
  create,
  update,
  patch,
  delete: deleteOne,
  deletecollection: deleteCollection,
};

/** Creates the handler over a store, with one function for each verb or subresource. */
export function createRequestHandler(context: ServerContext): RequestHandler {
  return { handle: async (request) => handlerOf(request)(context, request) };
}

function handlerOf(request: ApiRequest): VerbHandler {
  const { resource, subresource, verb } = request;
  if (isUnsupportedKind(resource)) return unsupportedHandler(request);
  if (subresource !== undefined) return subresourceHandler(request, subresource);
  if (!resource.verbs.includes(verb)) throw methodNotAllowed();
  if (reviews.has(resource.kind)) return review;
  if (resource.collection === "bindings") return bindByBody;
  if (resource.group === resourceMetricsGroup) return resourceMetrics;
  return verbs[verb];
}

function unsupportedHandler({ resource, verb }: ApiRequest): VerbHandler {
  throw verb === "create" ? notSupportedYet(resource, "creating") : noSuchPath();
}

function subresourceHandler(request: ApiRequest, name: string): VerbHandler {
  const { resource, verb } = request;
  const declared = resource.subresources.find((each) => each.name === name);
  if (declared === undefined)
    throw resource.isCustom === true ? notFoundError(resource, request.name ?? "") : noSuchPath();
  const subresource = { group: resource.group, plural: `${resource.plural}/${name}` };
  if (!declared.verbs.includes(verb))
    throw resource.isCustom === true ? unsupportedVerb(resource, verb) : methodNotAllowed();
  const handler = findSubresourceHandler(name, verb);
  if (handler === undefined) throw notSupportedYet(subresource, "access to");
  return handler;
}
