import { isDeepStrictEqual } from "node:util";
import { parseFieldSelector } from "../../src/api/field-selector.ts";
import { isJsonObject, type JsonObject } from "../../src/api/json.ts";
import { formatLabelSelection, type LabelSelection } from "../../src/api/labels/label-selector.ts";
import { parseLabelSelector } from "../../src/api/labels/parse-label-selector.ts";
import {
  checkPatched,
  decodeBody,
  expectedKindOf,
} from "../../src/cluster/apiserver/decoding/decode-body.ts";
import { readYaml } from "../../src/cluster/apiserver/decoding/read-yaml.ts";
import { applyTo, readConfiguration } from "../../src/cluster/apiserver/handlers/apply.ts";
import { finish } from "../../src/decisions/downscale/steps.ts";
import { versionConverter } from "../../src/cluster/apiserver/registry/version-converter.ts";
import { applyPatch, readPatch } from "../../src/cluster/apiserver/patch/apply-patch.ts";
import type { ApiRequest } from "../../src/cluster/apiserver/request/api-request.ts";
import type { ServedResource } from "../../src/cluster/apiserver/served-resource.ts";
import { createKindRegistry } from "../../src/cluster/apiserver/kind-registry.ts";
import { serveBuiltInKinds } from "../../src/cluster/apiserver/kinds/serve-built-in-kinds.ts";
import { compileRules } from "../../src/cluster/apiserver/custom-resources/rules/compile-rules.ts";
import { readStructuralSchema } from "../../src/cluster/apiserver/custom-resources/structural/read-structural-schema.ts";
import { evaluateConditions } from "../../src/cluster/apiserver/webhooks/match-conditions/evaluate-conditions.ts";
import { ApiError } from "../../src/machinery/client/api-error.ts";
import { loadKubeconfig } from "../../src/machinery/client/connection/kubeconfig.ts";
import type { ReadTextFile } from "../../src/machinery/client/connection/text-file.ts";
import { parseSchedulerConfig } from "../../src/scheduler/configuration/parse-scheduler-config.ts";
import { readScenario } from "../../src/simulation/scenario-files/read-scenario.ts";
import { readSnapshot } from "../../src/simulation/snapshot/read-snapshot.ts";
import { answerTargets } from "./answer-targets.ts";
import { customKindTargets } from "./custom-kind-targets.ts";
import { settingTargets } from "./setting-targets.ts";

/** Reads bytes that anybody may have sent; throws when it does what no reader may do. */
export type FuzzTarget = (bytes: Uint8Array) => void;

const resources = createKindRegistry(serveBuiltInKinds());

function servedResource(group: string, version: string, plural: string): ServedResource {
  const found = resources.find(group, version, plural);
  if (found === undefined) throw new Error(`no resource ${plural}`);
  return found;
}

const deployments = servedResource("apps", "v1", "deployments");
const expected = expectedKindOf(deployments);

/** What patches are applied to. */
const deployment: JsonObject = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", namespace: "default", labels: { app: "web" }, annotations: { a: "b" } },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: "web" } },
    template: {
      metadata: { labels: { app: "web" } },
      spec: {
        containers: [
          { name: "web", image: "web:1", ports: [{ containerPort: 80 }], env: [{ name: "A", value: "1" }] },
          { name: "log", image: "log:1" },
        ],
        tolerations: [{ key: "a", operator: "Exists" }],
      },
    },
  },
};

