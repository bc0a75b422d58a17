/** The user a request is from. */
export interface User {
  readonly name: string;
  readonly groups: readonly string[];
}

/** The group whose members may do everything; other users may do nothing but review themselves. */
export const adminGroup = "system:masters";

/** Whether a user may do everything. */
export function isAdmin({ groups }: User): boolean {
  return groups.includes(adminGroup);
}
