import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { stringify } from "yaml";

/** How to reach an API server, and as whom. */
export interface KubeconfigFacts {
  readonly url: string;
  readonly ca: string;
  readonly token: string;
}

/** A kubeconfig for kubectl, under names nobody confuses with a real cluster's. */
export function kubeconfigText({ url, ca, token }: KubeconfigFacts): string {
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

/** Writes it where only its owner can read it; the answer takes it away again, unless someone wrote over it. */
export function writeKubeconfig(file: string, facts: KubeconfigFacts): () => void {
  const text = kubeconfigText(facts);
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, text, { mode: 0o600 });
  return () => {
    if (readFileSync(file, "utf8") === text) rmSync(file);
  };
}
