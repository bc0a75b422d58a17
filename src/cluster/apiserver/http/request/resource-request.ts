import { apiVersionOf } from "../../../../api/resource.ts";
import { schemaTable } from "../../../../api/schema/table.ts";
import type { User } from "../../auth/user.ts";
import type { ApiRequest } from "../../request/api-request.ts";
import { tableFor } from "../../kinds/kinds.ts";
import type { ServedResource } from "../../served-resource.ts";
import { badRequest, methodNotAllowed, noSuchPath, PageNotFound } from "../../status-errors.ts";
import type { TableKind } from "../../tables/render-table.ts";
import { checkResourceAccess } from "../check-access.ts";
import type { HttpDependencies } from "../http-dependencies.ts";
import { type ResourceRequestInfo, verbOf } from "./request-info.ts";
import { isWatch, requestOptionsOf } from "./request-options.ts";
import type { RequestTarget } from "./request-target.ts";

/** What is read of a request before its body; Node's `IncomingMessage` has it. */
export interface RequestHead {
  readonly deps: Pick<HttpDependencies, "authorizer" | "resources">;
  readonly request: {
    readonly method?: string | undefined;
    readonly headers: { readonly "user-agent"?: string | undefined };
  };
  readonly url: RequestTarget;
}

/** Returns the API request of an HTTP request, without its body; throws 403, 404, 405 or 400, in this order. */
export function resourceRequest(exchange: RequestHead, info: ResourceRequestInfo, user: User): ApiRequest {
  const { request, url } = exchange;
  const { namespace, name, subresource } = info;
  const method = request.method ?? "GET";
  const verb = verbOf(method, name !== undefined, isWatch(url.searchParams));
  checkResourceAccess(exchange.deps, user, { info, verb: verb ?? method.toLowerCase() });
  const resource = resourceAt(exchange, info);
  if (verb === undefined || !isAllowedAt(resource, verb, info)) throw notAllowed(resource, method, info);
  const options = requestOptionsOf(url.searchParams);
  const userAgent = request.headers["user-agent"];
  const proxy = subresource === "proxy" ? { method, path: proxiedPath(url) } : undefined;
  return { verb, resource, namespace, name, subresource, proxy, user, options, userAgent };
}

/** The error for a method that a path does not have; custom kinds are not routed by method and path upstream. */
function notAllowed(resource: ServedResource, method: string, info: ResourceRequestInfo) {
  if (resource.isCustom !== true) return methodNotAllowed();
  if (isWithoutNamespace(resource, info)) return new PageNotFound();
  return method === "PUT" && info.name === undefined
    ? badRequest("name must be provided")
    : methodNotAllowed();
}

/** Returns the path for the proxied program, still encoded, with its query. */
function proxiedPath({ pathname, search }: RequestTarget): string {
  const [, rest = ""] = /^(?:\/[^/]+)*?\/(?:pods|services|nodes)\/[^/]+\/proxy(\/.*)?$/.exec(pathname) ?? [];
  return `${rest === "" ? "/" : rest}${search}`;
}

function resourceAt(
  { deps }: Pick<RequestHead, "deps">,
  { group, version, plural, namespace, subresource, proxied }: ResourceRequestInfo,
): ServedResource {
  const resource = deps.resources.find(group, version, plural);
  const hasTail = proxied !== undefined && subresource !== "proxy";
  if (resource === undefined && !isOwnGroup(group)) throw new PageNotFound();
  if (resource === undefined || hasTail || (namespace !== undefined && !resource.namespaced))
    throw noSuchPath();
  return resource;
}

/** Reports whether a group is one of the server's own. */
function isOwnGroup(name: string): boolean {
  return schemaTable().groups.some(({ group }) => group === name);
}

/**
 * Reports whether a verb is allowed at a path: without a namespace only lists and watches are; a create has no name.
 */
function isAllowedAt(resource: ServedResource, verb: string, info: ResourceRequestInfo): boolean {
  if (isWithoutNamespace(resource, info)) return verb === "list" || verb === "watch";
  return verb !== "create" || info.name === undefined || info.subresource !== undefined;
}

function isWithoutNamespace({ namespaced }: ServedResource, { namespace }: ResourceRequestInfo): boolean {
  return namespaced && namespace === undefined;
}

/** Returns the kind of a subresource's bodies; the resource's own unless the schema declares another. */
export function subresourceKind(resource: ServedResource, subresource: string | undefined): TableKind {
  const declared = resource.subresources.find(({ name }) => name === subresource);
  if (declared === undefined || declared.kind === `${apiVersionOf(resource)}/${resource.kind}`)
    return resource;
  const [kind = "", version = "", group = ""] = declared.kind.split("/").reverse();
  return { group, version, kind, table: tableFor({ group, version, kind }) };
}
