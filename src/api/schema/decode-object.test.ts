import { describe, expect, test } from "vitest";
import type { Json } from "../json.ts";
import { parseJson } from "../parse-json.ts";
import { decodeObject } from "./decode-object.ts";

function decoded(type: string, value: Json) {
  const result = decodeObject(type, value);
  if (!result.ok) throw new Error(result.error);
  return result;
}

describe("decodeObject cleans", () => {
  test.for<{ name: string; type: string; value: Json; want: Json }>([
    {
      name: "a Deployment into the server's order and form",
      type: "apps.v1.Deployment",
      value: {
        spec: {
          template: { spec: { containers: [{ image: "nginx", name: "c", stdin: false, args: [] }] } },
          selector: { matchLabels: { b: "2", a: "1" } },
          replicas: 0,
          paused: false,
        },
        metadata: { name: "d", creationTimestamp: null, labels: {} },
        kind: "Deployment",
        apiVersion: "apps/v1",
      },
      want: {
        kind: "Deployment",
        apiVersion: "apps/v1",
        metadata: { name: "d" },
        spec: {
          replicas: 0,
          selector: { matchLabels: { a: "1", b: "2" } },
          template: { metadata: {}, spec: { containers: [{ name: "c", image: "nginx", resources: {} }] } },
          strategy: {},
        },
        status: {},
      },
    },
    {
      name: "quantities in either JSON form",
      type: "core.v1.ResourceRequirements",
      value: { limits: { memory: "1024Mi", cpu: 0.5 }, requests: { cpu: " 2 ", pods: null } },
      want: { limits: { cpu: "500m", memory: "1Gi" }, requests: { cpu: "2", pods: "0" } },
    },
    {
      name: "numbers and texts of IntOrString",
      type: "apps.v1.RollingUpdateDeployment",
      value: { maxUnavailable: "25%", maxSurge: 0 },
      want: { maxUnavailable: "25%", maxSurge: 0 },
    },
    {
      name: "times into UTC",
      type: "meta.v1.ObjectMeta",
      value: { creationTimestamp: "2026-01-01T01:00:00.5+01:00", generation: -0 },
      want: { creationTimestamp: "2026-01-01T00:00:00Z" },
    },
    {
      name: "base64 with line breaks",
      type: "core.v1.Secret",
      value: { data: { a: "YW\nJj", b: "", c: null } },
      want: { metadata: {}, data: { a: "YWJj", b: "", c: "" } },
    },
    {
      name: "nulls in lists into zeros",
      type: "core.v1.Container",
      value: { name: "c", args: ["a", null], env: [null] },
      want: { name: "c", args: ["a", ""], env: [{ name: "" }], resources: {} },
    },
    {
      name: "members of an inlined type",
      type: "core.v1.Volume",
      value: { emptyDir: {}, name: "v" },
      want: { name: "v", emptyDir: {} },
    },
    {
      name: "free-form values without a look",
      type: "meta.v1.ManagedFieldsEntry",
      value: { fieldsV1: { "f:spec": { ".": {} } }, manager: "m" },
      want: { manager: "m", fieldsV1: { "f:spec": { ".": {} } } },
    },
    {
      name: "lists of texts behind a map",
      type: "authorization.v1.SubjectAccessReviewSpec",
      value: { extra: { a: ["x", "y"] } },
      want: { extra: { a: ["x", "y"] } },
    },
    {
      name: "schemas that may be something else",
      type: "apiextensions.v1.JSONSchemaProps",
      value: {
        additionalProperties: false,
        items: [{ type: "string", default: { a: null } }],
        properties: { x: { additionalProperties: { type: "integer", maximum: 1.5 } } },
      },
      want: {
        additionalProperties: false,
        items: [{ type: "string", default: { a: null } }],
        properties: { x: { additionalProperties: { type: "integer", maximum: 1.5 } } },
      },
    },
    {
      name: "our own fields",
      type: "apps.v1.ReplicaSetSpec",
      value: { selector: {}, downscalePodPicker: { http: { port: "web", host: "picker" }, maxRetries: 0 } },
      want: {
        selector: {},
        template: { metadata: {}, spec: { containers: [] } },
        downscalePodPicker: { http: { host: "picker", port: "web" }, maxRetries: 0 },
      },
    },
  ])("$name", ({ type, value, want }) => {
    const { object, unknownFields } = decoded(type, value);
    expect(unknownFields).toEqual([]);
    expect(object).toEqual(want);
    expect(decoded(type, object).object).toEqual(object);
  });

  test("the same object to the same bytes, however its members are ordered", () => {
    const one = decoded("core.v1.Pod", { metadata: { name: "a", labels: { x: "1", y: "2" } }, kind: "Pod" });
    const other = decoded("core.v1.Pod", {
      kind: "Pod",
      metadata: { labels: { y: "2", x: "1" }, name: "a" },
    });
    expect(JSON.stringify(one.object)).toBe(JSON.stringify(other.object));
  });
});

