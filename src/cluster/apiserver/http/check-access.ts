import type { Access } from "../auth/policy-rules.ts";
import type { User } from "../auth/user.ts";
import { forbiddenAccess, forbiddenRequest } from "../status-errors.ts";
import type { HttpDependencies } from "./http-dependencies.ts";
import type { ResourceRequestInfo } from "./request/request-info.ts";

type Dependencies = Pick<HttpDependencies, "authorizer">;

/** Throws 403 when a user may not do what a request for a path asks for. */
export function checkPathAccess(
  { authorizer }: Dependencies,
  user: User,
  access: Extract<Access, { readonly path: string }>,
): void {
  if (authorizer.decide(user, access).allowed) return;
  const { verb, path } = access;
  throw forbiddenAccess(`User ${JSON.stringify(user.name)} cannot ${verb} path ${JSON.stringify(path)}`);
}

/** Throws 403 when a user may not do what a request for a resource asks for. */
export function checkResourceAccess(
  { authorizer }: Dependencies,
  user: User,
  { info, verb }: { readonly info: ResourceRequestInfo; readonly verb: string },
): void {
  const { group, plural, subresource, name = "" } = info;
  // A namespace counts as inside itself: a role in it may allow reading it.
  const namespace = plural === "namespaces" && group === "" ? info.name : info.namespace;
  const access = { verb, group, resource: plural, subresource, namespace, name };
  if (authorizer.decide(user, access).allowed) return;
  const resource = subresource === undefined ? plural : `${plural}/${subresource}`;
  const where =
    namespace === undefined ? "at the cluster scope" : `in the namespace ${JSON.stringify(namespace)}`;
  const what = `resource ${JSON.stringify(resource)} in API group ${JSON.stringify(group)}`;
  const why = `User ${JSON.stringify(user.name)} cannot ${verb} ${what} ${where}`;
  throw forbiddenRequest({ group, plural }, name, { why });
}
