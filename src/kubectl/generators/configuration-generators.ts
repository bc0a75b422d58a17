import { toBase64 } from "../../api/base64.ts";
import type { JsonObject } from "../../api/json.ts";
import { failure, notSupportedHere } from "../command-failure.ts";
import type { Context } from "../context.ts";
import type { LineFlags } from "../line/flag.ts";
import type { Generator } from "./generator.ts";

const dataFlags: LineFlags = {
  "from-literal": { type: "array" },
  "from-file": { type: "array" },
  "from-env-file": { type: "array" },
  "append-hash": { type: "boolean" },
};

/** The entries of `--from-literal` and `--from-file`. */
async function entriesOf(context: Context): Promise<readonly (readonly [string, string])[]> {
  if (context.isGiven("from-env-file")) throw notSupportedHere("--from-env-file");
  if (context.isOn("append-hash")) throw notSupportedHere("--append-hash");
  const literals = context.list("from-literal").map((pair): readonly [string, string] => {
    const [key = "", ...value] = pair.split("=");
    if (value.length === 0 || key === "") throw failure(`invalid literal source ${pair}, expected key=value`);
    return [key, value.join("=").replace(/^"(.*)"$|^'(.*)'$/, "$1$2")];
  });
  const files: (readonly [string, string])[] = [];
  for (const source of context.list("from-file")) {
    const [key = "", ...file] = source.split("=");
    const name = file.length === 0 ? source : file.join("=");
    if (context.io.readFile === undefined) throw notSupportedHere("--from-file");
    files.push([file.length === 0 ? (name.split("/").at(-1) ?? name) : key, await context.io.readFile(name)]);
  }
  return [...literals, ...files];
}

const configmap: Generator = {
  summary: "Create a config map from a local file or literal value",
  aliases: ["cm"],
  failing: "failed to create configmap",
  flags: dataFlags,
  async build(context, name) {
    const entries = await entriesOf(context);
    return {
      kind: "ConfigMap",
      apiVersion: "v1",
      metadata: { name },
      ...(entries.length > 0 && { data: Object.fromEntries(entries) }),
    };
  },
};

const secretGeneric: Generator = {
  summary: "Create a secret from a local file or literal value",
  failing: "failed to create secret",
  flags: { ...dataFlags, type: { type: "string" } },
  async build(context, name) {
    const encoder = new TextEncoder();
    const entries = await entriesOf(context);
    const data = entries.map(([key, value]) => [key, toBase64(encoder.encode(value))]);
    const type = context.text("type");
    return {
      kind: "Secret",
      apiVersion: "v1",
      metadata: { name },
      ...(data.length > 0 && { data: Object.fromEntries(data) as JsonObject }),
      ...(type !== "" && { type }),
    };
  },
};

const namespace: Generator = {
  summary: "Create a namespace with the specified name",
  aliases: ["ns"],
  isClusterWide: true,
  build: (_, name) => ({ kind: "Namespace", apiVersion: "v1", metadata: { name }, spec: {}, status: {} }),
};

const serviceaccount: Generator = {
  summary: "Create a service account with the specified name",
  aliases: ["sa"],
  failing: "failed to create serviceaccount",
  build: (_, name) => ({ kind: "ServiceAccount", apiVersion: "v1", metadata: { name } }),
};

const quota: Generator = {
  summary: "Create a quota with the specified name",
  aliases: ["resourcequota"],
  failing: "failed to create quota",
  flags: { hard: { type: "string" }, scopes: { type: "string" } },
  build(context, name) {
    const hard = pairsIn(context.text("hard"));
    const scopes = context.text("scopes");
    const spec = {
      ...(Object.keys(hard).length > 0 && { hard }),
      ...(scopes !== "" && { scopes: scopes.split(",") }),
    };
    return { kind: "ResourceQuota", apiVersion: "v1", metadata: { name }, spec, status: {} };
  },
};

function pairsIn(text: string): Readonly<Record<string, string>> {
  if (text === "") return {};
  return Object.fromEntries(
    text.split(",").map((pair) => {
      const [key = "", value] = pair.split("=");
      if (value === undefined) throw failure(`Invalid argument syntax ${pair}, expected <resource>=<value>`);
      return [key, value];
    }),
  );
}

const poddisruptionbudget: Generator = {
  summary: "Create a pod disruption budget with the specified name",
  aliases: ["pdb"],
  failing: "failed to create poddisruptionbudgets",
  required: ["selector"],
  flags: {
    selector: { type: "string" },
    "min-available": { type: "string" },
    "max-unavailable": { type: "string" },
  },
  build(context, name) {
    const [least, most] = ["min-available", "max-unavailable"].map((flag) => context.text(flag));
    if ((least === "") === (most === ""))
      throw failure("one of min-available or max-unavailable must be specified");
    return {
      kind: "PodDisruptionBudget",
      apiVersion: "policy/v1",
      metadata: { name },
      spec: {
        ...(least !== "" && { minAvailable: numberOrText(least ?? "") }),
        selector: { matchLabels: pairsIn(context.text("selector")) },
        ...(most !== "" && { maxUnavailable: numberOrText(most ?? "") }),
      },
      status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
    };
  },
};

/** `2`, or `50%`. */
export const numberOrText = (text: string): number | string => (/^\d+$/.test(text) ? Number(text) : text);

const priorityclass: Generator = {
  summary: "Create a priority class with the specified name",
  aliases: ["pc"],
  isClusterWide: true,
  failing: "failed to create priorityclass",
  flags: {
    value: { type: "string", default: "0" },
    "global-default": { type: "boolean" },
    description: { type: "string" },
    "preemption-policy": { type: "string", default: "PreemptLowerPriority" },
  },
  build: (context, name) => ({
    kind: "PriorityClass",
    apiVersion: "scheduling.k8s.io/v1",
    metadata: { name },
    value: Number(context.text("value")),
    ...(context.isOn("global-default") && { globalDefault: true }),
    ...(context.text("description") !== "" && { description: context.text("description") }),
    preemptionPolicy: context.text("preemption-policy"),
  }),
};

export const configurationGenerators = {
  namespace,
  configmap,
  serviceaccount,
  quota,
  poddisruptionbudget,
  priorityclass,
};

export const secretGenerators = { generic: secretGeneric };
