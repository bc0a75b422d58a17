import { extended } from "../../../api/extended.ts";
import type { ManagedFieldsEntry, ObjectMeta } from "../../../api/generated/meta-v1.ts";
import type { JsonObject } from "../../../api/json.ts";
import { deepEqual } from "../../../api/deep-equal.ts";
import type { ObjectUpdate } from "../kinds/kind-strategy.ts";
import { apiVersionOf } from "../../../api/resource.ts";
import { formatTime } from "../../../api/time.ts";
import { metadataOf, withMetadata } from "../registry/object-meta.ts";
import { omit } from "../registry/pick-omit.ts";
import type { ApiRequest } from "../request/api-request.ts";
import type { ServedResource } from "../served-resource.ts";
import type { ServerContext } from "../server-context.ts";
import { capUpdaters } from "./cap-updaters.ts";
import { configurationProblems } from "./check-configuration.ts";
import { createdFields } from "./created-fields.ts";
import { differenceOfTrees } from "./field-set.ts";
import {
  entriesOf,
  type FieldManager,
  type FieldsEntry,
  newEntry,
  readEntries,
  storedEntries,
  withFields,
} from "./fields-entry.ts";
import { managerNameOf } from "./manager-name.ts";
import { resetFieldsOf } from "./reset-fields.ts";
import { trackUpdate } from "./track-update.ts";
import { versionConverter } from "../registry/version-converter.ts";

let [formattedAt, formatted] = [Number.NaN, ""];

/** Returns the time of a write; all writes of a second share the text. */
function timeOf(context: ServerContext): string {
  const second = Math.floor(context.clock.now() / 1000);
  if (second !== formattedAt) [formattedAt, formatted] = [second, formatTime(second * 1000)];
  return formatted;
}

/** Returns the manager that a request names. */
export function fieldManagerOf({ resource, options, userAgent, subresource }: ApiRequest): FieldManager {
  return {
    manager: managerNameOf(options.fieldManager, userAgent),
    apiVersion: apiVersionOf(resource),
    ...(subresource !== undefined && { subresource }),
  };
}

/** Returns the object with these managed fields. */
function withEntries(object: JsonObject, entries: readonly FieldsEntry[]): JsonObject {
  return withStored(object, storedEntries(entries));
}

/** Returns the object with managed fields that are in their stored form. */
function withStored(object: JsonObject, entries: readonly FieldsEntry[]): JsonObject {
  const metadata = metadataOf(object);
  if (metadata.managedFields === entries) return object;
  if (entries.length > 0) return withMetadata(object, extended(metadata, { managedFields: entries }));
  return metadata.managedFields === undefined
    ? object
    : withMetadata(object, omit(metadata, ["managedFields"]));
}

/** Returns an object from admission webhooks with the managed fields from before: webhooks do not own fields. */
export function withManagedFieldsOf(source: JsonObject, object: JsonObject): JsonObject {
  return withStored(object, entriesOf(metadataOf(source)));
}

/** A write, and its entries if it is an apply. */
interface TrackedWrite {
  readonly request: ApiRequest;
  readonly entries?: readonly FieldsEntry[];
}

/** Returns a new object with its creator as the manager of all its fields. */
export function withCreator(context: ServerContext, creation: TrackedWrite, object: JsonObject): JsonObject {
  const { request, entries } = creation;
  const { resource } = request;
  if (entries !== undefined) return withEntries(object, entries);
  return withEntries(object, updaterEntries(context, { resource, by: fieldManagerOf(request), object }));
}

/** Returns the entries of an object as if a manager had created it. */
export function updaterEntries(
  context: ServerContext,
  { resource, by, object }: { resource: ServedResource; by: FieldManager; object: JsonObject },
): readonly FieldsEntry[] {
  const reset = resetFieldsOf(resource, by.subresource);
  const fields = differenceOfTrees(createdFields(resource.schema, object), reset);
  return [withFields(newEntry(by, "Update"), fields, timeOf(context))];
}

/** Returns the next version of an object with the changes of an update attributed to the requester. */
export function withUpdater(
  context: ServerContext,
  { request, entries: applied, object }: TrackedWrite & { readonly object: JsonObject },
  { next, previous }: ObjectUpdate,
): JsonObject {
  if (applied !== undefined) return withEntries(next, applied);
  const { resource, subresource } = request;
  const live = entriesOf(metadataOf(previous));
  const former = subresource === undefined ? formerEntries(metadataOf(object), live) : live;
  // upstream: an object without managed fields gets them with its first apply.
  if (former.length === 0) return withStored(next, former);
  const change = { structure: resource.schema.trackedStructure, before: previous, after: next };
  const by = fieldManagerOf(request);
  if (resource.isCustom === true && !fitsOthers(context, { request, former }, [previous, next]))
    return withStored(next, []);
  const entries = trackUpdate(former, {
    by,
    change,
    inVersion(apiVersion) {
      const convert = versionConverter(context.kinds, resource);
      const before = convert(previous, [by.apiVersion, apiVersion]);
      const after = convert(next, [by.apiVersion, apiVersion]);
      return before && after && { structure: before.structure, before: before.object, after: after.object };
    },
    time: timeOf(context),
  });
  return entries === former ? withStored(next, former) : withEntries(next, capUpdaters(entries));
}

const isRepetition = (problem: string) => problem.includes("duplicate entries for key");

/**
 * Reports whether versions of an object fit the schemas of all versions in which it has managers. upstream: managed fields
 * are dropped where one of those does not know a field.
 */
function fitsOthers(
  { kinds }: ServerContext,
  { request, former }: { readonly request: ApiRequest; readonly former: readonly FieldsEntry[] },
  objects: readonly JsonObject[],
): boolean {
  const { resource } = request;
  const own = apiVersionOf(resource);
  const used = new Set(former.map(({ apiVersion }) => apiVersion).filter((version) => version !== own));
  return kinds
    .sharing(resource.collection)
    .filter((each) => each.conversion?.ahead === undefined && used.has(apiVersionOf(each)))
    .every(({ schema }) =>
      objects.every((object) => configurationProblems(schema.structure, object).every(isRepetition)),
    );
}

/**
 * Returns the entries that an update starts from: those of the client, if it sent valid ones, otherwise the stored
 * ones.
 */
function formerEntries(
  { managedFields: sent }: ObjectMeta,
  live: readonly FieldsEntry[],
): readonly FieldsEntry[] {
  if (sent === undefined || sent === live) return live;
  if (isReset(sent)) return [];
  if (deepEqual(sent, live)) return live;
  const read = readEntries(sent);
  return read === undefined || read.length === 0 ? live : read;
}

/** Reports whether a client resets the managed fields: with an empty list, or a list of one empty entry. */
function isReset(sent: readonly ManagedFieldsEntry[]): boolean {
  return sent.length === 0 || (sent.length === 1 && Object.keys(sent[0] ?? {}).length === 0);
}
