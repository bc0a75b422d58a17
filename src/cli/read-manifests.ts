import { isJsonObject, type JsonObject } from "../api/json.ts";
import { type DecodedObject, decodeObject } from "../api/schema/decode-object.ts";
import { kindByName } from "../api/schema/table.ts";
import type { CustomResourceDefinition } from "../api/generated/apiextensions-v1.ts";
import { apiVersionOf, type Resource } from "../api/resource.ts";
import { customResourceDefinitions } from "../api/resources.ts";
import type { Sent } from "../api/sent.ts";
import { readTextFile } from "../machinery/client/connection/text-file.ts";
import { parseYaml, problemText } from "../machinery/yaml/parse-yaml.ts";

/** An object to create and its collection. */
export interface Manifest {
  readonly resource: Resource;
  readonly object: JsonObject & { readonly metadata: JsonObject };
  /** `pod/web in web.yaml`, as messages show it. */
  readonly title: string;
}

export type ReadManifests =
  | { readonly ok: true; readonly manifests: readonly Manifest[] }
  | { readonly ok: false; readonly problem: string };

/** The file name that means standard input, as in kubectl. */
const standardInput = "-";

/** Reads manifest files with any number of objects, or standard input; the first error is one sentence. */
export function readManifests(files: readonly string[], namespace = "default"): ReadManifests {
  const found: { readonly file: string; readonly document: unknown }[] = [];
  for (const file of files) {
    const documents = readDocuments(file);
    if (typeof documents === "string") return { ok: false, problem: documents };
    for (const document of documents) found.push({ file, document });
  }
  const custom = found.flatMap(({ document }) => kindsDefinedBy(document));
  const manifests: Manifest[] = [];
  for (const { file, document } of found) {
    const manifest = readManifest(document, { file, namespace, custom });
    if (typeof manifest === "string") return { ok: false, problem: `${file}: ${manifest}` };
    manifests.push(manifest);
  }
  // A definition is created before the objects of its kind, in whatever order the files name them.
  const defining = manifests.filter(isDefinition);
  return { ok: true, manifests: [...defining, ...manifests.filter((manifest) => !isDefinition(manifest))] };
}

function isDefinition({ resource }: Manifest): boolean {
  return resource.kind === customResourceDefinitions.kind;
}

/** Returns the resources that a document defines, if it is a CustomResourceDefinition. */
function kindsDefinedBy(document: unknown): readonly Resource[] {
  const { apiVersion, kind } = isJsonObject(document) ? document : {};
  if (kind !== customResourceDefinitions.kind || apiVersion !== apiVersionOf(customResourceDefinitions))
    return [];
  const decoded = decodeObject("apiextensions.v1.CustomResourceDefinition", document as JsonObject);
  return decoded.ok ? servedBy(decoded.object) : [];
}

function servedBy(definition: JsonObject): readonly Resource[] {
  // The decoder has checked the types of all fields that are there.
  const { spec } = definition as Sent<CustomResourceDefinition>;
  const { group = "", names = {}, scope, versions = [] } = spec ?? {};
  const facts = {
    group,
    kind: names.kind ?? "",
    plural: names.plural ?? "",
    namespaced: scope === "Namespaced",
  };
  return versions.map(({ name = "" }) => ({ ...facts, version: name }));
}

function readDocuments(file: string): readonly unknown[] | string {
  const read = readTextFile(file === standardInput ? 0 : file);
  if (!read.ok) return `${file}: ${read.reason}`;
  const parsed = parseYaml(read.text, { documents: "all" });
  if (!parsed.ok) return `${file}: not YAML (${problemText(parsed.problems[0])})`;
  return parsed.documents.map(({ value }) => value).filter((value) => value !== null);
}

interface ManifestSource {
  readonly file: string;
  readonly namespace: string;
  /** The resources that CustomResourceDefinitions among the manifests define. */
  readonly custom: readonly Resource[];
}

function readManifest(document: unknown, { file, namespace, custom }: ManifestSource): Manifest | string {
  if (!isJsonObject(document)) return "an object was expected";
  const { apiVersion, kind } = document;
  if (typeof apiVersion !== "string" || typeof kind !== "string") return "apiVersion and kind are needed";
  const own = kindByName(apiVersion, kind);
  const resource = own ?? custom.find((each) => each.kind === kind && apiVersionOf(each) === apiVersion);
  if (resource === undefined) return `there is no kind ${kind} in ${apiVersion}`;
  // The API server checks objects of custom kinds.
  const decoded = own === undefined ? asSent(document) : decodeObject(own.type, document);
  if (!decoded.ok) return decoded.error;
  if (decoded.unknownFields.length > 0) return decoded.unknownFields.join(", ");
  return placed(decoded.object, { resource, file, namespace });
}

function placed(
  object: JsonObject,
  { resource, file, namespace }: Pick<Manifest, "resource"> & Pick<ManifestSource, "file" | "namespace">,
): Manifest {
  const metadata = isJsonObject(object["metadata"]) ? object["metadata"] : {};
  const name = typeof metadata["name"] === "string" ? metadata["name"] : "?";
  const title = `${resource.kind.toLowerCase()}/${name} in ${file}`;
  const place = resource.namespaced ? { namespace, ...metadata } : metadata;
  return { resource, object: { ...object, metadata: place }, title };
}

function asSent(object: JsonObject): DecodedObject {
  return { ok: true, object, unknownFields: [] };
}
