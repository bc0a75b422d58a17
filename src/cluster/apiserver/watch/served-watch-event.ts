import type { Status } from "../../../api/generated/meta-v1.ts";
import { withResourceVersion } from "../../store/record.ts";
import type { StoreEvent, StoreRecord } from "../../store/store.ts";
import type { Selection } from "../request/selection.ts";
import type { ServedResource } from "../served-resource.ts";
import { type ServedObject, toServed, withBytes } from "../storage/served-object.ts";

/** An event of a watch. */
export type ServedWatchEvent =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly item: ServedObject }
  | { readonly type: "BOOKMARK"; readonly revision: number; readonly initialEventsEnd: boolean }
  | { readonly type: "ERROR"; readonly status: Status };

/** Returns the records that an event shows: the new one, and the one before. */
export function recordsOf({ record, previous }: StoreEvent): readonly StoreRecord[] {
  return previous === undefined ? [record] : [record, previous];
}

/** Converts a commit to the event of a watch with a selection; `undefined` when neither version is selected. */
export function toWatchEvent(
  resource: ServedResource,
  selection: Selection,
  { type, record, previous }: StoreEvent,
): ServedWatchEvent | undefined {
  const next = toServed(resource, record);
  const last = previous === undefined ? undefined : toServed(resource, previous);
  const matched = last !== undefined && selection.matches(last.object);
  if (type === "DELETED") return matched ? { type, item: next } : undefined;
  if (selection.matches(next.object)) return { type: matched ? "MODIFIED" : "ADDED", item: next };
  if (!matched) return undefined;
  // The object left the selection: the watch gets a DELETED event with the last selected content.
  return { type: "DELETED", item: withBytes(withResourceVersion(last.object, record.revision)) };
}
