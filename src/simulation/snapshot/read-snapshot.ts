import {
  anyText,
  apiType,
  choice,
  type DocumentSchema,
  flag,
  list,
  record,
  text,
  trimtabHead,
} from "../../api/documents/document-schema.ts";
import { readDocument } from "../../api/documents/read-document.ts";
import { duplicate, type FieldError, invalid, required } from "../../api/field-error.ts";
import { isJsonObject, type Json, type JsonObject } from "../../api/json.ts";
import { parseJson } from "../../api/parse-json.ts";
import { decodeObject } from "../../api/schema/decode-object.ts";
import { parseTime } from "../../api/time.ts";
import {
  type ClusterObjects,
  clusterResources,
  type CollectionName,
  collectionNames,
  noObjects,
} from "../../decisions/explain/cluster-objects.ts";
import type { ReadTextFile } from "../../machinery/client/connection/text-file.ts";
import { parseLocatedYaml } from "../../machinery/yaml/located-yaml.ts";
import { decidingControllers, schemaTypeOf, type Snapshot, snapshotKind } from "./snapshot.ts";

/** A snapshot, or every mistake of its text with line, column and what was expected. */
export type ReadSnapshot =
  | { readonly ok: true; readonly snapshot: Snapshot }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads the file of a snapshot. */
export function readSnapshotFile(file: string, read: ReadTextFile): ReadSnapshot {
  const found = read(file);
  return found.ok ? readSnapshot(found.text, file) : { ok: false, problems: [`${file}: ${found.reason}`] };
}

/** Reads a snapshot for a simulation, which needs nodes: Pods of missing nodes would be deleted. */
export function readSimulableSnapshot(file: string, read: ReadTextFile): ReadSnapshot {
  const found = readSnapshotFile(file, read);
  if (!found.ok || found.snapshot.objects.nodes.length > 0) return found;
  const missing = "it has no nodes, which a simulation needs: was it taken without permission to list nodes?";
  return { ok: false, problems: [`${file}: ${missing}`] };
}

/** Reads the text of a snapshot, YAML or JSON; `file` is its name in messages. */
export function readSnapshot(source: string, file: string): ReadSnapshot {
  // JSON.parse is many times as fast as the YAML parser, which is needed only to locate mistakes. The limit on the values of
  // a request does not apply: this is the user's own file, and `readTextFile` bounds its bytes (512 MiB, the longest string).
  const json = source.startsWith("{") ? parseJson(source, { valueLimit: Infinity }) : undefined;
  if (json?.ok === true) {
    const { snapshot, errors } = decodeSnapshot(json.value);
    if (errors.length === 0) return { ok: true, snapshot };
  }
  const parsed = parseLocatedYaml({ text: source, file, kind: snapshotKind });
  if (!parsed.ok) return parsed;
  const { snapshot, errors } = decodeSnapshot(parsed.document.content);
  return errors.length === 0
    ? { ok: true, snapshot }
    : { ok: false, problems: parsed.document.format(errors) };
}

interface DecodedSnapshot {
  readonly snapshot: Snapshot;
  readonly errors: readonly FieldError[];
}

/** Made when a snapshot is read, since the types of its objects are in the schema table. */
function snapshotSchema() {
  const collections = collectionNames.map((name) => [name, collectionSchema(name)]);
  return record(
    "A cluster at one moment.",
    {
      ...trimtabHead(snapshotKind),
      takenAt: text("the moment of the snapshot, such as 2026-01-01T00:00:00Z", {
        check: (time, path) =>
          parseTime(time) === undefined
            ? [invalid(path, time, "must be a time such as 2026-01-01T00:00:00Z")]
            : [],
      }),
      namespace: anyText("The only namespace whose objects it has."),
      controllers: choice("Whose controllers decide about its workloads.", decidingControllers),
      anonymised: flag("Whether names, label values and images were replaced."),
      objects: {
        ...record(
          "The objects of the cluster.",
          Object.fromEntries(collections) as Record<CollectionName, DocumentSchema<readonly JsonObject[]>>,
        ),
        errorMessage: `the objects of the cluster: ${collectionNames.join(", ")}`,
      },
    },
    { required: ["apiVersion", "kind", "takenAt", "objects"] },
  );
}

function collectionSchema(name: CollectionName): DocumentSchema<readonly JsonObject[]> {
  const object = apiType<JsonObject>(`An object of ${name}.`, schemaTypeOf(name), {
    check: (each, path) => identityErrors(name, each, path),
  });
  return list(`The ${name}.`, object, { check: repeatedNames });
}

function decodeSnapshot(content: Json): DecodedSnapshot {
  const read = readDocument(snapshotSchema(), content);
  if (!read.ok) return { snapshot: emptySnapshot, errors: read.errors };
  const { takenAt, namespace, controllers, anonymised = false, objects } = read.value;
  const errors: FieldError[] = [];
  const decoded = collectionNames.map((name) => [name, decodeCollection(name, objects[name] ?? [], errors)]);
  return {
    snapshot: {
      takenAt: parseTime(takenAt) ?? 0,
      namespace,
      controllers,
      isAnonymised: anonymised,
      objects: Object.fromEntries(decoded) as ClusterObjects,
    },
    errors,
  };
}

const emptySnapshot: Snapshot = { takenAt: 0, isAnonymised: false, objects: noObjects };

/** The objects as the API server would store them. */
function decodeCollection(name: CollectionName, items: readonly JsonObject[], errors: FieldError[]) {
  const type = schemaTypeOf(name);
  return items.map((item, index) => {
    const decoded = decodeObject(type, item);
    if (decoded.ok) return name === "nodes" ? { spec: {}, ...decoded.object } : decoded.object;
    errors.push(invalid(`objects.${name}[${index}]`, undefined, decoded.error));
    return {};
  });
}

function metadataText({ metadata }: JsonObject, member: string): string {
  const value = isJsonObject(metadata) ? metadata[member] : undefined;
  return typeof value === "string" ? value : "";
}

/** What components rely on in the objects of an API server. */
function identityErrors(name: CollectionName, object: JsonObject, path: string): readonly FieldError[] {
  const { namespaced } = clusterResources[name];
  const needed = ["name", "uid", ...(namespaced ? ["namespace"] : [])];
  return [
    ...needed
      .filter((member) => metadataText(object, member) === "")
      .map((member) => required(`${path}.metadata.${member}`)),
    ...(name === "pods" && !hasContainers(object) ? [required(`${path}.spec.containers`)] : []),
  ];
}

function repeatedNames(objects: readonly JsonObject[], path: string): readonly FieldError[] {
  const keys = new Set<string>();
  return objects.flatMap((object, index) => {
    const name = metadataText(object, "name");
    const key = `${metadataText(object, "namespace")}/${name}`;
    const isRepeated = name !== "" && keys.has(key);
    keys.add(key);
    return isRepeated ? [duplicate(`${path}[${index}].metadata.name`, name)] : [];
  });
}

function hasContainers({ spec }: JsonObject): boolean {
  const containers = isJsonObject(spec) ? spec["containers"] : undefined;
  return Array.isArray(containers) && containers.length > 0;
}
