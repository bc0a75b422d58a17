import { isJsonObject, type JsonObject } from "../../api/json.ts";
import { parseYaml } from "../../machinery/yaml/parse-yaml.ts";
import { failure, notSupportedHere } from "../command-failure.ts";
import type { Context } from "../context.ts";
import type { ApiResource } from "../server/discovery.ts";
import { findKind } from "./find-type.ts";
import { type KubeObject, textAt } from "./kube-object.ts";

/** An object of a manifest, with the namespace it goes to. */
export interface ManifestObject {
  readonly resource: ApiResource;
  readonly object: KubeObject;
  /** What messages call the manifest. */
  readonly source: string;
}

/** Reads the manifests of `-f`. Throws for a text that is no manifest, and for unknown kinds. */
export async function readNamedManifests(context: Context): Promise<readonly ManifestObject[]> {
  if (context.text("kustomize") !== "") throw notSupportedHere("-k");
  if (context.isOn("recursive")) throw notSupportedHere("-R");
  const resources = await context.server.resources();
  const found: ManifestObject[] = [];
  for (const name of context.list("filename")) {
    const source = name === "-" ? "STDIN" : name;
    for (const object of manifestObjectsIn(await textOf(context, name), source))
      found.push(placed(context, resources, { object, source }));
  }
  return found;
}

async function textOf({ io }: Context, name: string): Promise<string> {
  if (/^https?:\/\//.test(name)) throw notSupportedHere("a manifest at an address");
  if (io.readFile === undefined) throw notSupportedHere("-f");
  return io.readFile(name);
}

/** The objects of a text; those of lists one by one. */
export function manifestObjectsIn(text: string, source: string): readonly JsonObject[] {
  const parsed = parseYaml(text, { documents: "all", version: "1.1", allowRepeatedKeys: true });
  if (!parsed.ok) {
    const [{ message, at }] = parsed.problems;
    throw failure(
      `error parsing ${source}: error converting YAML to JSON: yaml: ${at === undefined ? "" : `line ${at.line}: `}${message}`,
    );
  }
  return parsed.documents
    .map(({ value }) => value)
    .filter((value) => value !== null)
    .flatMap((value) => membersOf(value));
}

function membersOf(value: unknown): readonly JsonObject[] {
  if (!isJsonObject(value)) return [{}];
  const { items } = value;
  const isList = typeof value["kind"] === "string" && value["kind"].endsWith("List") && Array.isArray(items);
  return isList ? (items as readonly JsonObject[]) : [value];
}

interface Unplaced {
  readonly object: JsonObject;
  readonly source: string;
}

function placed(context: Context, resources: readonly ApiResource[], unplaced: Unplaced): ManifestObject {
  const { object, source } = unplaced;
  const resource = resourceOf(resources, unplaced);
  const metadata = isJsonObject(object["metadata"]) ? object["metadata"] : {};
  const own = textAt(metadata, "namespace");
  if (resource.namespaced && context.isNamespaceGiven && own !== "" && own !== context.namespace)
    throw failure(
      `the namespace from the provided object ${JSON.stringify(own)} does not match the namespace ${JSON.stringify(context.namespace)}. You must pass '--namespace=${own}' to perform this operation.`,
    );
  const namespace = resource.namespaced ? { namespace: own === "" ? context.namespace : own } : {};
  return {
    resource,
    source,
    object: { ...object, metadata: { ...metadata, ...namespace } } as unknown as KubeObject,
  };
}

function resourceOf(resources: readonly ApiResource[], { object, source }: Unplaced): ApiResource {
  const [apiVersion, kind] = [textAt(object, "apiVersion"), textAt(object, "kind")];
  const missing = apiVersion === "" ? "apiVersion" : kind === "" ? "kind" : undefined;
  if (missing !== undefined)
    throw failure(
      `error validating ${JSON.stringify(source)}: error validating data: ${missing} not set; if you choose to ignore these errors, turn validation off with --validate=false`,
    );
  const resource = findKind(resources, { apiVersion, kind });
  if (resource !== undefined) return resource;
  const [name, namespace] = [textAt(object, "metadata", "name"), textAt(object, "metadata", "namespace")];
  throw failure(
    `resource mapping not found for name: ${JSON.stringify(name)} namespace: ${JSON.stringify(namespace)} from ${JSON.stringify(source)}: no matches for kind ${JSON.stringify(kind)} in version ${JSON.stringify(apiVersion)}\nensure CRDs are installed first`,
  );
}
