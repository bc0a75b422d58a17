import { extended } from "../../../api/extended.ts";
import { isJsonObject, type JsonObject } from "../../../api/json.ts";
import { apiVersionOf } from "../../../api/resource.ts";
import type { Conversion } from "../served-resource.ts";
import { internalError } from "../status-errors.ts";
import type { CustomVersion, VersionsHolder } from "./custom-kind.ts";
import { applyDefaults } from "./structural/apply-defaults.ts";
import { pruneObject } from "./structural/prune.ts";
import type { StructuralSchema } from "./structural/structural-schema.ts";

/** The versions of a custom kind, and the one that is stored. */
export interface VersionSetting {
  readonly versions: ReadonlyMap<string, CustomVersion>;
  readonly holder: VersionsHolder;
  readonly storage: string;
}

/**
 * Returns how stored objects become those of a served version, and back. An object is stored in the version that was the
 * storage version when it was written. When it is read, its schema of that version prunes it and gives it its defaults;
 * then it is converted and pruned by the served version. It is not validated: its schema may have changed meanwhile.
 */
export function versionConversion(setting: VersionSetting): (target: string) => Conversion {
  return (target) => conversionTo(target, setting);
}

function conversionTo(target: string, { versions, holder, storage }: VersionSetting): Conversion {
  const read = new WeakMap<JsonObject, JsonObject>();
  const wanted = versionNamed(versions, target);
  const stored = versionNamed(versions, storage);
  return {
    fromStorage(object) {
      const known = read.get(object);
      if (known !== undefined) return known;
      const name = versionIn(object);
      const source = versions.get(name) ?? holder.current.get(name);
      if (source === undefined) throw goneVersion(object);
      const complete = withGeneration(completed(object, source.schema()));
      const made = source === wanted ? complete : pruned(renamed(complete, wanted), wanted.schema());
      read.set(object, made);
      return made;
    },
    toStorage: (object) => (stored === wanted ? object : pruned(renamed(object, stored), stored.schema())),
  };
}

function versionNamed(versions: ReadonlyMap<string, CustomVersion>, name: string): CustomVersion {
  const version = versions.get(name);
  if (version === undefined) throw new Error(`there is no version ${name}`);
  return version;
}

function versionIn({ apiVersion }: JsonObject): string {
  return typeof apiVersion === "string" ? apiVersion.replace(/^.*\//, "") : "";
}

/** 500: the version in which an object is stored is no longer a version of its kind. */
function goneVersion({ apiVersion }: JsonObject) {
  const version = typeof apiVersion === "string" ? apiVersion : "";
  return internalError(`request to convert CR from an invalid group/version: ${version}`);
}

/** Returns the object as another version has it, if nothing but the version differs. */
function renamed(object: JsonObject, { group, name }: CustomVersion): JsonObject {
  return { ...object, apiVersion: apiVersionOf({ group, version: name }) };
}

/** Returns the object without fields that the schema does not have; the same object if it has none. */
function pruned(object: JsonObject, schema: StructuralSchema): JsonObject {
  return withFields(object, (fields) => pruneObject(fields, schema).value);
}

/** Returns the object pruned and with the defaults of its schema; the same object if nothing changes. */
function completed(object: JsonObject, schema: StructuralSchema): JsonObject {
  return withFields(object, (fields) => applyDefaults(pruneObject(fields, schema).value, schema));
}

function withFields(object: JsonObject, map: (fields: JsonObject) => JsonObject): JsonObject {
  const { apiVersion, kind, metadata, ...fields } = object;
  const mapped = map(fields);
  return mapped === fields ? object : extended({ apiVersion, kind, metadata }, mapped);
}

/** upstream: every object has a generation; those that were stored without one have the first. */
function withGeneration(object: JsonObject): JsonObject {
  const { metadata } = object;
  if (!isJsonObject(metadata) || (metadata["generation"] ?? 0) !== 0) return object;
  return { ...object, metadata: { ...metadata, generation: 1 } };
}
