import { Readable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import type { JsonObject } from "../../../api/json.ts";
import { services } from "../../../api/resources.ts";
import { testCluster } from "../../../testing/test-cluster.ts";
import type { ExtensionTransport } from "../../apiserver/aggregation/extension-transport.ts";
import { apiServices } from "../../apiserver/aggregation/local-api-service.ts";

const group = "parts.example.com";
const own = `apis/${group}/v1`;
const source = (hash: string) => `/openapi/v3/${own}?hash=${hash}`;
const path = `/apis/${group}/v1/namespaces/{namespace}/parts`;
const partType = "com.example.parts.v1.Part";

const documentOf = (description: string, change: JsonObject = {}): JsonObject => ({
  openapi: "3.0.0",
  info: { title: "Parts", version: "v1" },
  paths: {
    [path]: { get: { operationId: "listParts", responses: {} } },
    "/apis/apps/v1/deployments": { get: { operationId: "forged", responses: {} } },
  },
  components: {
    schemas: {
      [partType]: { type: "object", description, properties: { size: { type: "integer" } } },
      "io.k8s.api.apps.v1.Deployment": { type: "object", description: "forged" },
    },
  },
  ...change,
});

/** Starts a cluster with an extension API server that answers these paths; others are not found. */
async function start(answers: Readonly<Record<string, JsonObject>>) {
  const served = new Map(Object.entries(answers));
  const asked: string[] = [];
  const transport: ExtensionTransport = {
    async send(_server, request) {
      asked.push(request.path);
      const found = request.path === `/${own}` ? { resources: [] } : served.get(request.path);
      const body = Readable.from([Buffer.from(JSON.stringify(found ?? {}))]);
      return { ok: true, code: found === undefined ? 404 : 200, headers: {}, body };
    },
  };
  const cluster = await testCluster({
    nodes: 0,
    components: ["apiservice-availability"],
    extensionServers: () => transport,
  });
  onTestFinished(() => cluster.stop());
  const { client, clock, server } = cluster;
  await client.create(services, {
    metadata: {
      name: "extension",
      namespace: "default",
      annotations: { "sim.trimtab.dev/endpoint": "127.0.0.1:8443" },
    },
    spec: { ports: [{ port: 443 }] },
  });
  await client.create(apiServices, {
    metadata: { name: `v1.${group}` },
    spec: {
      group,
      version: "v1",
      groupPriorityMinimum: 900,
      versionPriority: 15,
      service: { namespace: "default", name: "extension" },
    },
  });
  await clock.settle();
  const open = server.open("test");
  const read = async (of: string) => {
    const { body } = await open({ method: "GET", path: of }, new AbortController().signal);
    return JSON.parse(await body.text()) as JsonObject;
  };
  return {
    client,
    clock,
    read,
    served,
    asked,
    /** The URL of its document in our index, if there is one. */
    indexed: async () => {
      const { paths } = (await read("/openapi/v3")) as {
        paths: Record<string, { serverRelativeURL: string }>;
      };
      return paths[own]?.serverRelativeURL;
    },
  };
}

const index = (hash: string): JsonObject => ({ paths: { [own]: { serverRelativeURL: source(hash) } } });

test("the OpenAPI document of an extension API server is among ours, without what is not its own", async () => {
  const { read, indexed } = await start({
    "/openapi/v3": index("A"),
    [source("A")]: documentOf("a part"),
  });
  const url = await indexed();
  expect(url).toMatch(new RegExp(`^/openapi/v3/${own}\\?hash=[0-9A-F]{8,}$`));
  const document = await read(url ?? "");
  expect(Object.keys(document["paths"] as JsonObject)).toEqual([path]);
  const { paths, definitions } = (await read("/openapi/v2")) as {
    paths: JsonObject;
    definitions: Record<string, JsonObject>;
  };
  expect(paths[path]).toMatchObject({ get: { operationId: "listParts" } });
  expect(JSON.stringify(paths["/apis/apps/v1/deployments"])).not.toContain("forged");
  expect(definitions[partType]).toMatchObject({ description: "a part" });
  expect(definitions["io.k8s.api.apps.v1.Deployment"]?.["description"]).not.toBe("forged");
});

test("a document is read again when the index names another one, and gone with its APIService", async () => {
  const { client, clock, read, served, asked, indexed } = await start({
    "/openapi/v3": index("A"),
    [source("A")]: documentOf("a part"),
  });
  const before = await indexed();
  await clock.advance(30_000);
  expect(await indexed()).toBe(before);
  expect(asked.filter((each) => each === source("A"))).toHaveLength(1);
  served.set("/openapi/v3", index("B")).set(source("B"), documentOf("another part"));
  await clock.advance(30_000);
  const after = await indexed();
  expect(after).not.toBe(before);
  expect(JSON.stringify(await read(after ?? ""))).toContain("another part");
  await client.delete(apiServices, { name: `v1.${group}` });
  await clock.settle();
  expect(await indexed()).toBeUndefined();
});

const nested = (levels: number): JsonObject => (levels === 0 ? {} : { items: nested(levels - 1) });

test.for<{ name: string; answers: Readonly<Record<string, JsonObject>> }>([
  { name: "without OpenAPI", answers: {} },
  { name: "without its version in the index", answers: { "/openapi/v3": { paths: {} } } },
  { name: "whose index is a text", answers: { "/openapi/v3": { paths: "none" } } },
  {
    name: "whose document is elsewhere",
    answers: { "/openapi/v3": { paths: { [own]: { serverRelativeURL: "//example.com/openapi" } } } },
  },
  {
    name: "whose document is deep",
    answers: {
      "/openapi/v3": index("A"),
      [source("A")]: documentOf("deep", { components: { schemas: { [partType]: nested(2000) } } }),
    },
  },
])(
  "an extension API server $name is available, and leaves our documents as they are",
  async ({ answers }) => {
    const { client, indexed, read } = await start(answers);
    const { status } = await client.get(apiServices, { name: `v1.${group}` });
    expect(status?.conditions).toMatchObject([{ type: "Available", status: "True" }]);
    expect(await indexed()).toBeUndefined();
    expect(await read("/openapi/v2")).toMatchObject({ swagger: "2.0" });
  },
);

test("members that are something else than they should be break no document of ours", async () => {
  const { read } = await start({
    "/openapi/v3": index("A"),
    [source("A")]: documentOf("odd", {
      info: "odd",
      paths: {
        [path]: { get: { parameters: [1, null], responses: { 200: [] }, requestBody: 1 }, put: "no" },
      },
      components: {
        schemas: { [partType]: { type: 1, properties: [], allOf: [null], required: {} }, b: [], c: null },
      },
    }),
  });
  expect(await read("/openapi/v2")).toMatchObject({ swagger: "2.0" });
});
