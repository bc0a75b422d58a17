import type { JsonObject } from "../../api/json.ts";
import type { VirtualClock } from "../../machinery/clock/virtual-clock.ts";
import type { IndexValues } from "./field-index.ts";
import type { Collection, Store, StoreEvent } from "./store.ts";

/** The store that a test uses, and its clock. */
export interface StoreFixture {
  readonly clock: VirtualClock;
  readonly store: Store;
  /** A collection with the index `color`. */
  readonly things: Collection;
}

export const color: IndexValues = (object) => {
  const value = object.metadata.labels?.["color"];
  return value === undefined ? [] : [value];
};

export function thing(name: string, rest: JsonObject = {}, metadata: JsonObject = {}): JsonObject {
  return { apiVersion: "v1", kind: "Thing", metadata: { name, uid: `uid-${name}`, ...metadata }, ...rest };
}

export const colored = (name: string, value: string) => thing(name, {}, { labels: { color: value } });
export const shown = (event: StoreEvent) => `${event.type} ${event.record.key}@${event.record.revision}`;
export const keys = (records: Iterable<{ readonly key: string }>) => [...records].map(({ key }) => key);
