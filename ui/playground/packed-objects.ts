import type { Json } from "../../src/api/json.ts";
import { keyOf, type StoredObject } from "../../src/api/object.ts";
import type { ListResult, WatchEvent } from "../../src/machinery/client/client.ts";
import { withoutManagedFields } from "../live/without-managed-fields.ts";
import { type Difference, differenceOf, withDifference } from "./object-difference.ts";

// Objects on their way from the worker to the page. Each is sent as what differs from one that the page has: Pods of a workload
// have most of their parts in common, and so have the versions of a Pod. The page shares those parts in memory, too.

/** An event of a watch; what differs is relative to the last event of the object, or else of the watch. */
export type PackedEvent =
  | {
      readonly type: "ADDED" | "MODIFIED" | "DELETED";
      /** Of the object that it differs from; absent: that of the event before. */
      readonly from?: string;
      readonly difference?: Difference;
    }
  | Extract<WatchEvent<never>, { readonly type: "BOOKMARK" }>;

/** What both ends of a watch know: the objects of its events, by their keys. */
class SentObjects {
  readonly #objects = new Map<string, StoredObject>();
  #last: StoredObject | undefined;

  has(key: string): boolean {
    return this.#objects.has(key);
  }

  before(from: string | undefined): Json | undefined {
    const found = from === undefined ? this.#last : this.#objects.get(from);
    return found as Json | undefined;
  }

  note(type: "ADDED" | "MODIFIED" | "DELETED", object: StoredObject): void {
    this.#last = object;
    if (type === "DELETED") this.#objects.delete(keyOf(object));
    else this.#objects.set(keyOf(object), object);
  }
}

/** Returns what packs the events of one watch. */
export function eventPacker(): (event: WatchEvent<StoredObject>) => PackedEvent {
  const sent = new SentObjects();
  return (event) => {
    if (event.type === "BOOKMARK") return event;
    const object = withoutManagedFields(event.object);
    const key = keyOf(object);
    const from = sent.has(key) ? { from: key } : {};
    const difference = differenceOf(sent.before(from.from), object as unknown as Json);
    sent.note(event.type, object);
    return { type: event.type, ...from, ...(difference !== undefined && { difference }) };
  };
}

/** Returns what unpacks the events of one watch, in the order in which they were packed. */
export function eventUnpacker(): (packed: PackedEvent) => WatchEvent<StoredObject> {
  const sent = new SentObjects();
  return (packed) => {
    if (packed.type === "BOOKMARK") return packed;
    const { type, from, difference } = packed;
    const object = withDifference(sent.before(from), difference) as unknown as StoredObject;
    sent.note(type, object);
    return { type, object };
  };
}

/** A list; each item is what differs from the one before. */
export interface PackedList extends Omit<ListResult<never>, "items"> {
  readonly items: readonly (Difference | undefined)[];
}

export function packList({ items, ...rest }: ListResult<StoredObject>): PackedList {
  const plain = items.map(withoutManagedFields) as unknown as readonly Json[];
  return { ...rest, items: plain.map((item, index) => differenceOf(plain[index - 1], item)) };
}

export function unpackItems(packed: PackedList["items"]): readonly StoredObject[] {
  const items: Json[] = [];
  for (const difference of packed) items.push(withDifference(items.at(-1), difference));
  return items as unknown as readonly StoredObject[];
}
