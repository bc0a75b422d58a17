import type { FeatureGates } from "../../api/feature-gates.ts";
import { type FieldError, invalid, notFound } from "../../api/field-error.ts";
import { isJsonObject, type JsonObject } from "../../api/json.ts";
import { kindStrategyOf } from "../../cluster/apiserver/kinds/kinds.ts";
import { nearestName } from "../../api/nearest-name.ts";
import { apiVersionOf } from "../../api/resource.ts";
import { decodeObject } from "../../api/schema/decode-object.ts";
import { type KindFacts, kindByName, schemaTable } from "../../api/schema/table.ts";
import { annotatedLoadErrors } from "./check-load.ts";

/** A manifest as the API server would create it, and its kind. */
export interface DecodedManifest {
  readonly resource: KindFacts;
  readonly object: JsonObject & { readonly metadata: JsonObject };
}

export interface CheckedManifest {
  readonly errors: readonly FieldError[];
  /** Absent where it cannot be decoded. */
  readonly manifest?: DecodedManifest;
}

/** Decodes and validates a manifest as the API server does when it is created; errors have paths below `path`. */
export function checkManifest(document: JsonObject, path: string, gates: FeatureGates): CheckedManifest {
  const { apiVersion, kind } = document;
  // The schema of the scenario has reported these already.
  if (typeof apiVersion !== "string" || typeof kind !== "string") return { errors: [] };
  const resource = kindByName(apiVersion, kind);
  if (resource === undefined) return { errors: [unknownKind(apiVersion, kind, path)] };
  const decoded = decodeObject(resource.type, document);
  if (!decoded.ok) return { errors: [decodingError(decoded.error, document, path)] };
  const unknown = decoded.unknownFields.map((text) => unknownField(text, resource, path));
  const metadata = isJsonObject(decoded.object["metadata"]) ? decoded.object["metadata"] : {};
  const placed = resource.namespaced ? { namespace: "default", ...metadata } : metadata;
  const object = { ...decoded.object, metadata: placed };
  return {
    errors: [
      ...unknown,
      ...validate(resource, object, { path, gates }),
      ...annotatedLoadErrors(object, path),
    ],
    manifest: { resource, object },
  };
}

function unknownKind(apiVersion: string, kind: string, path: string): FieldError {
  const { kinds } = schemaTable();
  const same = kinds.find((other) => other.kind === kind);
  if (same !== undefined)
    return notFound(`${path}.apiVersion`, apiVersion, `${kind} is of ${apiVersionOf(same)}`);
  const meant = nearestName(
    kind,
    kinds.map((other) => other.kind),
  );
  return notFound(`${path}.kind`, kind, meant === undefined ? "" : `did you mean "${meant}"?`);
}

function unknownField(text: string, { type }: KindFacts, path: string): FieldError {
  const field = /^unknown field "(.*)"$/.exec(text)?.[1] ?? "";
  const name = field.slice(field.lastIndexOf(".") + 1);
  const meant = nearestName(name, fieldNames(type));
  const hint = meant === undefined || meant === name ? "" : `; did you mean "${meant}"?`;
  return { type: "FieldValueForbidden", field: `${path}.${field}`, detail: `unknown field${hint}` };
}

/** The names of all fields of a type and of the types of its fields. */
function fieldNames(type: string, seen = new Set<string>()): readonly string[] {
  const facts = schemaTable().types.get(type);
  if (facts === undefined || seen.has(type)) return [];
  seen.add(type);
  return Object.entries(facts.fields).flatMap(([name, field]) => [
    name,
    ...fieldNames(field.type ?? field.list ?? field.map ?? "", seen),
  ]);
}

/** Go's message names the field without the positions in lists; its value is looked for. */
function decodingError(message: string, document: JsonObject, path: string): FieldError {
  const named = /struct field \w+\.(\S+) of type (\S+)/.exec(message);
  const leading = /^(\S+): /.exec(message)?.[1];
  const fields = named?.[1]?.split(".") ?? [];
  const found = named === null ? leading : findPath(document, fields);
  const detail = named === null ? message : `must be of type ${named[2] ?? ""}`;
  return invalid(found === undefined ? path : `${path}.${found}`, undefined, detail);
}

/** The path of the first field that is reached through these names, lists on the way included. */
function findPath(value: unknown, fields: readonly string[]): string | undefined {
  const [field, ...rest] = fields;
  if (field === undefined) return "";
  if (Array.isArray(value)) {
    for (const [index, item] of (value as readonly unknown[]).entries()) {
      const found = findPath(item, fields);
      if (found !== undefined) return `[${index}].${found}`;
    }
    return undefined;
  }
  if (!isJsonObject(value) || !Object.hasOwn(value, field)) return undefined;
  if (rest.length === 0) return field;
  const found = findPath(value[field], rest);
  if (found === undefined) return undefined;
  return found.startsWith("[") ? `${field}${found}` : `${field}.${found}`;
}

interface Context {
  readonly path: string;
  readonly gates: FeatureGates;
}

function validate(resource: KindFacts, object: JsonObject, { path, gates }: Context): readonly FieldError[] {
  const strategy = kindStrategyOf(resource);
  const defaulted = strategy.defaults?.(object) ?? object;
  const context = { gates, now: 0 };
  // An identity, since the API server gives one before it validates.
  const metadata = isJsonObject(defaulted["metadata"]) ? defaulted["metadata"] : {};
  const identified = { ...defaulted, metadata: { uid: "scenario", ...metadata } };
  const prepared = strategy.prepareForCreate?.(identified, context) ?? identified;
  const errors = strategy.validate?.(prepared, context) ?? [];
  return errors.map((error) => ({ ...error, field: `${path}.${error.field}` }));
}
