import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { stringify } from "yaml";
import { messageOf } from "../api/message-of.ts";

/** What a kubeconfig contains. */
export interface KubeconfigValues {
  readonly url: string;
  readonly ca: string;
  readonly token: string;
}

/** A kubeconfig for kubectl, whose names cannot be confused with those of a real cluster. */
export function kubeconfigText({ url, ca, token }: KubeconfigValues): string {
  const name = "trimtab";
  return stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": name,
    clusters: [
      { name, cluster: { server: url, "certificate-authority-data": Buffer.from(ca).toString("base64") } },
    ],
    users: [{ name, user: { token } }],
    contexts: [{ name, context: { cluster: name, user: name, namespace: "default" } }],
  });
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
  if (known !== undefined && known !== "" && !known.includes(ourContext))
    throw new Error("another cluster's is there");
  makeFolder(path.dirname(file));
  rmSync(file, { force: true }); // a file keeps the permissions it was made with
  writeFileSync(file, text, { mode: 0o600 });
}

/** One by one: `recursive` of Node never returns on systems that refuse a folder with ENOENT. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(path.dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
}

const ourContext = "current-context: trimtab\n";

function isSomethingElse(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === false;
}

function textIn(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}
