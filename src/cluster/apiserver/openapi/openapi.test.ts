import { describe, expect, test } from "vitest";
import { defaultFeatureGates, type FeatureGate } from "../../../api/feature-gates.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../api/json.ts";
import { VirtualClock } from "../../../machinery/clock/virtual-clock.ts";
import { schemaTable } from "../../../api/schema/table.ts";
import { isUnsupportedKind } from "../discovery/listed-resource.ts";
import { serveBuiltInKinds } from "../kinds/serve-built-in-kinds.ts";
import { createOpenApi } from "./openapi.ts";

const served = schemaTable().kinds.filter((kind) => !isUnsupportedKind(kind));
const resources = serveBuiltInKinds().flatMap(({ versions }) => versions);
const openApi = createOpenApi({ resources: () => resources, clock: new VirtualClock() });
const paths = Object.keys(read((await openApi.index(defaultFeatureGates)).body).paths as JsonObject);

function read(body: string): JsonObject {
  return JSON.parse(body) as JsonObject;
}

function documentAt(path: string, off: readonly FeatureGate[] = []): JsonObject {
  const gates = { ...defaultFeatureGates, ...Object.fromEntries(off.map((gate) => [gate, false])) };
  return read(openApi.document(path, gates)?.body ?? "{}");
}

function at(value: Json | undefined, ...steps: readonly string[]): Json | undefined {
  return steps.reduce<Json | undefined>(
    (inner, step) => (isJsonObject(inner) ? inner[step] : undefined),
    value,
  );
}

function schemaAt(path: string, name: string, off: readonly FeatureGate[] = []): JsonObject {
  return at(documentAt(path, off), "components", "schemas", name) as JsonObject;
}

/** Every reference in a document. */
function references(value: Json | undefined): readonly string[] {
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap(references);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === "$ref" && typeof member === "string" ? [member] : references(member),
  );
}

const deploymentSpec = "io.k8s.api.apps.v1.DeploymentSpec";

describe("the OpenAPI index", () => {
  test("points at a document for every group and version that is served", async () => {
    expect(paths).toContain("api/v1");
    expect(paths).toContain("apis/autoscaling/v2");
    expect(paths).toContain("apis/apiextensions.k8s.io/v1");
    const hash = openApi.document("apis/apps/v1", defaultFeatureGates)?.hash ?? "";
    expect(at(read((await openApi.index(defaultFeatureGates)).body), "paths", "apis/apps/v1")).toEqual({
      serverRelativeURL: `/openapi/v3/apis/apps/v1?hash=${hash}`,
    });
  });

  test("has nothing under other names", () => {
    expect(openApi.document("apis/apps/v2", defaultFeatureGates)).toBeUndefined();
    expect(openApi.document("__proto__", defaultFeatureGates)).toBeUndefined();
  });
});

