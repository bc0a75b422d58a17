import { resolve } from "node:path";
import { type KubeconfigEntry, textAt } from "./kubeconfig-document.ts";
import type { ReadTextFile } from "./text-file.ts";

/** A PEM text, or why there is none; `undefined` where none is named. */
export type Pem = string | { readonly problem: string } | undefined;

/** The PEM under `key-data`, in base64, or else in the file under `key`. */
export function pemAt(
  { body, folder }: Pick<KubeconfigEntry, "body" | "folder">,
  key: string,
  readFile: ReadTextFile,
): Pem {
  const data = textAt(body, `${key}-data`);
  if (data !== undefined) {
    const pem = Buffer.from(data, "base64").toString("utf8");
    return isPem(pem) ? pem : { problem: `${key}-data is not a PEM in base64` };
  }
  const path = textAt(body, key);
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
