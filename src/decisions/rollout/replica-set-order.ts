import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import { parseTime } from "../../api/time.ts";
import { sizeOf } from "./counts.ts";

type Order = (a: ReplicaSet, b: ReplicaSet) => number;

/** The oldest first, the smaller name between equals; one that does not say when it was created is oldest. */
export const byAge: Order = (a, b) =>
  createdAt(a) - createdAt(b) || compareText(a.metadata.name, b.metadata.name);

/** The exact reverse of `byAge`. */
export const byYouth: Order = (a, b) => byAge(b, a);

/** The largest first, then the younger. */
export const bySizeThenYouth: Order = (a, b) => sizeOf(b) - sizeOf(a) || byYouth(a, b);

/** The largest first, then the older. */
export const bySizeThenAge: Order = (a, b) => sizeOf(b) - sizeOf(a) || byAge(a, b);

function createdAt(replicaSet: ReplicaSet): number {
  return parseTime(replicaSet.metadata.creationTimestamp) ?? Number.MIN_SAFE_INTEGER;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
