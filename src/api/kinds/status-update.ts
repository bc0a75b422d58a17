import { withMember } from "./filling.ts";
import type { Change } from "./manners.ts";

interface WithStatus {
  readonly metadata?: object;
  readonly status?: object;
}

/** What `/status` may change: metadata and status are those of the new version, everything else is as stored. */
export function statusUpdateOf<T extends WithStatus>({ next, previous }: Change<T>): T {
  return withMember(withMember(previous, "metadata", next.metadata), "status", next.status);
}