describe("decodeObject names unknown fields", () => {
  test.for<{ name: string; value: Json; want: readonly string[] }>([
    { name: "at the top", value: { foo: 1 }, want: ['unknown field "foo"'] },
    {
      name: "deep down, in order",
      value: { spec: { template: { spec: { containers: [{}, { foo: 1, Image: "x" }] } }, foo: null } },
      want: [
        'unknown field "spec.template.spec.containers[1].foo"',
        'unknown field "spec.template.spec.containers[1].Image"',
        'unknown field "spec.foo"',
      ],
    },
    { name: "in another case", value: { metadata: { Name: "x" } }, want: ['unknown field "metadata.Name"'] },
    {
      name: "that an object inherits",
      value: { spec: { constructor: {}, toString: 1 } },
      want: ['unknown field "spec.constructor"', 'unknown field "spec.toString"'],
    },
    {
      name: "of the protobuf form only",
      value: { spec: { template: { spec: { volumes: [{ volumeSource: {} }] } } } },
      want: ['unknown field "spec.template.spec.volumes[0].volumeSource"'],
    },
  ])("$name", ({ value, want }) => {
    expect(decoded("apps.v1.Deployment", value).unknownFields).toEqual(want);
  });

  test("a hundred of them at most", () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`f${index}`, 1]));
    expect(decoded("core.v1.Pod", many).unknownFields).toHaveLength(100);
  });

  test("__proto__ among them, which changes no prototype", () => {
    const parsed = parseJson(
      '{"__proto__":{"polluted":1},"metadata":{"__proto__":null,"annotations":{"__proto__":"x"}}}',
    );
    const { object, unknownFields } = decoded("core.v1.ConfigMap", parsed.ok ? parsed.value : null);
    expect(unknownFields).toEqual(['unknown field "__proto__"', 'unknown field "metadata.__proto__"']);
    expect(JSON.stringify(object)).toBe('{"metadata":{"annotations":{"__proto__":"x"}}}');
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});

