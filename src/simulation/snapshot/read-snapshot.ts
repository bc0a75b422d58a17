import { duplicate, type FieldError, invalid, notSupported, required } from "../../api/field-error.ts";
import { isJsonObject, type Json, type JsonObject } from "../../api/json.ts";
import { parseJson } from "../../api/parse-json.ts";
import { decodeObject } from "../../api/schema/decode-object.ts";
import { type Instant, parseTime } from "../../api/time.ts";
import {
  type ClusterObjects,
  clusterResources,
  type CollectionName,
  collectionNames,
  noObjects,
} from "../../decisions/explain/cluster-objects.ts";
import { type ReadTextFile, readTextFile } from "../../machinery/client/connection/text-file.ts";
import { parseLocatedYaml } from "../../machinery/yaml/located-yaml.ts";
import { decodeDocument } from "../../scheduler/configuration/decode-document.ts";
import { mapErrors } from "./check-maps.ts";
import {
  controllerNames,
  schemaTypeOf,
  type Snapshot,
  snapshotApiVersion,
  snapshotKind,
} from "./snapshot.ts";

/** A snapshot, or every mistake of its text with line, column and what was expected. */
export type ReadSnapshot =
  | { readonly ok: true; readonly snapshot: Snapshot }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads the file of a snapshot. */
export function readSnapshotFile(file: string, read: ReadTextFile = readTextFile): ReadSnapshot {
  const found = read(file);
  return found.ok ? readSnapshot(found.text, file) : { ok: false, problems: [`${file}: ${found.reason}`] };
}

/** The same for a simulation, which needs nodes: the Pods of nodes that are not there would be deleted as if these were gone. */
export function readSimulableSnapshot(file: string, read?: ReadTextFile): ReadSnapshot {
  const found = readSnapshotFile(file, read);
  if (!found.ok || found.snapshot.objects.nodes.length > 0) return found;
  const missing = "it has no nodes, which a simulation needs: was it taken without permission to list nodes?";
  return { ok: false, problems: [`${file}: ${missing}`] };
}

/** Reads the text of a snapshot, YAML or JSON; `file` is its name in messages. */
export function readSnapshot(text: string, file: string): ReadSnapshot {
  // JSON is parsed many times as fast; only where it is wrong is its text needed.
  const json = text.startsWith("{") ? parseJson(text) : undefined;
  if (json?.ok === true) {
    const { snapshot, errors } = decodeSnapshot(json.value);
    if (errors.length === 0) return { ok: true, snapshot };
  }
  const parsed = parseLocatedYaml({ text, file, kind: snapshotKind });
  if (!parsed.ok) return parsed;
  const { snapshot, errors } = decodeSnapshot(parsed.document.content);
  return errors.length === 0
    ? { ok: true, snapshot }
    : { ok: false, problems: parsed.document.format(errors) };
}

/** A snapshot as decoded JSON, for documents that have one within; with errors it is not complete. */
interface DecodedSnapshot {
  readonly snapshot: Snapshot;
  readonly errors: readonly FieldError[];
}

const shape = {
  members: {
    apiVersion: "string",
    kind: "string",
    takenAt: "string",
    namespace: "string",
    controllers: "string",
    anonymised: "bool",
    objects: { members: Object.fromEntries(collectionNames.map((name) => [name, "JSON"])) },
  },
};

interface SnapshotDocument {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly takenAt?: string;
  readonly namespace?: string;
  readonly controllers?: string;
  readonly anonymised?: boolean;
  readonly objects?: Partial<Record<CollectionName, Json>>;
}

