import { dirname, resolve } from "node:path";
import { isJsonObject, type Json, type JsonObject } from "../../../api/json.ts";
import { parseYaml, problemText } from "../../yaml/parse-yaml.ts";
import type { ReadTextFile } from "./text-file.ts";

/** One named entry of a kubeconfig and the folder its relative paths start from. */
export interface KubeconfigEntry {
  readonly name: string;
  readonly folder: string;
  readonly body: JsonObject;
}

/** Several kubeconfig files merged; of two entries with one name the first counts. */
export interface KubeconfigDocument {
  readonly currentContext: string | undefined;
  readonly contexts: readonly KubeconfigEntry[];
  readonly clusters: readonly KubeconfigEntry[];
  readonly users: readonly KubeconfigEntry[];
}

const nothing: KubeconfigDocument = { currentContext: undefined, contexts: [], clusters: [], users: [] };

/** Reads and merges kubeconfig files; adds to `errors` what cannot be read. */
export function readKubeconfigDocument(
  paths: readonly string[],
  readFile: ReadTextFile,
  errors: string[],
): KubeconfigDocument {
  let joined = nothing;
  let missing = 0;
  for (const path of paths) {
    const file = readFile(path);
    if (file.ok) joined = join(joined, parseDocument(file.text, path, errors));
    else if (file.missing) missing++;
    else errors.push(`kubeconfig ${path}: ${file.reason}`);
  }
  // As in kubectl, some of several files may be missing, but not all of them.
  if (missing === paths.length) errors.push(`kubeconfig ${paths.join(", ")}: no such file`);
  return joined;
}

/** The string at a key; absent, empty and anything that is not text are `undefined`. */
export function kubeconfigText(object: JsonObject, key: string): string | undefined {
  const value = object[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}

function parseDocument(text: string, path: string, errors: string[]): KubeconfigDocument {
  const content = contentOf(text);
  if (typeof content === "string") {
    errors.push(`kubeconfig ${path}: ${content}`);
    return nothing;
  }
  const entries = (list: string, member: string) => entriesOf(content[list], member, dirname(path));
  return {
    currentContext: kubeconfigText(content, "current-context"),
    contexts: entries("contexts", "context"),
    clusters: entries("clusters", "cluster"),
    users: entries("users", "user"),
  };
}

function contentOf(text: string): JsonObject | string {
  const parsed = parseYaml(text, { documents: "single" });
  if (!parsed.ok) return `is not YAML: ${problemText(parsed.problems[0])}`;
  const [document] = parsed.documents;
  return isJsonObject(document?.value) ? document.value : "is not a kubeconfig: it holds no object";
}

function entriesOf(list: Json | undefined, member: string, folder: string): KubeconfigEntry[] {
  if (!Array.isArray(list)) return [];
  return list.filter(isJsonObject).map((item) => {
    const body = item[member];
    return { name: kubeconfigText(item, "name") ?? "", folder, body: isJsonObject(body) ? body : {} };
  });
}

function join(first: KubeconfigDocument, second: KubeconfigDocument): KubeconfigDocument {
  return {
    currentContext: first.currentContext ?? second.currentContext,
    contexts: [...first.contexts, ...second.contexts],
    clusters: [...first.clusters, ...second.clusters],
    users: [...first.users, ...second.users],
  };
}

/** A PEM text, or why there is none; `undefined` where none is named. */
type Pem = string | { readonly problem: string } | undefined;

/** The PEM under `key-data`, in base64, or else in the file under `key`. */
export function pemAt(
  { body, folder }: Pick<KubeconfigEntry, "body" | "folder">,
  key: string,
  readFile: ReadTextFile,
): Pem {
  const data = kubeconfigText(body, `${key}-data`);
  if (data !== undefined) {
    const pem = Buffer.from(data, "base64").toString("utf8");
    return isPem(pem) ? pem : { problem: `${key}-data is not a PEM in base64` };
  }
  const path = kubeconfigText(body, key);
  if (path === undefined) return undefined;
  const file = readFile(resolve(folder, path));
  if (!file.ok) return { problem: `${key} ${path}: ${file.reason}` };
  return isPem(file.text) ? file.text : { problem: `${key} ${path} is not a PEM` };
}

/** The text of a PEM, if there is one. */
export function pemText(pem: Pem): string | undefined {
  return typeof pem === "string" ? pem : undefined;
}

function isPem(text: string): boolean {
  return text.includes("-----BEGIN ");
}