describe("OpenAPI documents", () => {
  test.for(paths)("of %s refer to nothing they do not contain", (path) => {
    const document = documentAt(path);
    const schemas = at(document, "components", "schemas") as JsonObject;
    const named = references(document).map((each) => each.split("/").at(-1) ?? "");
    expect(named.filter((name) => !Object.hasOwn(schemas, name))).toEqual([]);
    expect(document.openapi).toBe("3.0.0");
  });

  test.for(served.filter(({ verbs }) => verbs.includes("patch")))(
    "let kubectl leave the fields of $kind to the server",
    ({ group, version, kind, plural, namespaced }) => {
      const root = group === "" ? `api/${version}` : `apis/${group}/${version}`;
      const scope = namespaced ? "/namespaces/{namespace}" : "";
      const patch = at(documentAt(root), "paths", `/${root}${scope}/${plural}/{name}`, "patch") as JsonObject;
      expect(patch["x-kubernetes-group-version-kind"]).toEqual({ group, version, kind });
      expect(patch["x-kubernetes-action"]).toBe("patch");
      expect(patch.parameters).toContainEqual({
        name: "fieldValidation",
        in: "query",
        schema: { type: "string" },
      });
      expect(Object.keys(at(patch, "requestBody", "content") as JsonObject)).toContain(
        "application/strategic-merge-patch+json",
      );
    },
  );

  test("name the kinds of their schemas", () => {
    expect(schemaAt("apis/apps/v1", "io.k8s.api.apps.v1.Deployment")).toMatchObject({
      type: "object",
      "x-kubernetes-group-version-kind": [{ group: "apps", version: "v1", kind: "Deployment" }],
      properties: {
        metadata: {
          allOf: [{ $ref: "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta" }],
          default: {},
        },
      },
    });
  });

  test.for([
    {
      name: "a list merged by key",
      type: "io.k8s.api.core.v1.PodSpec",
      field: "containers",
      want: {
        type: "array",
        items: { allOf: [{ $ref: "#/components/schemas/io.k8s.api.core.v1.Container" }], default: {} },
        "x-kubernetes-list-map-keys": ["name"],
        "x-kubernetes-list-type": "map",
        "x-kubernetes-patch-merge-key": "name",
        "x-kubernetes-patch-strategy": "merge",
      },
    },
    {
      name: "a set of scalars",
      type: "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta",
      field: "finalizers",
      want: {
        type: "array",
        items: { type: "string", default: "" },
        "x-kubernetes-list-type": "set",
        "x-kubernetes-patch-strategy": "merge",
      },
    },
    {
      name: "an atomic map",
      type: "io.k8s.api.core.v1.PodSpec",
      field: "nodeSelector",
      want: {
        type: "object",
        additionalProperties: { type: "string", default: "" },
        "x-kubernetes-map-type": "atomic",
      },
    },
    {
      name: "an enum with a default",
      type: "io.k8s.api.core.v1.ContainerPort",
      field: "protocol",
      want: { type: "string", enum: ["SCTP", "TCP", "UDP"], default: "TCP" },
    },
    {
      name: "a member of an inlined type",
      type: "io.k8s.api.core.v1.Volume",
      field: "emptyDir",
      want: { allOf: [{ $ref: "#/components/schemas/io.k8s.api.core.v1.EmptyDirVolumeSource" }] },
    },
    {
      name: "a field that is always written",
      type: "io.k8s.api.core.v1.ContainerPort",
      field: "containerPort",
      want: { type: "integer", format: "int32", default: 0 },
    },
  ])("describe $name", ({ type, field, want }) => {
    expect(at(schemaAt("apis/apps/v1", type), "properties", field)).toMatchObject(want);
  });

  test.for([
    ["io.k8s.apimachinery.pkg.apis.meta.v1.Time", { type: "string", format: "date-time" }],
    ["io.k8s.apimachinery.pkg.api.resource.Quantity", { oneOf: [{ type: "string" }, { type: "number" }] }],
    [
      "io.k8s.apimachinery.pkg.util.intstr.IntOrString",
      { format: "int-or-string", oneOf: [{ type: "integer" }, { type: "string" }] },
    ],
  ] as const)("describe %s", ([name, want]) => {
    expect(schemaAt("apis/apps/v1", name)).toEqual(want);
  });

  test("list what is required, also from inlined types", () => {
    expect(schemaAt("api/v1", "io.k8s.api.core.v1.SecretKeySelector").required).toEqual(["key"]);
    expect(schemaAt("apis/apps/v1", deploymentSpec).required).toEqual(["selector", "template"]);
  });
});

describe("our own fields", () => {
  test("are described where Kubernetes' are", () => {
    const properties = schemaAt("apis/apps/v1", deploymentSpec).properties as JsonObject;
    expect(properties.podReplacementPolicy).toMatchObject({
      type: "string",
      enum: ["TerminationComplete", "TerminationStarted"],
    });
    expect(properties.downscalePodPicker).toMatchObject({
      allOf: [{ $ref: "#/components/schemas/io.k8s.api.apps.v1.DownscalePodPicker" }],
    });
    expect(schemaAt("apis/apps/v1", "io.k8s.api.apps.v1.HTTPPodPicker")).toMatchObject({
      required: ["host", "port"],
      properties: { httpHeaders: { "x-kubernetes-list-type": "atomic" }, path: { default: "/" } },
    });
  });

  test.for([
    { gate: "DownscalePodPicker", type: deploymentSpec, field: "downscalePodPicker" },
    { gate: "DownscalePodPicker", type: "io.k8s.api.apps.v1.ReplicaSetSpec", field: "downscalePodPicker" },
    { gate: "DeploymentPodReplacementPolicy", type: deploymentSpec, field: "podReplacementPolicy" },
    {
      gate: "DeploymentReplicaSetTerminatingReplicas",
      type: "io.k8s.api.apps.v1.DeploymentStatus",
      field: "terminatingReplicas",
    },
    {
      gate: "DeploymentReplicaSetTerminatingReplicas",
      type: "io.k8s.api.apps.v1.ReplicaSetStatus",
      field: "terminatingReplicas",
    },
  ] as const)(
    "take $field off $type with $gate off, and change the address",
    async ({ gate, type, field }) => {
      expect(schemaAt("apis/apps/v1", type).properties).toHaveProperty(field);
      expect(schemaAt("apis/apps/v1", type, [gate]).properties).not.toHaveProperty(field);
      const off = { ...defaultFeatureGates, [gate]: false };
      const hash = (gates: typeof defaultFeatureGates, path: string) => openApi.document(path, gates)?.hash;
      expect(hash(off, "apis/apps/v1")).not.toBe(hash(defaultFeatureGates, "apis/apps/v1"));
      expect(hash(off, "api/v1")).toBe(hash(defaultFeatureGates, "api/v1"));
      expect((await openApi.index(off)).hash).not.toBe((await openApi.index(defaultFeatureGates)).hash);
    },
  );

  test("leave no schema behind when they go", () => {
    const schemas = at(documentAt("apis/apps/v1", ["DownscalePodPicker"]), "components", "schemas");
    expect(schemas).not.toHaveProperty(["io.k8s.api.apps.v1.DownscalePodPicker"]);
  });
});