function decodeSnapshot(content: Json): DecodedSnapshot {
  const errors: FieldError[] = [];
  const document = (decodeDocument(shape, content, { path: "", errors }) ?? {}) as SnapshotDocument;
  if (errors.some(({ field }) => field === "")) return { snapshot: emptySnapshot, errors };
  const { apiVersion = "", kind = "", takenAt } = document;
  const controllers = controllerNames.find((name) => name === document.controllers);
  if (controllers === undefined && document.controllers !== undefined)
    errors.push(notSupported("controllers", document.controllers, controllerNames));
  if (apiVersion !== snapshotApiVersion)
    errors.push(notSupported("apiVersion", apiVersion, [snapshotApiVersion]));
  if (kind !== snapshotKind) errors.push(notSupported("kind", kind, [snapshotKind]));
  return {
    snapshot: {
      takenAt: readTime(takenAt, errors),
      namespace: document.namespace,
      controllers,
      isAnonymised: document.anonymised === true,
      objects: decodeCollections(document, errors),
    },
    errors,
  };
}

const emptySnapshot: Snapshot = { takenAt: 0, isAnonymised: false, objects: noObjects };

function readTime(text: string | undefined, errors: FieldError[]): Instant {
  const time = parseTime(text);
  if (text === undefined)
    errors.push(required("takenAt", "the moment of the snapshot, such as 2026-01-01T00:00:00Z"));
  else if (time === undefined)
    errors.push(invalid("takenAt", text, "must be a time such as 2026-01-01T00:00:00Z"));
  return time ?? 0;
}

function decodeCollections({ objects }: SnapshotDocument, errors: FieldError[]): ClusterObjects {
  if (objects === undefined) {
    errors.push(required("objects", `the objects of the cluster: ${collectionNames.join(", ")}`));
    return noObjects;
  }
  const decoded = collectionNames.map((name) => [name, decodeCollection(name, objects[name], errors)]);
  return Object.fromEntries(decoded) as ClusterObjects;
}

function decodeCollection(
  name: CollectionName,
  value: Json | undefined,
  errors: FieldError[],
): readonly JsonObject[] {
  const path = `objects.${name}`;
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    errors.push({ type: "FieldValueTypeInvalid", field: path, value, detail: "must be a list" });
    return [];
  }
  const keys = new Set<string>();
  return (value as readonly Json[]).flatMap((item, index) => {
    const field = { path: `${path}[${index}]`, errors: [] as FieldError[] };
    const object = decodeOne(name, item, field);
    if (object !== undefined) checkIdentity(name, object, { ...field, keys });
    errors.push(...field.errors);
    return object === undefined ? [] : [object];
  });
}

interface ObjectContext {
  readonly path: string;
  readonly errors: FieldError[];
}

function decodeOne(name: CollectionName, item: Json, field: ObjectContext): JsonObject | undefined {
  const type = schemaTypeOf(name);
  decodeDocument(type, item, field);
  field.errors.push(...mapErrors(type, item, field.path));
  if (field.errors.length > 0) return undefined;
  const decoded = decodeObject(type, item);
  if (decoded.ok) return name === "nodes" ? { spec: {}, ...decoded.object } : decoded.object;
  field.errors.push(invalid(field.path, undefined, decoded.error));
  return undefined;
}

/** What components rely on in the objects of an API server. */
function checkIdentity(
  name: CollectionName,
  object: JsonObject,
  { path, errors, keys }: ObjectContext & { readonly keys: Set<string> },
): void {
  const { metadata } = object;
  const text = (member: string) => {
    const value = isJsonObject(metadata) ? metadata[member] : undefined;
    return typeof value === "string" ? value : "";
  };
  const { namespaced } = clusterResources[name];
  for (const member of ["name", "uid", ...(namespaced ? ["namespace"] : [])])
    if (text(member) === "") errors.push(required(`${path}.metadata.${member}`));
  if (name === "pods" && !hasContainers(object)) errors.push(required(`${path}.spec.containers`));
  const key = `${text("namespace")}/${text("name")}`;
  if (keys.has(key)) errors.push(duplicate(`${path}.metadata.name`, text("name")));
  keys.add(key);
}

function hasContainers({ spec }: JsonObject): boolean {
  const containers = isJsonObject(spec) ? spec["containers"] : undefined;
  return Array.isArray(containers) && containers.length > 0;
}
