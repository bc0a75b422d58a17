import type { JsonObject } from "../../src/api/json.ts";
import { type ComparedRequest, lastVersion } from "./custom-resource-answers.ts";

/** Definitions that are established together, and the requests that follow, one after the other. */
export interface CustomKindStory {
  readonly name: string;
  readonly definition: JsonObject;
  readonly requests: readonly StoryRequest[];
}

interface StoryRequest extends ComparedRequest {
  /** Whether only the code of the answer is compared: the text is Go's, or ours says more. */
  readonly codeOnly?: boolean;
}

const codeOnly = (request: ComparedRequest): StoryRequest => ({ ...request, codeOnly: true });

const merge = "application/merge-patch+json";
const jsonPatch = "application/json-patch+json";
const strategic = "application/strategic-merge-patch+json";
const apply = "application/apply-patch+yaml";
const yaml = "application/yaml";
const asTable = "application/json;as=Table;v=v1;g=meta.k8s.io";
const asMetadata = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";
const asMetadataList = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";
const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

const text = { type: "string" };
const integer = { type: "integer" };
const object = (properties: JsonObject, rest: JsonObject = {}): JsonObject => ({
  type: "object",
  properties,
  ...rest,
});

interface Kind {
  /** Its kind in lower case, and its group: each story has its own. */
  readonly of: string;
  readonly versions: readonly JsonObject[];
  readonly spec?: JsonObject;
}

const kindOf = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

