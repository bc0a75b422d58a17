import { isBeingDeleted } from "../../src/api/object.ts";
import type { Instant } from "../../src/api/time.ts";
import type { RemovalRecord } from "../../src/decisions/explain/removal-record.ts";
import type { ChangeLog } from "./change-log.ts";

/** Where the log is just before a decision was carried out. */
export interface DecisionMoment {
  readonly position: number;
  /** By the browser's clock. */
  readonly moment: Instant;
}

/** The moment at which none of the Pods of a removal was marked for deletion yet; `undefined` where that is not kept. */
export function momentBefore({ candidates }: RemovalRecord, log: ChangeLog): DecisionMoment | undefined {
  const victims = new Set(candidates.flatMap(({ verdict, uid }) => (verdict === "goes" ? [uid] : [])));
  const index = log.changes.findIndex(({ kind, before, after }) => {
    if (kind !== "pods" || before === undefined || !victims.has(before.metadata.uid)) return false;
    return !isBeingDeleted(before) && (after === undefined || isBeingDeleted(after));
  });
  const change = log.changes[index];
  return change === undefined ? undefined : { position: log.start + index, moment: change.at - 1 };
}