describe("decodeObject refuses", () => {
  const inDeployment = (spec: Json): Json => ({ metadata: { name: "d" }, spec });
  test.for<{ name: string; value: Json; want: string }>([
    {
      name: "a text for an object",
      value: "x",
      want: "json: cannot unmarshal string into Go value of type v1.Deployment",
    },
    {
      name: "null for an object",
      value: null,
      want: "json: cannot unmarshal null into Go value of type v1.Deployment",
    },
    {
      name: "a text for a number",
      value: inDeployment({ replicas: "3" }),
      want: "json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32",
    },
    {
      name: "a fraction for an integer",
      value: inDeployment({ replicas: 1.5 }),
      want: "json: cannot unmarshal number 1.5 into Go struct field DeploymentSpec.spec.replicas of type int32",
    },
    {
      name: "an integer beyond int32",
      value: inDeployment({ replicas: 2_147_483_648 }),
      want: "json: cannot unmarshal number 2147483648 into Go struct field DeploymentSpec.spec.replicas of type int32",
    },
    {
      name: "an integer no number can hold",
      value: { metadata: { generation: 2 ** 53 } },
      want: "metadata.generation: number 9007199254740992: integers beyond ±9007199254740991 are not supported",
    },
    {
      name: "a number for a text",
      value: inDeployment({ template: { spec: { containers: [{ env: [{ value: 1 }] }] } } }),
      want: "json: cannot unmarshal number into Go struct field EnvVar.spec.template.spec.containers.env.value of type string",
    },
    {
      name: "an object for a list",
      value: inDeployment({ template: { spec: { containers: {} } } }),
      want: "json: cannot unmarshal object into Go struct field PodSpec.spec.template.spec.containers of type []v1.Container",
    },
    {
      name: "a list for an object",
      value: { spec: [] },
      want: "json: cannot unmarshal array into Go struct field Deployment.spec of type v1.DeploymentSpec",
    },
    {
      name: "a list for a map",
      value: { metadata: { labels: [] } },
      want: "json: cannot unmarshal array into Go struct field ObjectMeta.metadata.labels of type map[string]string",
    },
    {
      name: "a number in a map of texts",
      value: { metadata: { labels: { a: 1 } } },
      want: "json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string",
    },
    {
      name: "a text for a boolean",
      value: inDeployment({ paused: "true" }),
      want: "json: cannot unmarshal string into Go struct field DeploymentSpec.spec.paused of type bool",
    },
    {
      name: "a boolean for IntOrString",
      value: inDeployment({ strategy: { rollingUpdate: { maxSurge: true } } }),
      want: "json: cannot unmarshal bool into Go struct field RollingUpdateDeployment.spec.strategy.rollingUpdate.maxSurge of type int32",
    },
    {
      name: "a bad quantity",
      value: inDeployment({ template: { spec: { containers: [{ resources: { limits: { cpu: "1x" } } }] } } }),
      want: "spec.template.spec.containers[0].resources.limits.cpu: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    },
    {
      name: "a bad time",
      value: { metadata: { creationTimestamp: "today" } },
      want: 'metadata.creationTimestamp: parsing time "today" as "2006-01-02T15:04:05Z07:00"',
    },
    {
      name: "what comes first of several",
      value: { metadata: { name: 1, labels: 2 }, spec: 3 },
      want: "json: cannot unmarshal number into Go struct field ObjectMeta.metadata.name of type string",
    },
  ])("$name", ({ value, want }) => {
    expect(decodeObject("apps.v1.Deployment", value)).toEqual({ ok: false, error: want });
  });

  test.for<{ type: string; value: Json; want: string }>([
    { type: "core.v1.Secret", value: { data: { a: "x" } }, want: "data.a: illegal base64 data" },
    {
      type: "core.v1.Secret",
      value: { data: { a: 1 } },
      want: "json: cannot unmarshal number into Go struct field Secret.data of type []uint8",
    },
    {
      type: "coordination.v1.Lease",
      value: { spec: { renewTime: "2026-01-01T00:00:00Z" } },
      want: 'spec.renewTime: parsing time "2026-01-01T00:00:00Z" as "2006-01-02T15:04:05.000000Z07:00"',
    },
    { type: "core.v1.Nope", value: {}, want: 'no type "core.v1.Nope" in the schema' },
  ])("$value as $type", ({ type, value, want }) => {
    expect(decodeObject(type, value)).toEqual({ ok: false, error: want });
  });

  test("nesting that parses nowhere", () => {
    let value: Json = {};
    for (let depth = 0; depth < 10_000; depth++) value = { not: value };
    expect(decodeObject("apiextensions.v1.JSONSchemaProps", value)).toEqual({
      ok: false,
      error: "exceeded max depth",
    });
  });
});

describe("a known object", () => {
  const first = decodeObject("core.v1.Pod", {
    metadata: { name: "a", labels: { app: "web" } },
    spec: { containers: [{ name: "one" }, { name: "two" }] },
  });
  const known = first.ok ? first.object : {};
  const spec = known["spec"] as { readonly containers: readonly Json[] };

  test("is the answer itself when nothing differs, however it was copied", () => {
    expect(decodeObject("core.v1.Pod", structuredClone(known), known)).toMatchObject({ ok: true });
    const decoded = decodeObject("core.v1.Pod", structuredClone(known), known);
    expect(decoded.ok && decoded.object).toBe(known);
  });

  test("lends the parts that are still the same, and only those", () => {
    const [one, two] = spec.containers;
    const value = { ...known, spec: { ...spec, containers: [one ?? {}, { name: "three" }], hostname: "h" } };
    const decoded = decodeObject("core.v1.Pod", value, known);
    const next = decoded.ok ? (decoded.object as typeof known & { spec: typeof spec }) : undefined;
    expect(next?.["metadata"]).toBe(known["metadata"]);
    expect(next?.spec.containers[0]).toBe(one);
    expect(next?.spec.containers[1]).not.toBe(two);
    expect(next?.spec).toMatchObject({ hostname: "h", containers: [{ name: "one" }, { name: "three" }] });
  });

  test("excuses nothing that is new", () => {
    const value = { ...known, spec: { ...spec, containers: "none" } };
    expect(decodeObject("core.v1.Pod", value, known)).toMatchObject({ ok: false });
  });
});
