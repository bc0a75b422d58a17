/** The user who sends a request. */
export interface User {
  readonly name: string;
  readonly groups: readonly string[];
  readonly uid?: string;
  /** Further attributes, such as the Pod that a token was issued for. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** The group whose members may do everything; other users may do what the roles that are bound to them allow. */
export const adminGroup = "system:masters";

/** The group of all authenticated users. */
export const authenticatedGroup = "system:authenticated";

/** Reports whether a user may do everything. */
export function isAdmin({ groups }: Pick<User, "groups">): boolean {
  return groups.includes(adminGroup);
}

const accountPrefix = "system:serviceaccount:";

/** Returns the user name of a service account. */
export function accountUserName(namespace: string, name: string): string {
  return `${accountPrefix}${namespace}:${name}`;
}

/** Returns the groups of a service account's user; `undefined` for any other user. */
export function accountGroups(userName: string): readonly string[] | undefined {
  const [namespace = "", name = "", ...rest] = userName.startsWith(accountPrefix)
    ? userName.slice(accountPrefix.length).split(":")
    : [];
  if (namespace === "" || name === "" || rest.length > 0) return undefined;
  return ["system:serviceaccounts", `system:serviceaccounts:${namespace}`];
}
