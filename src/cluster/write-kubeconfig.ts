import { existsSync, lstatSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { stringify } from "yaml";
import type { JsonObject } from "../api/json.ts";
import { messageOf } from "../api/message-of.ts";
import { makeFolder } from "./make-folder.ts";
import { replaceFile } from "./replace-file.ts";

/** What a kubeconfig contains. */
export interface KubeconfigValues {
  readonly url: string;
  readonly ca: string;
  readonly token: string;
  /** The name of the cluster, the user and the context; absent: `contextName`. */
  readonly context?: string | undefined;
}

/** The name of our cluster, user and context, which cannot be confused with those of a real cluster. */
export const contextName = "trimtab";

/** Returns the context name of one of several clusters. */
export const contextNameOf = (cluster: string): string => `${contextName}-${cluster}`;

/** The lists of a kubeconfig. */
export interface KubeconfigEntries {
  readonly clusters: readonly JsonObject[];
  readonly users: readonly JsonObject[];
  readonly contexts: readonly JsonObject[];
}

export function kubeconfigEntries(values: KubeconfigValues): KubeconfigEntries {
  const { url, ca, token, context: name = contextName } = values;
  const authority = Buffer.from(ca).toString("base64");
  return {
    clusters: [{ name, cluster: { server: url, "certificate-authority-data": authority } }],
    users: [{ name, user: { token } }],
    contexts: [{ name, context: { cluster: name, user: name, namespace: "default" } }],
  };
}

/** Returns the text of a kubeconfig for kubectl. */
export function kubeconfigText(values: KubeconfigValues): string {
  const heading = { apiVersion: "v1", kind: "Config", "current-context": values.context ?? contextName };
  return stringify({ ...heading, ...kubeconfigEntries(values) });
}

/**
 * Writes a kubeconfig that only its owner can read; the returned function removes it, unless the file has changed.
 * Throws one sentence when the file cannot be written or belongs to another cluster.
 */
export function writeKubeconfig(file: string, facts: KubeconfigValues): () => void {
  const text = kubeconfigText(facts);
  try {
    place(file, text);
  } catch (error) {
    throw new Error(`cannot write the kubeconfig to ${file}: ${messageOf(error)}`, { cause: error });
  }
  return () => {
    if (!isSomethingElse(file) && textIn(file) === text) rmSync(file);
  };
}

function place(file: string, text: string): void {
  if (isSomethingElse(file)) throw new Error("something that is no file is there");
  const known = textIn(file);
  if (known !== undefined && known !== "" && !ourContext.test(known))
    throw new Error("another cluster's is there");
  makeFolder(path.dirname(file));
  replaceFile(file, text);
}

const ourContext = new RegExp(`^current-context: ${contextName}(-[a-z0-9-]+)?$`, "m");

function isSomethingElse(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() === false;
}

function textIn(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}