/** The text, where bytes that are not UTF-8 become the replacement character. */
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** Every reader, by the name that `npm run fuzz` takes. */
export const targets = {
  "yaml-body": (bytes) => {
    const read = readYaml(textOf(bytes));
    if (read.ok) expectJson(read.value);
    // A kind of its own, so that the fuzzer need not write one to get behind the first check.
    if (read.ok && isJsonObject(read.value))
      decodeAs("application/json", Buffer.from(JSON.stringify({ ...read.value, kind: expected.kind })));
  },
  "json-body": (bytes) => decodeAs("application/json", bytes),
  "protobuf-body": (bytes) => decodeAs("application/vnd.kubernetes.protobuf", bytes),
  "json-patch": (bytes) => patchWith("application/json-patch+json", bytes),
  "merge-patch": (bytes) => patchWith("application/merge-patch+json", bytes),
  "strategic-patch": (bytes) => patchWith("application/strategic-merge-patch+json", bytes),
  apply: (bytes) => refusing(() => applyConfiguration(bytes)),
  "label-selector": (bytes) => {
    const parsed = parseLabelSelector(textOf(bytes));
    if (!parsed.ok) return;
    const again = parseLabelSelector(formatLabelSelection(parsed.selection));
    if (!again.ok || keysOf(again.selection) !== keysOf(parsed.selection))
      throw new Error("a selector that is formatted has to parse to itself");
  },
  "field-selector": (bytes) => void parseFieldSelector(textOf(bytes)),
  "match-condition": (bytes) => {
    const request = { operation: "UPDATE" };
    const input = { object: deployment, oldObject: null, request, authorization: new Map() };
    finish(evaluateConditions([{ name: "it", expression: textOf(bytes) }], input));
  },
  "schema-rule": (bytes) => {
    const schema = readStructuralSchema({
      type: "object",
      properties: { spec: { "x-kubernetes-preserve-unknown-fields": true, type: "object" } },
      "x-kubernetes-validations": [{ rule: textOf(bytes), messageExpression: textOf(bytes) }],
    });
    const { rules } = compileRules({ schema, path: "schema", limitsCost: true });
    const budget = { left: 100_000 };
    if (rules !== undefined) finish(rules.evaluate({ object: deployment, oldObject: deployment, budget }));
  },
  scenario: (bytes) => void readScenario("scenario.yaml", onlyFile(bytes)),
  snapshot: (bytes) => void readSnapshot(textOf(bytes), "snapshot.yaml"),
  kubeconfig: (bytes) => void loadKubeconfig({ paths: ["config"], readFile: onlyFile(bytes) }),
  "scheduler-configuration": (bytes) => void parseSchedulerConfig(textOf(bytes)),
  ...customKindTargets,
  ...answerTargets,
  ...settingTargets,
} satisfies Record<string, FuzzTarget>;

export type TargetName = keyof typeof targets;

const keysOf = (selection: LabelSelection) =>
  selection.selects === "nothing" ? "nothing" : JSON.stringify(selection.requirements.map(({ key }) => key));

function decodeAs(contentType: string, bytes: Uint8Array): void {
  refusing(() => {
    const { object } = decodeBody({ form: "bytes", contentType, bytes }, expected, { validation: "Warn" });
    expectJson(object);
  });
}

function patchWith(contentType: string, bytes: Uint8Array): void {
  refusing(() => {
    const patch = readPatch(
      { form: "bytes", contentType, bytes },
      deployments.schema.mergeRule !== undefined,
    );
    const before = JSON.stringify(deployment);
    const patched = applyPatch(deployment, patch, deployments.schema);
    if (JSON.stringify(deployment) !== before) throw new Error("a patch changed the stored object");
    const { object } = checkPatched(patched, expected, {
      validation: "Ignore",
      patch: patch.value,
      known: deployment,
    });
    expectJson(object);
  });
}

function applyConfiguration(bytes: Uint8Array): void {
  const patch = { form: "bytes", contentType: "application/apply-patch+yaml", bytes } as const;
  const request: ApiRequest = {
    verb: "patch",
    resource: deployments,
    namespace: "default",
    name: "web",
    options: {},
    user: { name: "fuzzer", groups: [] },
    patch,
  };
  const { configuration } = readConfiguration(request, "Ignore");
  applyTo({
    expected,
    live: deployment,
    configuration,
    by: { manager: "fuzzer", apiVersion: "apps/v1" },
    entries: [],
    force: true,
    time: "2026-01-01T00:00:00Z",
    reset: {},
    convert: versionConverter(resources, deployments),
  });
}

/** Runs what may refuse its input, with a Status for the client. */
function refusing(run: () => void): void {
  try {
    run();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // upstream: a configuration that is not of its type is answered with 500.
    if (error.code >= 500 && !/failed to create typed patch object/.test(error.message)) throw error;
  }
}

function expectJson(value: unknown): void {
  const again: unknown = JSON.parse(JSON.stringify(value));
  if (!isDeepStrictEqual(again, value)) throw new Error("a value was read that JSON does not have");
}

const onlyFile =
  (bytes: Uint8Array): ReadTextFile =>
  (file) =>
    file === "scenario.yaml" || file === "config"
      ? { ok: true, text: textOf(bytes) }
      : { ok: false, missing: true, reason: "no such file" };
