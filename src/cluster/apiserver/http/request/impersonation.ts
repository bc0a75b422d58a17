import type { IncomingMessage } from "node:http";
import { badRequest, forbiddenRequest } from "../../status-errors.ts";
import type { RbacAuthorizer } from "../../auth/authorizer.ts";
import { accountGroups, authenticatedGroup, type User } from "../../auth/user.ts";

const prefix = "impersonate-";
const extraPrefix = "impersonate-extra-";
const anonymous = "system:anonymous";

/** Returns the user of a request: its own, or the one it impersonates; throws 400 or 403. */
export function impersonatedUser(request: IncomingMessage, user: User, authorizer: RbacAuthorizer): User {
  const names = Object.keys(request.headers).filter((name) => name.startsWith(prefix));
  if (names.length === 0) return user;
  const wanted = wantedUser(request, names);
  checkAllowed(user, wanted, authorizer);
  return withImpliedGroups(wanted);
}

function wantedUser({ headersDistinct }: IncomingMessage, names: readonly string[]): User {
  const values = (name: string) => headersDistinct[name] ?? [];
  const unknown = names.find((name) => !isKnown(name));
  if (unknown !== undefined) throw badRequest(`header ${unknown} impersonates nothing that is known`);
  const [name = ""] = values("impersonate-user");
  if (name === "")
    throw badRequest("a request can only impersonate a user by name (header Impersonate-User)");
  const extra = names
    .filter((each) => each.startsWith(extraPrefix))
    .map((each) => [decodedKey(each.slice(extraPrefix.length)), values(each)] as const);
  const [uid = ""] = values("impersonate-uid");
  return {
    name,
    groups: values("impersonate-group"),
    ...(uid !== "" && { uid }),
    ...(extra.length > 0 && { extra: Object.fromEntries(extra) }),
  };
}

const known: ReadonlySet<string> = new Set(["impersonate-user", "impersonate-group", "impersonate-uid"]);
const isKnown = (name: string) =>
  known.has(name) || (name.startsWith(extraPrefix) && name.length > extraPrefix.length);

/** Decodes a key, which may be percent-encoded, since a header name cannot have every character. */
function decodedKey(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch (error) {
    if (error instanceof URIError) return key; // a stray percent sign
    throw error;
  }
}

/** Throws 403 for the first part of a user that another user may not impersonate. */
function checkAllowed(user: User, wanted: User, authorizer: RbacAuthorizer): void {
  const account = accountNames(wanted.name);
  const parts = [
    account ?? { group: "", resource: "users", name: wanted.name },
    ...wanted.groups.map((name) => ({ group: "", resource: "groups", name })),
    ...(wanted.uid === undefined
      ? []
      : [{ group: "authentication.k8s.io", resource: "uids", name: wanted.uid }]),
    ...Object.entries(wanted.extra ?? {}).flatMap(([subresource, values]) =>
      values.map((name) => ({ group: "authentication.k8s.io", resource: "userextras", subresource, name })),
    ),
  ];
  for (const part of parts) {
    if (authorizer.decide(user, { verb: "impersonate", ...part }).allowed) continue;
    const { group, resource, name } = part;
    const what = `resource ${JSON.stringify(resource)} in API group ${JSON.stringify(group)}`;
    throw forbiddenRequest({ group, plural: resource }, name, {
      why: `User ${JSON.stringify(user.name)} cannot impersonate ${what} at the cluster scope`,
    });
  }
}

function accountNames(userName: string) {
  if (accountGroups(userName) === undefined) return undefined;
  const [, , namespace = "", name = ""] = userName.split(":");
  return { group: "", resource: "serviceaccounts", namespace, name };
}

/**
 * Adds the implied groups: every authenticated user is a member of system:authenticated, a service account also of its
 * own groups.
 */
function withImpliedGroups(user: User): User {
  if (user.name === anonymous)
    return user.groups.length > 0 ? user : { ...user, groups: ["system:unauthenticated"] };
  const own = user.groups.length > 0 ? user.groups : (accountGroups(user.name) ?? []);
  return own.includes(authenticatedGroup) ? user : { ...user, groups: [...own, authenticatedGroup] };
}
