import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isJsonObject, type JsonObject } from "../../src/api/json.ts";
import { httpsCaller } from "../https-caller.ts";
import { startWebhookCluster } from "../webhooks/webhook-cluster.ts";
import { type RawAnswer, startWebhookServer } from "../webhooks/webhook-server.ts";
import type { CustomKindStory } from "./custom-kind-stories.cases.ts";
import { isComparedVersion } from "./kubernetes-version.ts";
import { type RealCluster, startRealCluster } from "./real-cluster.ts";
import { storyDifferences } from "./story-differences.ts";

/** How the webhook answers for an object whose spec names the mode. */
type Mode = (answer: Answer, objects: readonly JsonObject[]) => JsonObject | string;

interface Answer {
  readonly apiVersion: string;
  readonly kind: string;
  readonly response: JsonObject;
}

const withResponse = (answer: Answer, response: JsonObject) => ({
  ...answer,
  response: { ...answer.response, ...response },
});
const withMetadata = (answer: Answer, objects: readonly JsonObject[], metadata: JsonObject) =>
  withResponse(answer, {
    convertedObjects: objects.map((object) => ({
      ...object,
      metadata: { ...(object["metadata"] as JsonObject), ...metadata },
    })),
  });

const modes: Readonly<Record<string, Mode>> = {
  plain: (answer) => ({ ...answer }),
  fails: (answer) => withResponse(answer, { result: { status: "Failure", message: "no way" } }),
  silent: (answer) => withResponse(answer, { result: { status: "Failure" } }),
  odd: (answer) => withResponse(answer, { result: { status: "Perhaps" } }),
  uid: (answer) => withResponse(answer, { uid: "other" }),
  fewer: (answer) => withResponse(answer, { convertedObjects: [] }),
  version: (answer, objects) =>
    withResponse(answer, {
      convertedObjects: objects.map((object) => ({ ...object, apiVersion: "turned.example.com/v9" })),
    }),
  kind: (answer, objects) =>
    withResponse(answer, { convertedObjects: objects.map((object) => ({ ...object, kind: "Other" })) }),
  renamed: (answer, objects) => withMetadata(answer, objects, { name: "other" }),
  moved: (answer, objects) => withMetadata(answer, objects, { namespace: "other" }),
  labelled: (answer, objects) =>
    withMetadata(answer, objects, { labels: { a: "b" }, finalizers: ["a.b/c"], generation: 7 }),
  mislabelled: (answer, objects) => withMetadata(answer, objects, { labels: { a: "b c" } }),
  empty: ({ apiVersion, kind }) => ({ apiVersion, kind }),
};

/** `size` of v1 is `amount` of v2. */
const convert: RawAnswer = (response, request) => {
  const { uid, desiredAPIVersion, objects } = request as unknown as {
    readonly uid: string;
    readonly desiredAPIVersion: string;
    readonly objects: readonly JsonObject[];
  };
  const convertedObjects = objects.map((object): JsonObject => {
    const { size, amount, ...rest } = isJsonObject(object["spec"]) ? object["spec"] : {};
    const name = desiredAPIVersion.endsWith("v2") ? "amount" : "size";
    return { ...object, apiVersion: desiredAPIVersion, spec: { ...rest, [name]: size ?? amount ?? 0 } };
  });
  const answer: Answer = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "ConversionReview",
    response: { uid, result: { status: "Success" }, convertedObjects },
  };
  const { mode = "" } = (objects[0]?.["spec"] ?? {}) as { readonly mode?: string };
  response.end(JSON.stringify(modes[mode]?.(answer, convertedObjects) ?? answer));
};

const version = (name: string, field: string): JsonObject => ({
  name,
  served: true,
  storage: name === "v1",
  schema: {
    openAPIV3Schema: {
      type: "object",
      properties: {
        spec: {
          type: "object",
          properties: { mode: { type: "string" }, [field]: { type: "integer", default: 3 } },
        },
      },
    },
  },
});

const definition = (webhook: JsonObject): JsonObject => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "turneds.turned.example.com" },
  spec: {
    group: "turned.example.com",
    scope: "Namespaced",
    names: { plural: "turneds", kind: "Turned" },
    versions: [version("v1", "size"), version("v2", "amount")],
    conversion: { strategy: "Webhook", webhook },
  },
});

const at = (name: string) => `/apis/turned.example.com/${name}/namespaces/default/turneds`;
const one = (name: string, spec: JsonObject, apiVersion = "v2"): JsonObject => ({
  apiVersion: `turned.example.com/${apiVersion}`,
  kind: "Turned",
  metadata: { name },
  spec,
});

const apply = "application/apply-patch+yaml";
const merge = "application/merge-patch+json";
const requests: CustomKindStory["requests"] = [
  { what: `POST ${at("v2")}?fieldManager=one`, body: one("x", { amount: 4 }) },
  { what: `POST ${at("v2")}`, body: one("y", {}) },
  { what: `POST ${at("v1")}`, body: one("z", {}, "v1") },
  { what: `GET ${at("v1")}/x` },
  { what: `GET ${at("v2")}/x` },
  // Managers of other versions are compared by path here, and by a conversion there: each writes a field of its own.
  { what: `PATCH ${at("v1")}/x?fieldManager=two`, type: merge, body: { spec: { mode: "other" } } },
  { what: `PATCH ${at("v2")}/x?fieldManager=one`, type: merge, body: { spec: { amount: 6 } } },
  { what: `PATCH ${at("v2")}/x?fieldManager=four`, type: apply, body: one("x", { amount: 7 }) },
  { what: `GET ${at("v2")}` },
  { what: `GET ${at("v1")}` },
  { what: `GET ${at("v2")}`, accept: "application/json;as=Table;v=v1;g=meta.k8s.io" },
  ...Object.keys(modes).map((mode) => ({ what: `POST ${at("v2")}`, body: one(mode, { mode, amount: 1 }) })),
  ...Object.keys(modes).flatMap((mode) => [
    { what: `POST ${at("v1")}`, body: one(`a-${mode}`, { mode, size: 1 }, "v1") },
    { what: `GET ${at("v2")}/a-${mode}` },
    { what: `DELETE ${at("v1")}/a-${mode}` },
  ]),
];

let real: RealCluster;
beforeAll(async () => {
  real = await startRealCluster({ controllers: "none", scheduler: "none", nodes: 0 });
});
afterAll(() => real.stop());

describe.skipIf(!isComparedVersion)("conversion webhooks are asked as by kube-apiserver 1.36", () => {
  test("whatever they answer", async () => {
    const server = await startWebhookServer({ convert: { raw: convert } });
    const ours = await startWebhookCluster();
    const callers = [httpsCaller(real.access), httpsCaller(ours.access)];
    const clientConfig = { url: `https://127.0.0.1:${server.port}/convert`, caBundle: server.caBundle };
    const story: CustomKindStory = {
      name: "",
      definition: definition({ conversionReviewVersions: ["v1"], clientConfig }),
      requests,
    };
    expect(await storyDifferences(story, callers)).toBe("");
    for (const caller of callers) caller.close();
  });
});
