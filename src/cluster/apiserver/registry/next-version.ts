import { deepEqual } from "../../../api/deep-equal.ts";
import type { FieldError } from "../../../api/field-error.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../api/json.ts";
import type { ObjectUpdate, StrategyContext } from "../kinds/kind-strategy.ts";
import { entriesOf, isSameOwnership } from "../managed-fields/fields-entry.ts";
import type { ServedResource } from "../served-resource.ts";
import { metadataOf, withHead, withMetadata, withServerFields } from "./object-meta.ts";
import { omit } from "./pick-omit.ts";

/** What an update may change: everything except the status, or only the status. */
export type Writable = "spec" | "status";

/** Returns a client's next version with the stored system fields and the defaults of its kind. */
export function draftOf(resource: ServedResource, object: JsonObject, previous: JsonObject): JsonObject {
  const metadata = withServerFields(metadataOf(object), metadataOf(previous));
  const whole = withHead(resource, object, metadata);
  return resource.strategy.defaults?.(whole, previous) ?? whole;
}

/** Returns the stored object with the part that the update may change. */
export function preparedBy(
  { strategy }: ServedResource,
  { next, previous, writable }: ObjectUpdate & { readonly writable: Writable },
  context: StrategyContext,
): JsonObject {
  if (writable === "status") {
    const change = { next, previous };
    return strategy.prepareForStatusUpdate?.(change, context) ?? statusOnly(change);
  }
  const kept = strategy.ordinaryStatus === true ? next : withStatusOf(next, previous);
  return strategy.prepareForUpdate?.({ next: kept, previous }, context) ?? kept;
}

function statusOnly({ next, previous }: ObjectUpdate): JsonObject {
  return withMetadata(withStatusOf(previous, next), metadataOf(next));
}

/** Reports whether two versions of an object differ in anything but their metadata. */
function isOtherContent(next: JsonObject, previous: JsonObject): boolean {
  const content = (object: JsonObject) => omit(object, ["apiVersion", "kind", "metadata"]);
  return !deepEqual(content(next), content(previous));
}

function withStatusOf(object: JsonObject, source: JsonObject): JsonObject {
  const { status } = source;
  return status === undefined ? omit(object, ["status"]) : { ...object, status };
}

/** Returns the next version with a new generation, if it changes what the generation counts. */
export function withGeneration({ strategy, schema }: ServedResource, change: ObjectUpdate): JsonObject {
  const { next, previous } = change;
  if (strategy.generation === undefined) return next;
  const before = metadataOf(previous);
  const after = metadataOf(next);
  const changed =
    strategy.generation === "content"
      ? isOtherContent(next, previous)
      : !schema.isSameIn(strategy.generation === "template" ? "template" : "spec", next, previous) ||
        (strategy.generation === "spec-and-annotations" &&
          !deepEqual(after.annotations ?? {}, before.annotations ?? {}));
  return changed ? withMetadata(next, { ...after, generation: (before.generation ?? 0) + 1 }) : next;
}

/** Returns what is invalid in the next version, or in the change to it. */
export function updateProblems(
  { strategy }: ServedResource,
  { writable, ...change }: ObjectUpdate & { readonly writable: Writable },
  context: StrategyContext,
): readonly FieldError[] {
  if (writable === "status") return strategy.validateStatusUpdate?.(change, context) ?? [];
  return [
    ...(strategy.validate?.(change.next, context, change.previous) ?? []),
    ...(strategy.validateUpdate?.(change, context) ?? []),
  ];
}

/** Reports whether the next version changes nothing, apart from times in managed fields. */
export function isUnchanged({ schema }: ServedResource, { next, previous }: ObjectUpdate): boolean {
  const [after, before] = [metadataOf(next), metadataOf(previous)];
  const { managedFields } = before;
  if (after.managedFields === managedFields) return schema.isSame(next, previous);
  if (!isSameOwnership(entriesOf(after), entriesOf(before))) return false;
  const same = withMetadata(next, { ...after, ...(managedFields !== undefined && { managedFields }) });
  return schema.isSame(same, previous);
}

/**
 * Returns the object with the stored values of the fields that Kubernetes does not have. Protobuf cannot carry them: a
 * protobuf client that reads and writes an object would remove them without knowing.
 */
export function keepExtensionFields(
  { schema }: ServedResource,
  object: JsonObject,
  stored: JsonObject,
): JsonObject {
  const names = schema.extensionFields;
  const { spec } = object;
  const before = stored["spec"];
  if (names.length === 0 || !isJsonObject(spec) || !isJsonObject(before)) return object;
  const kept: Record<string, Json | undefined> = {};
  for (const name of names) {
    if (spec[name] === undefined && before[name] !== undefined) kept[name] = before[name];
  }
  return { ...object, spec: { ...spec, ...kept } };
}
