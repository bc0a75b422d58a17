import { deepEqual } from "../../../api/deep-equal.ts";
import type { Json, JsonObject } from "../../../api/json.ts";
import {
  difference,
  differenceOfTrees,
  type FieldSet,
  intersection,
  isEmptySet,
  leaf,
  union,
  unionOf,
} from "./field-set.ts";
import type { FieldStructure } from "./field-structure.ts";
import { type FieldManager, type FieldsEntry, isSameManager, newEntry, withFields } from "./fields-entry.ts";
import { fieldsOf, withStructsAsFields } from "./fields-of.ts";
import { mergeConfiguration } from "./merge-configuration.ts";
import { removeFields } from "./remove-fields.ts";
import { fieldChangeOf, perVersion, type VersionedChange } from "./track-update.ts";

/** An object in one version of its API. */
export interface VersionedObject {
  readonly structure: FieldStructure;
  readonly object: JsonObject;
}

/** Converts an object from one version to another, or to its own; `undefined` when there is no such version. */
export type VersionConverter = (
  object: JsonObject,
  versions: readonly [from: string, to: string],
) => VersionedObject | undefined;

/** A configuration that a manager applies to an object. */
export interface Application {
  readonly by: FieldManager;
  readonly entries: readonly FieldsEntry[];
  readonly structure: FieldStructure;
  readonly live: JsonObject;
  readonly configuration: JsonObject;
  readonly force: boolean;
  readonly time: string;
  /** Fields that this request cannot change: they are neither owned nor in conflict. */
  readonly reset: FieldSet;
  readonly convert: VersionConverter;
}

/** Fields that a configuration would change and other managers own. */
export interface FieldConflict {
  readonly with: FieldsEntry;
  readonly fields: FieldSet;
}

/** The outcome of an application. */
export type ApplyOutcome =
  | { readonly ok: true; readonly object: JsonObject; readonly entries: readonly FieldsEntry[] }
  | { readonly ok: false; readonly conflicts: readonly FieldConflict[] };

/** Every object has metadata, so no manager owns it. */
const untracked: FieldSet = { "f:metadata": leaf };

/**
 * Applies a configuration: merges it into the live object, removes what its manager applied before and no manager owns
 * any more, and makes the manager the owner of its fields. Changed fields of other managers are conflicts, unless
 * forced.
 */
export function applyConfiguration(application: Application): ApplyOutcome {
  const { by, entries, structure, live, configuration, reset } = application;
  const mine = newEntry(by, "Apply");
  const former = entries.find((entry) => isSameManager(entry, mine));
  const fields = difference(differenceOfTrees(fieldsOf(structure, configuration), reset), untracked);
  const next = withFields(mine, fields, former?.time);
  const others = entries.filter((entry) => entry !== former);
  const merged = mergeConfiguration(structure, live, configuration) as JsonObject;
  const object =
    former === undefined ? merged : pruned(application, { merged, former, owners: [...others, next] });
  const outcome = released(application, object, others);
  if (!outcome.ok) return outcome;
  // upstream: an apply that leaves the object as it is keeps the time, too.
  const isSame = deepEqual(object, live);
  const own = isSame ? next : withFields(next, fields, application.time);
  return { ok: true, object, entries: [...outcome.entries, own] };
}

interface Pruning {
  readonly merged: JsonObject;
  readonly former: FieldsEntry;
  /** All entries, including what the manager applies now. */
  readonly owners: readonly FieldsEntry[];
}

/** Returns the merged object without the fields that the manager applied before and that no manager owns now. */
function pruned(application: Application, { merged, former, owners }: Pruning): JsonObject {
  const { by, convert } = application;
  const there = convert(merged, [by.apiVersion, former.apiVersion]);
  // Fields that were applied in a version that is gone are no longer known.
  if (there === undefined || isEmptySet(former.fieldsV1)) return merged;
  const { structure, object } = there;
  const last = withStructsAsFields(structure, former.fieldsV1);
  const rest = without(there, last);
  const owned = withOwnedFields(application, { merged, rest, former, owners });
  // Fields without an owner stay, unless the manager applied them.
  const abandoned = intersection(difference(allFields(there), allFields({ structure, object: owned })), last);
  // The metadata has a name, which no manager owns.
  const kept = without({ structure, object }, difference(abandoned, untracked));
  return convert(kept, [former.apiVersion, by.apiVersion])?.object ?? merged;
}

/** Returns the pruned object with the owned fields that it lacks, version by version. */
function withOwnedFields(
  { by, convert }: Application,
  { merged, rest, former, owners }: Pruning & { readonly rest: JsonObject },
): JsonObject {
  const versions = new Set([former.apiVersion, ...owners.map(({ apiVersion }) => apiVersion)]);
  let [current, version] = [rest, former.apiVersion];
  for (const apiVersion of versions) {
    const all = convert(merged, [by.apiVersion, apiVersion]);
    const now = convert(current, [version, apiVersion]);
    if (all === undefined || now === undefined) continue;
    const owned = unionOf(
      owners.filter((entry) => entry.apiVersion === apiVersion).map(({ fieldsV1 }) => fieldsV1),
    );
    const kept = union(allFields(now), withStructsAsFields(all.structure, owned));
    [current, version] = [without(all, difference(allFields(all), kept)), apiVersion];
  }
  return convert(current, [version, former.apiVersion])?.object ?? current;
}

function allFields({ structure, object }: VersionedObject): FieldSet {
  return withStructsAsFields(structure, fieldsOf(structure, object));
}

function without({ structure, object }: VersionedObject, fields: FieldSet): JsonObject {
  return (removeFields(structure, object, fields) ?? {}) as JsonObject;
}

/** Returns the entries of the other managers without what the application takes from them, or the conflicts. */
function released(
  application: Application,
  object: JsonObject,
  others: readonly FieldsEntry[],
): { readonly ok: true; readonly entries: readonly FieldsEntry[] } | Extract<ApplyOutcome, { ok: false }> {
  const conflicts: FieldConflict[] = [];
  const entries: FieldsEntry[] = [];
  const changes = perVersion((apiVersion) => {
    const change = changeIn(application, object, apiVersion);
    if (change === undefined) return undefined;
    const { taken, removed } = fieldChangeOf(change);
    return { taken: differenceOfTrees(taken, application.reset), removed };
  });
  for (const entry of others) {
    const change = changes(entry.apiVersion);
    if (change === undefined) continue;
    const { taken, removed } = change;
    const lost = intersection(entry.fieldsV1, taken);
    if (!isEmptySet(lost)) conflicts.push({ with: entry, fields: lost });
    const left = difference(difference(entry.fieldsV1, lost), removed);
    entries.push(left === entry.fieldsV1 ? entry : withFields(entry, left));
  }
  return conflicts.length > 0 && !application.force ? { ok: false, conflicts } : { ok: true, entries };
}

function changeIn(
  { live, by, convert }: Application,
  object: JsonObject,
  apiVersion: string,
): VersionedChange | undefined {
  const before = convert(live, [by.apiVersion, apiVersion]);
  const after = convert(object, [by.apiVersion, apiVersion]);
  return before && after && { structure: before.structure, before: before.object, after: after.object };
}

/** Returns the fields of a configuration that a live object still has with the same values. */
export function unchangedFields(structure: FieldStructure, configuration: Json, live: Json): FieldSet {
  const { taken, removed } = fieldChangeOf({ structure, before: configuration, after: live });
  return difference(difference(fieldsOf(structure, configuration), taken), removed);
}