function definition({ of, versions, spec }: Kind): JsonObject {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${of}s.${of}.example.com` },
    spec: {
      group: `${of}.example.com`,
      scope: "Namespaced",
      names: { plural: `${of}s`, kind: kindOf(of) },
      versions,
      ...spec,
    },
  };
}

function version(name: string, schema: JsonObject, rest: JsonObject = {}): JsonObject {
  return { name, served: true, storage: name === "v1", schema: { openAPIV3Schema: schema }, ...rest };
}

/** Where the objects of a story are, and how they begin. */
function place(of: string, apiVersion = "v1") {
  return {
    path: `/apis/${of}.example.com/${apiVersion}/namespaces/default/${of}s`,
    one: (fields: JsonObject, metadata: JsonObject = {}): JsonObject => ({
      apiVersion: `${of}.example.com/${apiVersion}`,
      kind: kindOf(of),
      metadata: { name: "x", ...metadata },
      ...fields,
    }),
  };
}

const owned = place("owned");
const ownedV2 = place("owned", "v2");
const ownership: CustomKindStory = {
  name: "managed fields have the version and the subresource of each write",
  definition: definition({
    of: "owned",
    versions: [
      version("v1", object({ spec: object({ a: text, b: text, old: text }), status: object({ s: text }) }), {
        subresources: { status: {} },
      }),
      version("v2", object({ spec: object({ a: text, b: text, new: text }), status: object({ s: text }) }), {
        subresources: { status: {} },
        deprecated: true,
        deprecationWarning: "v2 goes away",
      }),
    ],
  }),
  requests: [
    { what: `POST ${owned.path}?fieldManager=one`, body: owned.one({ spec: { a: "1", old: "1" } }) },
    { what: `PATCH ${ownedV2.path}/x?fieldManager=two`, type: merge, body: { spec: { b: "2", new: "2" } } },
    { what: `GET ${owned.path}/x` },
    { what: `PATCH ${owned.path}/x?fieldManager=one`, type: merge, body: { spec: { b: "3" } } },
    {
      what: `PATCH ${owned.path}/x/status?fieldManager=three`,
      type: merge,
      body: { status: { s: "up" }, spec: { a: "no" } },
    },
    {
      what: `PUT ${ownedV2.path}/x/status?fieldManager=two`,
      body: ownedV2.one({ status: { s: "down" } }, { resourceVersion: lastVersion, labels: { a: "b" } }),
    },
    {
      what: `PATCH ${owned.path}/x?fieldManager=applier`,
      type: apply,
      body: owned.one({ spec: { a: "4", b: "4" } }),
    },
    {
      what: `PATCH ${owned.path}/x?fieldManager=applier&force=true`,
      type: apply,
      body: owned.one({ spec: { a: "4", b: "4" } }),
    },
    {
      what: `PATCH ${ownedV2.path}/x?fieldManager=applier`,
      type: apply,
      body: ownedV2.one({ spec: { a: "5" } }),
    },
    {
      what: `PATCH ${ownedV2.path}/x?fieldManager=other`,
      type: apply,
      body: ownedV2.one({ spec: { a: "6", b: "6" } }),
    },
    {
      what: `PATCH ${owned.path}/x/status?fieldManager=applier`,
      type: apply,
      body: owned.one({ status: { s: "applied" }, spec: { a: "8" } }),
    },
    {
      what: `PATCH ${owned.path}/x/status?fieldManager=applier&force=true`,
      type: apply,
      body: owned.one({ status: { s: "applied" } }),
    },
    {
      what: `PATCH ${owned.path}/y?fieldManager=applier`,
      type: apply,
      body: owned.one({ spec: { a: "1" }, status: { s: "no" } }, { name: "y" }),
    },
    {
      what: `PATCH ${owned.path}/z/status?fieldManager=applier`,
      type: apply,
      body: owned.one({ status: { s: "no" } }, { name: "z" }),
    },
    { what: `GET ${owned.path}` },
    { what: `PUT ${owned.path}/x`, body: owned.one({ spec: { unknown: 1 } }, { resourceVersion: "1" }) },
    {
      what: `PUT ${owned.path}/x?fieldValidation=Warn`,
      body: owned.one({ spec: { a: 1, unknown: 1 } }, { resourceVersion: lastVersion }),
    },
    { what: `PATCH ${owned.path}/x?fieldValidation=Warn`, type: merge, body: { spec: { a: 1, unknown: 1 } } },
    { what: `PATCH ${owned.path}/x?fieldValidation=Strict`, type: merge, body: { spec: { unknown: 1 } } },
    { what: `PATCH ${owned.path}/x?fieldValidation=Warn`, type: merge, body: { spec: { unknown: 1 } } },
    { what: `DELETE ${owned.path}/x?dryRun=All` },
    { what: `DELETE ${owned.path}/x` },
    { what: `GET ${owned.path}/x` },
  ],
};

const applied = place("applied");
const applying: CustomKindStory = {
  name: "applies merge by list and map types",
  definition: definition({
    of: "applied",
    versions: [
      version(
        "v1",
        object({
          spec: object({
            n: integer,
            f: { type: "number" },
            b: { type: "boolean" },
            t: text,
            d: { type: "string", default: "given" },
            p: { "x-kubernetes-int-or-string": true },
            set: { type: "array", items: text, "x-kubernetes-list-type": "set" },
            plain: { type: "array", items: text },
            map: {
              type: "array",
              items: object(
                { name: text, port: { type: "integer", default: 80 }, v: text },
                { required: ["name"] },
              ),
              "x-kubernetes-list-type": "map",
              "x-kubernetes-list-map-keys": ["name", "port"],
            },
            atomic: object({ a: text, b: text }, { "x-kubernetes-map-type": "atomic" }),
            labels: { type: "object", additionalProperties: text },
            whole: { type: "object" },
            free: object({ known: text }, { "x-kubernetes-preserve-unknown-fields": true }),
            freer: { "x-kubernetes-preserve-unknown-fields": true },
            embedded: {
              type: "object",
              "x-kubernetes-embedded-resource": true,
              "x-kubernetes-preserve-unknown-fields": true,
            },
          }),
        }),
      ),
    ],
  }),
  requests: [
    {
      what: `POST ${applied.path}?fieldManager=one`,
      body: applied.one({
        spec: {
          set: ["a", "b"],
          plain: ["a"],
          map: [{ name: "a", v: "1" }],
          atomic: { a: "1" },
          labels: { a: "1" },
          free: { known: "1", other: { deep: { deeper: 1, list: [{ a: 1 }] } } },
          freer: { a: { b: 1 }, l: [1] },
          embedded: { apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, spec: { x: { y: 1 } } },
        },
      }),
    },
    {
      what: `PATCH ${applied.path}/x?fieldManager=two`,
      type: apply,
      body: applied.one({
        spec: {
          set: ["b", "c"],
          map: [
            { name: "a", v: "1" },
            { name: "b", port: 81 },
          ],
          labels: { b: "2" },
          free: { other: { deep: { more: 2 } } },
          freer: { a: { c: 1 } },
          embedded: { apiVersion: "v1", kind: "Pod", spec: { x: { z: 1 } } },
        },
      }),
    },
    {
      what: `PATCH ${applied.path}/x?fieldManager=two`,
      type: apply,
      body: applied.one({
        spec: {
          set: ["c"],
          plain: ["b"],
          map: [{ name: "a", v: "2" }],
          atomic: { a: "2", b: "2" },
          free: { known: "2", other: { deep: { deeper: 2, list: [] } } },
          freer: { a: { b: 2 }, l: [2] },
          embedded: { apiVersion: "v1", kind: "Pod", spec: { x: { y: 2 } } },
        },
      }),
    },
    {
      what: `PATCH ${applied.path}/x?fieldManager=three`,
      type: apply,
      body: applied.one({ spec: { t: "1" } }),
    },
    {
      what: `PATCH ${applied.path}/x?fieldManager=three&force=true`,
      type: apply,
      body: applied.one({ spec: { d: "mine" } }),
    },
    { what: `PATCH ${applied.path}/x?fieldManager=three`, type: apply, body: applied.one({}) },
    ...(
      [
        { n: "a" },
        { n: 1.5 },
        { n: true },
        { n: [] },
        { n: {} },
        { n: null },
        { f: "a" },
        { f: {} },
        { b: "true" },
        { b: 1 },
        { t: 1 },
        { t: 1.5 },
        { t: true },
        { t: { a: 1 } },
        { t: ["a"] },
        { p: true },
        { p: { a: 1 } },
        { p: [] },
        { set: "a" },
        { set: { a: 1 } },
        { set: [1] },
        { set: ["a", "a"] },
        { set: [null] },
        { plain: [1] },
        { plain: 7 },
        { map: [{ v: "1" }] },
        { map: [{ name: 1 }] },
        { map: ["a"] },
        { map: [{ name: "a" }, { name: "a" }] },
        { map: [{ name: "a" }, { name: "a", port: 80 }] },
        { map: [null] },
        { map: {} },
        { atomic: "a" },
        { atomic: { c: "1" } },
        { labels: [] },
        { labels: { a: 1 } },
        { labels: { a: null } },
        { free: "a" },
        { free: { known: 1 } },
        { unknown: { a: 1 } },
        { whole: { a: 1 } },
        { embedded: { metadata: { labels: { a: 1 } } } },
      ] as JsonObject[]
    ).map((spec) => ({
      what: `PATCH ${applied.path}/new?fieldManager=two&dryRun=All`,
      type: apply,
      body: applied.one({ spec }, { name: "new" }),
    })),
    { what: `PATCH ${applied.path}/new`, type: apply, body: applied.one({}, { name: "new" }) },
    {
      what: `PATCH ${applied.path}/new?fieldManager=a`,
      type: apply,
      body: applied.one({}, { name: "other" }),
    },
    codeOnly({ what: `PATCH ${applied.path}/new?fieldManager=a`, type: apply, body: "{" }),
    codeOnly({ what: `PATCH ${applied.path}/new?fieldManager=a`, type: apply, body: "[]" }),
    { what: `PATCH ${applied.path}/new?fieldManager=a`, type: apply, body: { metadata: { name: "new" } } },
    {
      what: `PATCH ${applied.path}/new?fieldManager=a`,
      type: apply,
      body: { ...applied.one({}, { name: "new" }), kind: "Other" },
    },
    {
      what: `PATCH ${applied.path}/new?fieldManager=a`,
      type: apply,
      body: { ...applied.one({}, { name: "new" }), apiVersion: "applied.example.com/v9" },
    },
    {
      what: `PATCH ${applied.path}/new?fieldManager=a`,
      type: apply,
      body: applied.one({}, { name: "new", managedFields: [] }),
    },
    {
      what: `PATCH ${applied.path}/x?fieldManager=a`,
      type: apply,
      body: applied.one({}, { managedFields: [{}] }),
    },
    { what: `PATCH ${applied.path}/x?fieldManager=a`, type: apply, body: applied.one({ top: 1 }) },
    { what: `PATCH ${applied.path}/x?fieldManager=a`, type: apply, body: applied.one({}, { what: 1 }) },
    { what: `PATCH ${applied.path}/x`, type: strategic, body: { spec: { t: "2" } } },
    { what: `GET ${applied.path}/x` },
  ],
};

const patched = place("patched");
const patching: CustomKindStory = {
  name: "patches and bodies that cannot be read",
  definition: definition({
    of: "patched",
    versions: [version("v1", object({ spec: object({ a: integer, l: { type: "array", items: text } }) }))],
  }),
  requests: [
    { what: `POST ${patched.path}`, body: patched.one({ spec: { a: 1, l: ["a"] } }) },
    ...(
      [
        [{ op: "replace", path: "/spec/a", value: "x" }],
        [{ op: "replace", path: "/metadata/name", value: "y" }],
        [{ op: "replace", path: "/kind", value: "Other" }],
        [{ op: "add", path: "/spec/unknown", value: 1 }],
        [{ op: "add", path: "/spec/l/-", value: "b" }],
      ] as JsonObject[][]
    ).map((body) => ({ what: `PATCH ${patched.path}/x?dryRun=All`, type: jsonPatch, body })),
    ...(
      [
        [{ op: "test", path: "/spec/a", value: 2 }],
        [{ op: "test", path: "/spec/missing", value: 2 }],
        [{ op: "remove", path: "/spec/missing" }],
        [{ op: "replace", path: "/spec/missing", value: 1 }],
        [{ op: "add", path: "/spec/missing/deep", value: 1 }],
        [{ op: "add", path: "/spec/l/7", value: "b" }],
        [{ op: "remove", path: "/spec/l/3" }],
        [{ op: "move", from: "/spec/missing", path: "/spec/a" }],
        [{ op: "other", path: "/spec/a", value: 1 }],
        [{ path: "/spec/a", value: 1 }],
        [{ op: "add", value: 1 }],
        [{ op: "replace", path: "/apiVersion", value: "v1" }],
        [{ op: "remove", path: "/kind" }],
        [{ op: "replace", path: "", value: {} }],
        {},
        [1],
        "{",
      ] as (JsonObject | readonly JsonObject[] | string)[]
    ).map((body) => codeOnly({ what: `PATCH ${patched.path}/x?dryRun=All`, type: jsonPatch, body })),
    ...["{", "[]", "7"].map((body) => codeOnly({ what: `PATCH ${patched.path}/x`, type: merge, body })),
    ...["", "{", "[]", "null", "7", "nonsense", '{"kind": 7}'].map((body) =>
      codeOnly({ what: `POST ${patched.path}`, body }),
    ),
    ...["a: b: c", "- a"].map((body) => codeOnly({ what: `POST ${patched.path}`, type: yaml, body })),
    codeOnly({ what: `PATCH ${patched.path}/x`, type: merge, body: { metadata: { uid: "other" } } }),
    codeOnly({ what: `GET ${patched.path}?limit=x` }),
    codeOnly({ what: `GET ${patched.path}?continue=x` }),
    codeOnly({ what: `GET ${patched.path}?resourceVersion=x` }),
    codeOnly({ what: `DELETE ${patched.path}/x`, body: { preconditions: { uid: "other" } } }),
    codeOnly({ what: `GET ${patched.path}/x`, accept: "application/vnd.kubernetes.protobuf" }),
    { what: `PATCH ${patched.path}/x`, type: merge, body: '{"spec":7}' },
    { what: `PATCH ${patched.path}/x`, type: merge, body: { metadata: { resourceVersion: "1" } } },
    { what: `PATCH ${patched.path}/missing`, type: merge, body: {} },
    { what: `PATCH ${patched.path}/x`, type: "text/plain", body: {} },
    {
      what: `POST ${patched.path}`,
      body: '{"metadata": 7, "kind":"Patched","apiVersion":"patched.example.com/v1"}',
    },
    { what: `POST ${patched.path}`, type: "text/plain", body: {} },
    { what: `POST ${patched.path}`, body: patched.one({}, { name: "Bad_Name" }) },
    { what: `POST ${patched.path}`, body: patched.one({}, { name: undefined as never }) },
    { what: `POST ${patched.path}`, body: patched.one({}, { namespace: "other" }) },
    { what: `POST ${patched.path}`, body: patched.one({}, { labels: { "a b": "c d" } }) },
    { what: `POST ${patched.path}`, body: patched.one({}, { labels: { a: 7 } }) },
    { what: `POST ${patched.path}`, body: patched.one({}, { finalizers: ["x"] }) },
    { what: `POST ${patched.path}`, body: patched.one({}) },
    { what: `PUT ${patched.path}`, body: patched.one({}) },
    { what: `PUT ${patched.path}/x`, body: patched.one({}, { name: "y", resourceVersion: lastVersion }) },
    { what: `PUT ${patched.path}/missing`, body: patched.one({}, { name: "missing", resourceVersion: "1" }) },
    { what: `PUT ${patched.path}/x/nothing`, body: patched.one({}) },
    { what: `GET ${patched.path}/x/nothing` },
    { what: `GET ${patched.path}/x/status` },
    { what: `GET ${patched.path}/x/scale` },
    { what: `PUT ${patched.path}/x/scale`, body: {} },
    { what: "GET /apis/patched.example.com/v2/namespaces/default/patcheds" },
    { what: "GET /apis/patched.example.com/v1/other" },
    { what: "POST /apis/patched.example.com/v1/patcheds", body: patched.one({}) },
    { what: "GET /apis/patched.example.com/v1/patcheds" },
    { what: "GET /apis/patched.example.com/v1" },
    { what: "GET /apis/patched.example.com" },
    { what: `GET ${patched.path}?fieldSelector=spec.a=1` },
    { what: `GET ${patched.path}?fieldSelector=metadata.name=x` },
    { what: `GET ${patched.path}?labelSelector=a%20b` },
    { what: `GET ${patched.path}/x`, accept: asMetadata },
    { what: `GET ${patched.path}`, accept: asMetadataList },
    { what: `DELETE ${patched.path}?fieldSelector=metadata.name=nobody` },
    { what: `DELETE ${patched.path}/missing` },
    { what: `DELETE ${patched.path}` },
  ],
};

const sized = place("sized");
const scaling: CustomKindStory = {
  name: "status and scale subresources",
  definition: definition({
    of: "sized",
    versions: [
      version(
        "v1",
        object({
          spec: object({ replicas: integer, other: text }, { default: { other: "o" } }),
          status: object(
            { replicas: integer, selector: text, d: { type: "string", default: "in" } },
            { default: {} },
          ),
        }),
        {
          subresources: {
            status: {},
            scale: {
              specReplicasPath: ".spec.replicas",
              statusReplicasPath: ".status.replicas",
              labelSelectorPath: ".status.selector",
            },
          },
        },
      ),
    ],
  }),
  requests: [
    { what: `POST ${sized.path}?fieldManager=one`, body: sized.one({ status: { replicas: 7 } }) },
    { what: `GET ${sized.path}/x` },
    { what: `GET ${sized.path}/x/scale` },
    { what: `PATCH ${sized.path}/x/scale`, type: merge, body: {} },
    {
      what: `PATCH ${sized.path}/x/scale?fieldManager=a-scaler`,
      type: merge,
      body: { spec: { replicas: 2 } },
    },
    { what: `GET ${sized.path}/x` },
    { what: `PATCH ${sized.path}/x/scale?fieldManager=other`, type: merge, body: { spec: { replicas: 2 } } },
    { what: `PATCH ${sized.path}/x/scale?fieldManager=other`, type: merge, body: { spec: { replicas: 3 } } },
    { what: `PATCH ${sized.path}/x/scale`, type: merge, body: { spec: { replicas: -1 } } },
    { what: `PATCH ${sized.path}/x/scale`, type: merge, body: { spec: { replicas: "a" } } },
    { what: `PATCH ${sized.path}/x/scale`, type: merge, body: { spec: { unknown: "a" } } },
    {
      what: `PATCH ${sized.path}/x/scale?fieldValidation=Strict`,
      type: merge,
      body: { spec: { unknown: "a" } },
    },
    {
      what: `PATCH ${sized.path}/x/scale`,
      type: jsonPatch,
      body: [{ op: "replace", path: "/spec/replicas", value: 4 }],
    },
    { what: `PATCH ${sized.path}/x/scale`, type: strategic, body: { spec: { replicas: 5 } } },
    {
      what: `PATCH ${sized.path}/x/scale?fieldManager=applier`,
      type: apply,
      body: { apiVersion: "autoscaling/v1", kind: "Scale", metadata: { name: "x" }, spec: { replicas: 6 } },
    },
    {
      what: `PATCH ${sized.path}/x/scale?fieldManager=applier&force=true`,
      type: apply,
      body: { apiVersion: "autoscaling/v1", kind: "Scale", metadata: { name: "x" }, spec: { replicas: 6 } },
    },
    { what: `GET ${sized.path}/x` },
    {
      what: `PUT ${sized.path}/x/scale`,
      body: {
        apiVersion: "autoscaling/v1",
        kind: "Scale",
        metadata: { name: "x", resourceVersion: lastVersion },
        spec: { replicas: 8 },
      },
    },
    {
      what: `PUT ${sized.path}/x/scale`,
      body: {
        apiVersion: "autoscaling/v1",
        kind: "Scale",
        metadata: { name: "x", resourceVersion: "1" },
        spec: { replicas: 8 },
      },
    },
    {
      what: `PUT ${sized.path}/x/scale`,
      body: { apiVersion: "autoscaling/v1", kind: "Scale", metadata: { name: "x" }, spec: { replicas: 9 } },
    },
    {
      what: `PUT ${sized.path}/x/scale`,
      body: { apiVersion: "autoscaling/v1", kind: "Scale", metadata: { name: "y" }, spec: { replicas: 9 } },
    },
    {
      what: `PUT ${sized.path}/x/scale`,
      body: { apiVersion: "autoscaling/v1", kind: "Scale", metadata: { name: "x" } },
    },
    codeOnly({
      what: `PUT ${sized.path}/x/scale`,
      body: { apiVersion: "v1", kind: "Scale", metadata: { name: "x" }, spec: { replicas: 9 } },
    }),
    {
      what: `PUT ${sized.path}/x/scale?dryRun=All`,
      body: { apiVersion: "autoscaling/v1", kind: "Scale", metadata: { name: "x" }, spec: { replicas: 10 } },
    },
    codeOnly({ what: `GET ${sized.path}/x/scale`, accept: asTable }),
    { what: `GET ${sized.path}/missing/scale` },
    { what: `PATCH ${sized.path}/x/status`, type: merge, body: { status: { replicas: -2 } } },
    { what: `PATCH ${sized.path}/x/status`, type: merge, body: { status: { replicas: "a" } } },
    { what: `PATCH ${sized.path}/x/status`, type: merge, body: { status: { replicas: 1, selector: "a=b" } } },
    { what: `PATCH ${sized.path}/x`, type: merge, body: { spec: { replicas: -2 } } },
    {
      what: `PATCH ${sized.path}/x`,
      type: merge,
      body: { spec: { replicas: null }, status: { replicas: 9 } },
    },
    { what: `GET ${sized.path}/x/scale` },
    { what: `PUT ${sized.path}/x/status`, body: sized.one({}, { resourceVersion: lastVersion }) },
    { what: `GET ${sized.path}/x` },
    {
      what: `PUT ${sized.path}/x/status`,
      body: sized.one({ status: { replicas: 1, unknown: 1 } }, { resourceVersion: "" }),
    },
    { what: `POST ${sized.path}/x/status`, body: sized.one({}) },
    {
      what: `POST ${sized.path}?fieldManager=one`,
      body: sized.one({ spec: { replicas: 1 } }, { name: "y" }),
    },
    {
      what: `PATCH ${sized.path}/y/scale?fieldManager=a-scaler`,
      type: merge,
      body: { spec: { replicas: 2 } },
    },
    { what: `GET ${sized.path}/y` },
    { what: `POST ${sized.path}`, body: sized.one({ spec: { replicas: -1 } }, { name: "z" }) },
    { what: `POST ${sized.path}?dryRun=All`, body: sized.one({}, { name: "z" }) },
    { what: `DELETE ${sized.path}/x/status` },
    { what: `POST ${sized.path}/x/scale`, body: {} },
    { what: `DELETE ${sized.path}/x/scale` },
  ],
};

const shown = place("shown");
const column = (name: string, type: string, jsonPath: string, rest: JsonObject = {}): JsonObject => ({
  name,
  type,
  jsonPath,
  ...rest,
});
const printing: CustomKindStory = {
  name: "tables have the columns of the version",
  definition: definition({
    of: "shown",
    spec: {
      names: { plural: "showns", kind: "Shown", shortNames: ["sh"], categories: ["all", "shows"] },
    },
    versions: [
      version("v1", object({ spec: { type: "object", "x-kubernetes-preserve-unknown-fields": true } }), {
        selectableFields: [],
        additionalPrinterColumns: [
          column("Text", "string", ".spec.t"),
          column("Number", "integer", ".spec.n", { format: "int32", description: "A number." }),
          column("Float", "number", ".spec.f", { priority: 1 }),
          column("Flag", "boolean", ".spec.b"),
          column("When", "date", ".spec.d"),
          column("Odd", "string", ".spec.o"),
          column("Ready", "string", '.spec.conditions[?(@.type=="Ready")].status'),
          column("Quoted", "string", ".spec.conditions[?(@.type == 'Ready')].status"),
          column("All", "string", ".spec.conditions[*].type"),
          column("First", "string", ".spec.conditions[0].type"),
          column("Last", "string", ".spec.conditions[-1:].type"),
          column("Dotted", "string", ".metadata.annotations.example\\.com/a"),
          column("Bracket", "string", ".metadata.annotations['example\\.com/a']"),
          column("Deep", "string", "..type"),
          column("Kind", "string", ".kind"),
          column("Created", "date", ".metadata.creationTimestamp"),
          column("Bad", "string", ".spec["),
          column("After", "string", ".spec.t"),
        ],
      }),
    ],
  }),
  requests: [
    {
      what: `POST ${shown.path}`,
      body: shown.one(
        {
          spec: {
            t: "text",
            n: 3,
            f: 1.5,
            b: true,
            d: "2024-01-02T03:04:05Z",
            o: { a: [1, "b"] },
            conditions: [
              { type: "Other", status: "False" },
              { type: "Ready", status: "True" },
            ],
          },
        },
        { annotations: { "example.com/a": "annotated" } },
      ),
    },
    {
      what: `POST ${shown.path}`,
      body: shown.one({ spec: { t: 7, n: "x", f: "y", b: "z", d: "never", o: null } }, { name: "wrong" }),
    },
    {
      what: `POST ${shown.path}`,
      body: shown.one({ spec: { t: [], n: 3.7, f: 3, b: 0, d: 5, o: "" } }, { name: "odd" }),
    },
    {
      what: `POST ${shown.path}`,
      body: shown.one({ spec: { t: true, n: true, f: true } }, { name: "true" }),
    },
    { what: `POST ${shown.path}`, body: shown.one({}, { name: "empty" }) },
    { what: `GET ${shown.path}`, accept: asTable },
    { what: `GET ${shown.path}?includeObject=None`, accept: asTable },
    { what: `GET ${shown.path}?includeObject=Object`, accept: asTable },
    { what: `GET ${shown.path}/x`, accept: asTable },
    { what: `POST ${shown.path}?dryRun=All`, accept: asTable, body: shown.one({}, { name: "new" }) },
    { what: `GET ${shown.path}/missing`, accept: asTable },
    { what: "GET /apis/shown.example.com/v1" },
    { what: "GET /apis/shown.example.com" },
  ],
};

const changing = place("changing");
const changes = `${definitions}/changings.changing.example.com`;
const integerOf = (rest: JsonObject) =>
  object({ spec: object({ n: { type: "integer", ...rest }, l: { type: "array", items: integer } }) });
const updating: CustomKindStory = {
  name: "a definition changes below its objects",
  definition: definition({
    of: "changing",
    versions: [version("v1", integerOf({}))],
  }),
  requests: [
    { what: `POST ${changing.path}`, body: changing.one({ spec: { n: 50 } }) },
    { what: `GET ${changes}` },
    { what: `GET ${changes}`, accept: asTable },
    {
      what: `PATCH ${changes}?dryRun=All`,
      type: merge,
      body: { spec: { versions: [version("v1", integerOf({ maximum: 3 }))] } },
    },
    { what: `GET ${changes}` },
    { what: `PATCH ${changes}`, type: merge, body: { spec: { scope: "Cluster" } } },
    { what: `PATCH ${changes}`, type: merge, body: { spec: { group: "a.b" } } },
    { what: `PATCH ${changes}`, type: merge, body: { spec: { names: { kind: "Other", plural: "others" } } } },
    {
      what: `PATCH ${changes}`,
      type: merge,
      body: { spec: { names: { shortNames: ["ch"], categories: ["all"] } } },
    },
    codeOnly({ what: `PATCH ${changes}`, type: merge, body: { spec: { versions: [] } } }),
    {
      what: `PATCH ${changes}`,
      type: merge,
      body: { spec: { versions: [version("v2", integerOf({}), { storage: true })] } },
    },
    { what: `PATCH ${changes}`, type: merge, body: { spec: { preserveUnknownFields: true } } },
    { what: `PATCH ${changes}`, type: merge, body: { spec: { unknown: true } } },
    { what: `PATCH ${changes}?fieldValidation=Strict`, type: merge, body: { spec: { unknown: true } } },
    { what: `PATCH ${changes}`, type: strategic, body: { spec: {} } },
    { what: `PATCH ${changes}/status`, type: merge, body: { status: { storedVersions: [] } } },
    { what: `PATCH ${changes}/status?dryRun=All`, type: merge, body: { status: { storedVersions: ["v7"] } } },
    { what: `GET ${changes}/status` },
    { what: `DELETE ${changes}?dryRun=All` },
    { what: `GET ${changes}` },
    {
      what: `POST ${definitions}?dryRun=All`,
      body: definition({ of: "dry", versions: [version("v1", integerOf({ format: "unheard" }))] }),
    },
    { what: `GET ${definitions}/drys.dry.example.com` },
    {
      what: `PUT ${definitions}/drys.dry.example.com`,
      body: definition({ of: "dry", versions: [version("v1", integerOf({}))] }),
    },
    {
      what: `POST ${definitions}?dryRun=All`,
      body: definition({
        of: "many",
        versions: [
          version(
            "v1",
            object({
              spec: object({
                a: { type: "string", format: "b" },
                b: { type: "object", format: "c" },
                c: { type: "boolean", format: "d" },
                d: { type: "array", format: "e", items: { type: "integer", format: "f" } },
                g: { "x-kubernetes-int-or-string": true, format: "g" },
                h: { type: "string", anyOf: [{ format: "h" }] },
              }),
            }),
          ),
        ],
      }),
    },
    {
      what: `POST ${definitions}?dryRun=All&fieldValidation=Warn`,
      body: {
        ...definition({ of: "many", versions: [version("v1", integerOf({}), { unknown: 1 })] }),
        top: 1,
      },
    },
    {
      what: `POST ${definitions}?dryRun=All&fieldValidation=Strict`,
      body: {
        ...definition({
          of: "many",
          versions: [version("v1", integerOf({ $schema: "x", what: 1 }), { unknown: 1 })],
        }),
        top: 1,
      },
    },
    {
      what: `PATCH ${definitions}/drys.dry.example.com?fieldManager=a&dryRun=All`,
      type: apply,
      body: definition({ of: "dry", versions: [version("v1", integerOf({}))] }),
    },
  ],
};

export const stories: readonly CustomKindStory[] = [
  ownership,
  applying,
  patching,
  scaling,
  printing,
  updating,
];
