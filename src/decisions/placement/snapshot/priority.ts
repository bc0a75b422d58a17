import type { Pod } from "../../../api/generated/core-v1.ts";
import { numberOf } from "./reading.ts";

/** The priority of a Pod, which is 0 for one that has none. */
export function priorityOf({ spec }: Pod): number {
  return numberOf(spec?.priority, 0);
}
