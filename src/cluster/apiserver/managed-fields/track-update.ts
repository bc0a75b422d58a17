import type { Json } from "../../../api/json.ts";
import { compareFields, type FieldChange } from "./compare-fields.ts";
import { difference, emptySet, type FieldSet, isEmptySet, union } from "./field-set.ts";
import type { FieldStructure } from "./field-structure.ts";
import { type FieldManager, type FieldsEntry, isSameManager, newEntry, withFields } from "./fields-entry.ts";

/** An object before and after a write, as one version of its API shows it. */
export interface VersionedChange {
  readonly structure: FieldStructure;
  readonly before: Json;
  readonly after: Json;
}

/** A write that is not an apply. */
export interface TrackedUpdate {
  readonly by: FieldManager;
  /** The write in the version of the request. */
  readonly change: VersionedChange;
  /**
   * Returns the write in another version, in which an entry has its fields; `undefined` when there is no such version.
   */
  readonly inVersion: (apiVersion: string) => VersionedChange | undefined;
  /** The time of the write. */
  readonly time: string;
}

/** Returns the fields that a write changed. */
export function fieldChangeOf({ structure, before, after }: VersionedChange): WholeChange {
  const { taken = emptySet, removed = emptySet } = compareFields(structure, before, after) ?? {};
  return { taken, removed };
}

type WholeChange = { readonly [K in keyof FieldChange]-?: FieldSet };

/**
 * Returns the entries after a write that is not an apply: the requester owns what it added or modified, no other
 * manager does, and removed fields have no owner. Entries whose fields stay the same are not copied.
 */
export function trackUpdate(entries: readonly FieldsEntry[], update: TrackedUpdate): readonly FieldsEntry[] {
  const { by, change, time } = update;
  const own = fieldChangeOf(change);
  if (isEmptySet(own.taken) && isEmptySet(own.removed)) return entries;
  const mine = newEntry(by, "Update");
  const changeIn = perVersion((apiVersion) => {
    const other = apiVersion === by.apiVersion ? undefined : update.inVersion(apiVersion);
    return apiVersion === by.apiVersion ? own : other && fieldChangeOf(other);
  });
  const others = entries.flatMap((entry) => {
    const changed = changeIn(entry.apiVersion);
    if (changed === undefined) return [];
    const released = isSameManager(entry, mine) ? emptySet : changed.taken;
    const left = difference(difference(entry.fieldsV1, released), changed.removed);
    return [left === entry.fieldsV1 ? entry : withFields(entry, left)];
  });
  if (isEmptySet(own.taken)) return others;
  const index = others.findIndex((entry) => isSameManager(entry, mine));
  const former = others[index] ?? mine;
  const next = withFields(former, union(former.fieldsV1, own.taken), time);
  return index < 0 ? [...others, next] : others.with(index, next);
}

/** Returns a function that computes a value once per version: an object may have thousands of managers. */
export function perVersion<T>(compute: (apiVersion: string) => T): (apiVersion: string) => T {
  const known = new Map<string, { readonly value: T }>();
  return (apiVersion) => {
    const found = known.get(apiVersion) ?? { value: compute(apiVersion) };
    known.set(apiVersion, found);
    return found.value;
  };
}
