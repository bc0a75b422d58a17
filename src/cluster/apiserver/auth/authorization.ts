import type { User } from "../request/api-request.ts";

/** Whoever is in it may do everything; nobody else may do anything. */
export const adminGroup = "system:masters";

/** Whether a user may do as they like. */
export function isAdmin({ groups }: User): boolean {
  return groups.includes(adminGroup);
}
