import { review, reviews } from "../auth/review.ts";
import { isUnsupportedGroup } from "../discovery/listed-resource.ts";
import type { ApiRequest, Verb } from "../request/api-request.ts";
import type { ApiResponse } from "../request/api-response.ts";
import type { ServerContext } from "../server-context.ts";
import { methodNotAllowed, noSuchPath, notSupportedYet } from "../status-errors.ts";
import { create } from "./create.ts";
import { deleteCollection, deleteOne } from "./delete.ts";
import { get } from "./get.ts";
import { list } from "./list.ts";
import { patch } from "./patch.ts";
import { bindByBody } from "./subresources/binding.ts";
import { findSubresourceHandler, type VerbHandler } from "./subresources/subresource-handlers.ts";
import { update } from "./update.ts";
import { watch } from "./watch.ts";

/** The API, whatever carries the requests. */
export interface RequestHandler {
  /** Answers a request; every "no" is a thrown `ApiError`. What it writes is written when this is called, not later. */
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

/** The API over a store. */
export function createRequestHandler(context: ServerContext): RequestHandler {
  return { handle: async (request) => handlerOf(request)(context, request) };
}

function handlerOf(request: ApiRequest): VerbHandler {
  const { resource, subresource, verb } = request;
  if (subresource !== undefined) return subresourceHandler(request, subresource);
  if (!resource.verbs.includes(verb)) throw methodNotAllowed(resource, verb);
  if (reviews.has(resource.kind)) return review;
  if (resource.collection === "bindings") return bindByBody;
  if (verb === "create" && isUnsupportedGroup(resource)) throw notSupportedYet(resource, "creating");
  return verbs[verb];
}

function subresourceHandler({ resource, verb }: ApiRequest, name: string): VerbHandler {
  const declared = resource.subresources.find((subresource) => subresource.name === name);
  if (declared === undefined) throw noSuchPath();
  const part = { group: resource.group, plural: `${resource.plural}/${name}` };
  if (!declared.verbs.includes(verb)) throw methodNotAllowed(part, verb);
  const handler = findSubresourceHandler(name, verb);
  if (handler === undefined) throw notSupportedYet(part, "access to");
  return handler;
}
