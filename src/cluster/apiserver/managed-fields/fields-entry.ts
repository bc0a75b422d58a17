import { exactList } from "../../../api/compact.ts";
import { deepEqual } from "../../../api/deep-equal.ts";
import type { ManagedFieldsEntry, ObjectMeta } from "../../../api/generated/meta-v1.ts";
import { emptySet, type FieldSet, isEmptySet, readFieldSet } from "./field-set.ts";
import { internFieldSet } from "./intern-field-set.ts";
import { canonicalElement } from "./path-element.ts";

/** An entry of `metadata.managedFields` of a stored object: a manager and its fields. */
export interface FieldsEntry {
  readonly manager: string;
  readonly operation: "Apply" | "Update";
  readonly apiVersion: string;
  readonly time?: string;
  readonly fieldsType: "FieldsV1";
  readonly fieldsV1: FieldSet;
  readonly subresource?: string;
}

/** The manager of a write. */
export type FieldManager = Pick<FieldsEntry, "manager" | "apiVersion" | "subresource">;

/** Returns the managed fields of a stored object. */
export function entriesOf(metadata: ObjectMeta): readonly FieldsEntry[] {
  // This server wrote the stored entries, and writes only complete ones.
  return (metadata.managedFields ?? []) as readonly FieldsEntry[];
}

/** Reports whether two entries have the same manager. An applier is the same in all versions, an updater is not. */
export function isSameManager(
  one: Omit<FieldsEntry, "fieldsV1">,
  other: Omit<FieldsEntry, "fieldsV1">,
): boolean {
  return (
    one.manager === other.manager &&
    one.operation === other.operation &&
    (one.subresource ?? "") === (other.subresource ?? "") &&
    (one.operation === "Apply" || one.apiVersion === other.apiVersion)
  );
}

/** Returns an entry without fields. */
export function newEntry(
  { manager, apiVersion, subresource }: FieldManager,
  operation: FieldsEntry["operation"],
): FieldsEntry {
  return {
    manager,
    operation,
    apiVersion,
    fieldsType: "FieldsV1",
    fieldsV1: emptySet,
    ...(subresource !== undefined && { subresource }),
  };
}

/** Returns the entry with other fields, and another time if one is given. */
export function withFields(entry: FieldsEntry, fieldsV1: FieldSet, time = entry.time): FieldsEntry {
  const { manager, operation, apiVersion, fieldsType, subresource } = entry;
  return {
    manager,
    operation,
    apiVersion,
    ...(time !== undefined && { time }),
    fieldsType,
    fieldsV1,
    ...(subresource !== undefined && { subresource }),
  };
}

/**
 * upstream: sortEncodedManagedFields. Appliers come first, then entries by time; the texts of times sort like the
 * times.
 */
function inOrder(left: FieldsEntry, right: FieldsEntry): number {
  return (
    byText(left.operation, right.operation) ||
    byText(left.time ?? "", right.time ?? "") ||
    byText(left.manager, right.manager) ||
    byText(left.apiVersion, right.apiVersion) ||
    byText(left.subresource ?? "", right.subresource ?? "")
  );
}

function byText(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}

/** Returns the entries as they are stored: without empty ones, in order, with equal field sets shared. */
export function storedEntries(entries: readonly FieldsEntry[]): readonly FieldsEntry[] {
  const stored: FieldsEntry[] = [];
  for (const entry of entries) {
    if (isEmptySet(entry.fieldsV1)) continue;
    const shared = internFieldSet(entry.fieldsV1);
    stored.push(shared === entry.fieldsV1 ? entry : withFields(entry, shared));
  }
  return exactList(stored.length > 1 ? stored.sort(inOrder) : stored);
}

/** Reports whether two lists of stored entries differ only in their times. */
export function isSameOwnership(one: readonly FieldsEntry[], other: readonly FieldsEntry[]): boolean {
  if (one === other) return true;
  if (one.length !== other.length) return false;
  // Keyed by manager, since a newer time may have moved an entry.
  const owned = new Map<string, Set<FieldSet>>();
  for (const entry of other) {
    const known = owned.get(nameOf(entry));
    if (known === undefined) owned.set(nameOf(entry), new Set([entry.fieldsV1]));
    else known.add(entry.fieldsV1);
  }
  return one.every((entry) => {
    const sets = owned.get(nameOf(entry));
    // Equal sets are shared, unless they are very large.
    return (
      sets !== undefined &&
      (sets.has(entry.fieldsV1) || [...sets].some((set) => deepEqual(set, entry.fieldsV1)))
    );
  });
}

function nameOf({ manager, operation, apiVersion, subresource = "" }: FieldsEntry): string {
  return JSON.stringify([manager, operation, apiVersion, subresource]);
}

/** Reads the entries that a client sent; `undefined` when one of them is malformed. */
export function readEntries(sent: readonly ManagedFieldsEntry[]): readonly FieldsEntry[] | undefined {
  const read: FieldsEntry[] = [];
  for (const { manager = "", operation, apiVersion = "", time, fieldsType, fieldsV1, subresource } of sent) {
    if ((operation !== "Apply" && operation !== "Update") || apiVersion === "") return undefined;
    if (fieldsType !== "FieldsV1") return undefined;
    const who = newEntry(
      { manager, apiVersion, ...(subresource !== undefined && { subresource }) },
      operation,
    );
    read.push(withFields(who, readFieldSet(fieldsV1, canonicalElement), time));
  }
  return storedEntries(read);
}
