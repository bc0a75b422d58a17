import type { User } from "./api-request.ts";

/** Whoever is in it may do everything; nobody else may do anything. */
export const adminGroup = "system:masters";

/** Whether a user may do as they like. */
export function mayEverything({ groups }: User): boolean {
  return groups.includes(adminGroup);
}
