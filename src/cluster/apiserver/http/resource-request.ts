import { apiVersionOf } from "../../../api/resource.ts";
import type { ApiRequest, User, Verb } from "../api-request.ts";
import { mayEverything } from "../authorization.ts";
import { forbiddenRequest, methodNotAllowed, noSuchPath } from "../failures.ts";
import { reviews } from "../reviews/review.ts";
import type { ServedResource } from "../served-resource.ts";
import type { Exchange } from "./edge.ts";
import { optionsOf, watches } from "./query.ts";
import { type Route, verbOf } from "./route.ts";

export type ResourceRoute = Extract<Route, { readonly to: "resource" }>;

/** What a request asks of the API, without its body; throws 404, 405, 403 or 400. */
export function resourceRequest(exchange: Exchange, route: ResourceRoute, user: User): ApiRequest {
  const { request, url } = exchange;
  const { namespace, name, subresource } = route;
  const resource = resourceAt(exchange, route);
  const verb = verbAt(exchange, route, resource);
  const asked = { verb, resource, namespace, name, subresource, user };
  if (!mayEverything(user) && !reviews.has(resource.kind)) throw refusal(asked);
  return { ...asked, options: optionsOf(url.searchParams), userAgent: request.headers["user-agent"] };
}

function resourceAt(
  { edge }: Exchange,
  { group, version, plural, namespace }: ResourceRoute,
): ServedResource {
  const resource = edge.resources.find(group, version, plural);
  if (resource === undefined || (namespace !== undefined && !resource.namespaced)) throw noSuchPath();
  return resource;
}

function verbAt({ request, url }: Exchange, route: ResourceRoute, resource: ServedResource): Verb {
  const { method = "GET" } = request;
  const verb = verbOf(method, route.name !== undefined, watches(url.searchParams));
  if (verb !== undefined && isPlaced(resource, verb, route)) return verb;
  const plural = [route.plural, route.subresource ?? []].flat().join("/");
  throw methodNotAllowed({ group: route.group, plural }, verb ?? method);
}

/** Across all namespaces one can only look; and a new object has no name in its address. */
function isPlaced({ namespaced }: ServedResource, verb: string, route: ResourceRoute): boolean {
  if (namespaced && route.namespace === undefined) return verb === "list" || verb === "watch";
  return verb !== "create" || route.name === undefined || route.subresource !== undefined;
}

function refusal({ verb, resource, namespace, name = "", user }: Omit<ApiRequest, "options">) {
  const { group, plural } = resource;
  const where =
    namespace === undefined ? "at the cluster scope" : `in the namespace ${JSON.stringify(namespace)}`;
  const why = `User ${JSON.stringify(user.name)} cannot ${verb} resource ${JSON.stringify(plural)} in API group ${JSON.stringify(group)} ${where}`;
  return forbiddenRequest(resource, name, { why });
}

/** The kind that a subresource speaks, where it is not the resource's own. */
export function spokenKind(resource: ServedResource, subresource: string | undefined) {
  const declared = resource.subresources.find(({ name }) => name === subresource);
  const own = `${apiVersionOf(resource)}/${resource.kind}`;
  const [kind = "", version = "", group = ""] = (declared?.kind ?? own).split("/").reverse();
  return { group, version, kind };
}
