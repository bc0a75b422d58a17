import { describe, expect, test } from "vitest";
import { defaultFeatureGates } from "../../../api/feature-gates.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../api/json.ts";
import { VirtualClock } from "../../../machinery/clock/virtual-clock.ts";
import { startHttpsTestApiServer } from "../http/https-fixture.contract.ts";
import { serveBuiltInKinds } from "../kinds/serve-built-in-kinds.ts";
import { createOpenApi } from "./openapi.ts";

const resources = serveBuiltInKinds().flatMap(({ versions }) => versions);
const openApi = createOpenApi({ resources: () => resources, clock: new VirtualClock() });
const swagger = JSON.parse(
  Buffer.from((await openApi.swagger(defaultFeatureGates)).body).toString(),
) as JsonObject;
const { paths, definitions } = swagger as { readonly paths: JsonObject; readonly definitions: JsonObject };

/** Every value in a document that has this key, but for the properties that are so called. */
function valuesOf(key: string, value: Json | undefined, parent = ""): readonly Json[] {
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap((each) => valuesOf(key, each));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member = null]) => [
    ...(name === key && parent !== "properties" ? [member] : []),
    ...valuesOf(key, member, name),
  ]);
}

describe("OpenAPI version 2, for older generators", () => {
  test("has every path of version 3", async () => {
    const { paths: index } = JSON.parse((await openApi.index(defaultFeatureGates)).body) as {
      paths: JsonObject;
    };
    const documents = Object.keys(index).map(
      (path) => openApi.document(path, defaultFeatureGates)?.body ?? "{}",
    );
    const wanted = documents.flatMap((body) =>
      Object.keys((JSON.parse(body) as { paths: JsonObject }).paths),
    );
    expect(Object.keys(paths).toSorted()).toEqual(wanted.toSorted());
  });

  test("refers to nothing it does not contain", () => {
    const known = new Set<Json>(Object.keys(definitions).map((name) => `#/definitions/${name}`));
    const references = valuesOf("$ref", swagger);
    expect(references.length).toBeGreaterThan(1000);
    expect(references.filter((reference) => !known.has(reference))).toEqual([]);
  });

  test.for(["allOf", "oneOf", "requestBody", "content", "components", "openapi"])(
    "has no %s, which only version 3 knows",
    (key) => {
      expect(valuesOf(key, swagger)).toEqual([]);
    },
  );

  test("describes an operation with its body as a parameter", () => {
    expect(paths["/apis/apps/v1/namespaces/{namespace}/deployments"]).toMatchObject({
      parameters: [{ name: "namespace", in: "path", required: true, type: "string" }],
      post: {
        consumes: ["application/json", "application/yaml"],
        parameters: expect.arrayContaining([
          { name: "dryRun", in: "query", type: "string", uniqueItems: true },
          {
            name: "body",
            in: "body",
            required: true,
            schema: { $ref: "#/definitions/io.k8s.api.apps.v1.Deployment" },
          },
        ]),
        responses: { "201": { schema: { $ref: "#/definitions/io.k8s.api.apps.v1.Deployment" } } },
        "x-kubernetes-group-version-kind": { group: "apps", version: "v1", kind: "Deployment" },
      },
    });
  });

  test("asks for no body where one is optional", () => {
    const { delete: removal } = paths["/api/v1/nodes/{name}"] as { readonly delete: JsonObject };
    const body = (removal["parameters"] as readonly JsonObject[]).find((each) => each["in"] === "body");
    expect(body?.["required"]).toBeUndefined();
  });

  test("describes types with their merge keys, and one type for what may be a number or a name", () => {
    expect(definitions["io.k8s.apimachinery.pkg.util.intstr.IntOrString"]).toMatchObject({
      type: "string",
      format: "int-or-string",
    });
    expect(definitions["io.k8s.api.core.v1.PodSpec"]).toMatchObject({
      properties: {
        containers: {
          type: "array",
          items: { $ref: "#/definitions/io.k8s.api.core.v1.Container" },
          "x-kubernetes-patch-merge-key": "name",
        },
      },
    });
  });
});

test.for([
  { name: "JSON for a generator", accept: "application/json", type: "application/json" },
  { name: "JSON for a browser", accept: "text/html,*/*", type: "application/json" },
  {
    name: "protobuf for kubectl",
    accept: "application/com.github.proto-openapi.spec.v2@v1.0+protobuf",
    type: "application/com.github.proto-openapi.spec.v2.v1.0+protobuf",
  },
])("/openapi/v2 is $name", async ({ accept, type }) => {
  const { call } = await startHttpsTestApiServer();
  const { code, headers, text } = await call("GET /openapi/v2", { headers: { accept } });
  expect({ code, type: headers["content-type"] }).toEqual({ code: 200, type });
  // In protobuf the first field has number 1 (in a byte of 10), and a text of 3 bytes.
  expect(text.startsWith(type === "application/json" ? '{"swagger":"2.0"' : "\n\u00032.0")).toBe(true);
  expect(text).toContain("#/definitions/io.k8s.api.apps.v1.Deployment");
});
