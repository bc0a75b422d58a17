/** The user a request is from. */
export interface User {
  readonly name: string;
  readonly groups: readonly string[];
  readonly uid?: string;
  /** More of what is known, such as the Pod that a token was issued for. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** The group whose members may do everything; other users may do what roles that are bound to them allow. */
export const adminGroup = "system:masters";

/** Every user who is known is a member. */
export const authenticatedGroup = "system:authenticated";

/** Whether a user may do everything. */
export function isAdmin({ groups }: Pick<User, "groups">): boolean {
  return groups.includes(adminGroup);
}

const accountPrefix = "system:serviceaccount:";

/** The name of a service account as a user. */
export function accountUserName(namespace: string, name: string): string {
  return `${accountPrefix}${namespace}:${name}`;
}

/** The groups of the user that a service account is; `undefined` for a user that is none. */
export function accountGroups(userName: string): readonly string[] | undefined {
  const [namespace = "", name = "", ...rest] = userName.startsWith(accountPrefix)
    ? userName.slice(accountPrefix.length).split(":")
    : [];
  if (namespace === "" || name === "" || rest.length > 0) return undefined;
  return ["system:serviceaccounts", `system:serviceaccounts:${namespace}`];
}
