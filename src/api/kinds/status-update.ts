import { withMember } from "./defaulting.ts";
import type { ObjectUpdate } from "./kind-strategy.ts";

interface WithStatus {
  readonly metadata?: object;
  readonly status?: object;
}

/** What `/status` may change: metadata and status are those of the new version, everything else is as stored. */
export function statusUpdateOf<T extends WithStatus>({ next, previous }: ObjectUpdate<T>): T {
  return withMember(withMember(previous, "metadata", next.metadata), "status", next.status);
}
