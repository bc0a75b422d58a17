import type { ApiRequest, Verb } from "./api-request.ts";
import type { ApiResponse } from "./api-response.ts";
import { isRefused } from "./discovery/listed-resource.ts";
import { methodNotAllowed, noSuchPath, notSupportedYet } from "./failures.ts";
import { review, reviews } from "./reviews/review.ts";
import type { ServerContext } from "./server-context.ts";
import { bindByBody } from "./subresources/binding.ts";
import { type Handler, partHandler } from "./subresources/served-parts.ts";
import { create } from "./verbs/create.ts";
import { deleteCollection } from "./verbs/delete-collection.ts";
import { deleteOne } from "./verbs/delete.ts";
import { get } from "./verbs/get.ts";
import { list } from "./verbs/list.ts";
import { patch } from "./verbs/patch.ts";
import { update } from "./verbs/update.ts";
import { watch } from "./verbs/watch.ts";

/** The API, whatever carries the requests. */
export interface Engine {
  /** Answers a request; every "no" is a thrown `ApiError`. What it writes is written when this is called, not later. */
  handle(request: ApiRequest): Promise<ApiResponse>;
}

const verbs: Readonly<Record<Verb, Handler>> = {
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
export function createEngine(context: ServerContext): Engine {
  return { handle: async (request) => handlerOf(request)(context, request) };
}

function handlerOf(request: ApiRequest): Handler {
  const { resource, subresource, verb } = request;
  if (subresource !== undefined) return subresourceHandler(request, subresource);
  if (!resource.verbs.includes(verb)) throw methodNotAllowed(resource, verb);
  if (reviews.has(resource.kind)) return review;
  if (resource.collection === "bindings") return bindByBody;
  if (verb === "create" && isRefused(resource)) throw notSupportedYet(resource, "creating");
  return verbs[verb];
}

function subresourceHandler({ resource, verb }: ApiRequest, name: string): Handler {
  const declared = resource.subresources.find((subresource) => subresource.name === name);
  if (declared === undefined) throw noSuchPath();
  const part = { group: resource.group, plural: `${resource.plural}/${name}` };
  if (!declared.verbs.includes(verb)) throw methodNotAllowed(part, verb);
  const handler = partHandler(name, verb);
  if (handler === undefined) throw notSupportedYet(part, "access to");
  return handler;
}
