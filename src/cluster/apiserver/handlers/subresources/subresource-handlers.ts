import { derivedFrom, type ServedResources } from "../../kind-registry.ts";
import type { KindStrategy } from "../../kinds/kind-strategy.ts";
import { approvalStrategy } from "../../kinds/certificate-signing-request/strategy.ts";
import { ephemeralContainersStrategy } from "../../kinds/pod/ephemeral-containers.ts";
import { resizeStrategy } from "../../kinds/pod/resize.ts";
import type { ApiRequest } from "../../request/api-request.ts";
import type { ApiResponse } from "../../request/api-response.ts";
import type { ServerContext } from "../../server-context.ts";
import type { ServedResource } from "../../served-resource.ts";
import { get } from "../get.ts";
import { patch } from "../patch.ts";
import { update } from "../update.ts";
import { bind } from "./binding.ts";
import { afterConnectReview } from "./connect.ts";
import { evict } from "./eviction.ts";
import { finalize } from "./finalize.ts";
import { refuseUnsimulated } from "./not-simulated.ts";
import { proxy } from "./proxy/proxy.ts";
import { getLog } from "./log/log.ts";
import type { VerbHandler } from "../verb-handler.ts";
import { createToken } from "./token.ts";
import { getScale, patchScale, updateScale } from "./scale.ts";

type Handler = (context: ServerContext, request: ApiRequest) => Promise<ApiResponse>;

/** By subresource: the strategy for a part of an object that an update of the object itself may not change. */
const partStrategies: ReadonlyMap<string, KindStrategy> = new Map([
  ["approval", asGeneral(approvalStrategy)],
  ["ephemeralcontainers", asGeneral(ephemeralContainersStrategy)],
  ["resize", asGeneral(resizeStrategy)],
]);

// The decoder has checked every object against the schema of its kind.
function asGeneral(strategy: unknown): KindStrategy {
  return strategy as KindStrategy;
}

/** Handles an update or a patch of a part, such as `pods/resize`, by its strategy. */
function withPartStrategy(handler: Handler): Handler {
  return (context, request) => {
    const { resource, subresource = "" } = request;
    const strategy = partStrategies.get(subresource) ?? resource.strategy;
    return handler(context, { ...request, resource: { ...resource, strategy } });
  };
}

/** By subresource and verb; other subresources of the schema are not supported yet. */
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
  ["log get", getLog],
  ["token create", createToken],
  ["approval get", get],
  ["approval update", withPartStrategy(update)],
  ["approval patch", withPartStrategy(patch)],
  ["ephemeralcontainers get", get],
  ["ephemeralcontainers update", withPartStrategy(update)],
  ["ephemeralcontainers patch", withPartStrategy(patch)],
  ["resize get", get],
  ["resize update", withPartStrategy(update)],
  ["resize patch", withPartStrategy(patch)],
  ...["exec", "attach", "portforward"].flatMap((name) =>
    ["get", "create"].map((verb): [string, VerbHandler] => [
      `${name} ${verb}`,
      afterConnectReview(refuseUnsimulated),
    ]),
  ),
  ...["get", "create", "update", "patch", "delete"].map((verb): [string, VerbHandler] => [
    `proxy ${verb}`,
    afterConnectReview(proxy),
  ]),
]);

/** Returns the handler of a subresource; `undefined` when it is not supported yet. */
export function findSubresourceHandler(subresource: string, verb: string): VerbHandler | undefined {
  return handlers.get(`${subresource} ${verb}`);
}

/** Returns the resources as discovery lists them; the same list until the registry changes. */
export function publishedResources(kinds: Pick<ServedResources, "all">): () => readonly ServedResource[] {
  const known = new WeakMap<ServedResource, ServedResource>();
  const publish = (resource: ServedResource): ServedResource => {
    const published = known.get(resource) ?? withServedSubresources(resource);
    known.set(resource, published);
    return published;
  };
  return derivedFrom(kinds, (all) => all.map(publish));
}

/** Returns the resource without the subresources and verbs that have no handler. */
function withServedSubresources(resource: ServedResource): ServedResource {
  const served = resource.subresources.map((subresource) => ({
    ...subresource,
    verbs: subresource.verbs.filter((verb) => findSubresourceHandler(subresource.name, verb) !== undefined),
  }));
  const { verbs, listedVerbs = verbs } = resource;
  return { ...resource, verbs: listedVerbs, subresources: served.filter((each) => each.verbs.length > 0) };
}
