import type { LineFlags } from "./flag.ts";

/** The flags of every command. */
export const globalFlags: LineFlags = {
  namespace: { type: "string", short: "n", help: "The namespace" },
  "request-timeout": { type: "string", default: "0" },
  context: { type: "string" },
  kubeconfig: { type: "string" },
  v: { type: "string", short: "v" },
  help: { type: "boolean", short: "h" },
};

export const selectorFlags: LineFlags = {
  selector: { type: "string", short: "l", help: "Label selector" },
  "field-selector": { type: "string", help: "Field selector" },
};

export const fileFlags: LineFlags = {
  filename: { type: "list", short: "f", help: "Manifests; - is the standard input" },
  recursive: { type: "boolean", short: "R" },
  kustomize: { type: "string", short: "k" },
};

export const outputFlags: LineFlags = {
  output: {
    type: "string",
    short: "o",
    choices: ["json", "yaml", "name", "wide", "jsonpath=", "custom-columns="],
    help: "How objects are printed",
  },
  template: { type: "string" },
  "show-managed-fields": { type: "boolean" },
  "allow-missing-template-keys": { type: "boolean", default: true },
};

export const dryRunFlags: LineFlags = {
  "dry-run": { type: "string", implied: "unchanged", default: "none", choices: ["none", "client", "server"] },
  "field-manager": { type: "string" },
};

export const allNamespacesFlag: LineFlags = {
  "all-namespaces": { type: "boolean", short: "A", help: "Objects of all namespaces" },
};
