import { isJsonObject, type JsonObject } from "../api/json.ts";
import { decodeObject } from "../api/schema/decode-object.ts";
import { kindByName } from "../api/schema/table.ts";
import type { Resource } from "../api/resource.ts";
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
  const manifests: Manifest[] = [];
  for (const file of files) {
    const documents = readDocuments(file);
    if (typeof documents === "string") return { ok: false, problem: documents };
    for (const document of documents) {
      const manifest = readManifest(document, { file, namespace });
      if (typeof manifest === "string") return { ok: false, problem: `${file}: ${manifest}` };
      manifests.push(manifest);
    }
  }
  return { ok: true, manifests };
}

function readDocuments(file: string): readonly unknown[] | string {
  const read = readTextFile(file === standardInput ? 0 : file);
  if (!read.ok) return `${file}: ${read.reason}`;
  const parsed = parseYaml(read.text, { documents: "all" });
  if (!parsed.ok) return `${file}: not YAML (${problemText(parsed.problems[0])})`;
  return parsed.documents.map(({ value }) => value).filter((value) => value !== null);
}

function readManifest(
  document: unknown,
  { file, namespace }: { readonly file: string; readonly namespace: string },
): Manifest | string {
  if (!isJsonObject(document)) return "an object was expected";
  const { apiVersion, kind } = document;
  if (typeof apiVersion !== "string" || typeof kind !== "string") return "apiVersion and kind are needed";
  const resource = kindByName(apiVersion, kind);
  if (resource === undefined) return `there is no kind ${kind} in ${apiVersion}`;
  const decoded = decodeObject(resource.type, document);
  if (!decoded.ok) return decoded.error;
  if (decoded.unknownFields.length > 0) return decoded.unknownFields.join(", ");
  const metadata = isJsonObject(decoded.object["metadata"]) ? decoded.object["metadata"] : {};
  const placed = resource.namespaced ? { namespace, ...metadata } : metadata;
  const name = typeof metadata["name"] === "string" ? metadata["name"] : "?";
  const title = `${kind.toLowerCase()}/${name} in ${file}`;
  return { resource, object: { ...decoded.object, metadata: placed }, title };
}
