import { Readable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import type { APIService } from "../../../api/generated/apiregistration-v1.ts";
import type { JsonObject } from "../../../api/json.ts";
import { services } from "../../../api/resources.ts";
import type { Draft } from "../../../api/object.ts";
import { ApiError } from "../../../machinery/client/api-error.ts";
import { testCluster } from "../../../testing/test-cluster.ts";
import type {
  ExtensionRequest,
  ExtensionServer,
  ExtensionTransport,
} from "../../apiserver/aggregation/extension-transport.ts";
import { apiServices } from "../../apiserver/aggregation/local-api-service.ts";
import { schemalessKind } from "../../apiserver/schema/schemaless.contract.ts";

const group = "parts.example.com";
const name = `v1.${group}`;
const remote: Draft<APIService> = {
  metadata: { name },
  spec: {
    group,
    version: "v1",
    groupPriorityMinimum: 900,
    versionPriority: 15,
    service: { namespace: "default", name: "extension" },
  },
};
const extension = {
  metadata: {
    name: "extension",
    namespace: "default",
    annotations: { "sim.trimtab.dev/endpoint": "127.0.0.1:8443" },
  },
  spec: { ports: [{ port: 443 }] },
};
const parts = {
  kind: "APIResourceList",
  groupVersion: `${group}/v1`,
  resources: [
    {
      name: "parts",
      singularName: "part",
      namespaced: true,
      kind: "Part",
      verbs: ["get"],
      shortNames: ["pt"],
    },
    { name: "parts/status", singularName: "", namespaced: true, kind: "Part", verbs: ["get"] },
    { kind: "Nameless" },
  ],
};

interface Sent extends ExtensionRequest {
  readonly server: ExtensionServer;
}

/** Answers like an extension API server; `answer` says what, by the path. */
async function start(answer: (path: string) => JsonObject | string = () => "connection refused") {
  const sent: Sent[] = [];
  const transport: ExtensionTransport = {
    async send(server, request) {
      sent.push({ ...request, server });
      const reply = answer(request.path);
      if (typeof reply === "string") return { ok: false, why: reply };
      const code = typeof reply["code"] === "number" ? reply["code"] : 200;
      const headers = { "content-type": "application/json", "x-own": "yes", connection: "close" };
      return { ok: true, code, headers, body: Readable.from([Buffer.from(JSON.stringify(reply))]) };
    },
  };
  const cluster = await testCluster({
    nodes: 0,
    components: ["apiservice-availability", "apiservice-registration"],
    extensionServers: () => transport,
  });
  onTestFinished(() => cluster.stop());
  const { client, clock, server } = cluster;
  await clock.settle();
  const open = server.open("test");
  const read = async (path: string): Promise<JsonObject | string> => {
    const { signal } = new AbortController();
    try {
      const { body } = await open({ method: "GET", path }, signal);
      return JSON.parse(await body.text()) as JsonObject;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return `${error.code} ${error.message}`;
    }
  };
  const condition = async (of = name) =>
    (await client.get(apiServices, { name: of })).status?.conditions?.find(
      ({ type }) => type === "Available",
    );
  return { ...cluster, client, clock, read, condition, sent };
}

test("every group version of this server has an APIService that is available", async () => {
  const { client } = await start();
  const { items } = await client.list(apiServices, {});
  const shown = items.map(({ metadata, spec, status }) => [
    metadata.name,
    spec.groupPriorityMinimum,
    spec.versionPriority,
    status?.conditions?.[0]?.reason,
  ]);
  expect(shown).toContainEqual(["v1.", 18_000, 1, "Local"]);
  expect(shown).toContainEqual(["v1.apps", 17_800, 15, "Local"]);
  expect(shown).toContainEqual(["v2.autoscaling", 17_500, 30, "Local"]);
  expect(items.map(({ metadata }) => metadata.name)).not.toContain("v1.apiregistration.k8s.io");
  // The priority of custom resources: a group of Kubernetes that has it is missing in the list of priorities.
  expect(shown.filter(([, priority]) => priority === 1000)).toEqual([]);
});

test("an APIService without its Service is not available, and its API answers 503", async () => {
  const { client, clock, condition, read } = await start();
  await client.create(apiServices, remote);
  await clock.settle();
  expect(await condition()).toMatchObject({
    status: "False",
    reason: "ServiceNotFound",
    message: 'service/extension in "default" is not present',
  });
  for (const path of [`/apis/${group}/v1`, `/apis/${group}/v1/namespaces/default/parts/a`])
    expect(await read(path)).toMatch(/^503 .*service unavailable\n?$/);
});

test("an extension API server that answers is asked as this server, and its resources are discovered", async () => {
  const { client, clock, condition, read, sent } = await start(() => parts);
  await client.create(services, extension);
  await client.create(apiServices, remote);
  await clock.settle();
  expect(await condition()).toMatchObject({ status: "True", reason: "Passed" });
  expect(sent[0]).toMatchObject({
    path: `/apis/${group}/v1`,
    headers: { "X-Remote-User": "system:kube-aggregator", "X-Remote-Group": ["system:masters"] },
    server: { service: { namespace: "default", name: "extension", port: 443 } },
  });
  const { groups } = (await read("/apis")) as { groups: { name: string }[] };
  expect(groups.map(({ name }) => name).slice(-3)).toEqual(["discovery.k8s.io", group, "metrics.k8s.io"]);
  expect(await read(`/apis/${group}`)).toMatchObject({ preferredVersion: { version: "v1" } });
});

test("a request is passed on with its user, without its credentials", async () => {
  const { client, clock, read, sent } = await start(() => parts);
  await client.create(services, extension);
  await client.create(apiServices, remote);
  await clock.settle();
  const path = `/apis/${group}/v1/namespaces/default/parts/a?x=%2F`;
  expect(await read(path)).toEqual(parts);
  const { headers = {}, path: passed } = sent.at(-1) ?? {};
  expect(passed).toBe(path);
  expect(headers).toMatchObject({
    "X-Remote-User": "admin",
    "X-Remote-Group": ["system:masters", "system:authenticated"],
  });
  expect(headers).not.toHaveProperty("authorization");
  expect(headers).not.toHaveProperty("host");
});

test("a server that fails is not available, its resources stay in discovery, and it comes back", async () => {
  let answer: JsonObject | string = parts;
  const { client, clock, condition, server, read } = await start(() => answer);
  await client.create(services, extension);
  await client.create(apiServices, remote);
  await clock.settle();
  const freshness = () => server.aggregator.discovered().map((each) => [each.isStale, each.resources.length]);
  expect(freshness()).toEqual([[false, 1]]);
  answer = { code: 503 };
  await clock.advance(30_000);
  const url = `https://extension.default.svc:443/apis/${group}/v1`;
  expect(await condition()).toMatchObject({
    status: "False",
    reason: "FailedDiscoveryCheck",
    message: `failing or missing response from ${url}: bad status from ${url}: 503`,
  });
  expect(freshness()).toEqual([[true, 1]]);
  expect(await read(`/apis/${group}/v1`)).toMatch(/^503/);
  answer = parts;
  await clock.advance(5000);
  expect(freshness()).toEqual([[false, 1]]);
  await client.delete(apiServices, { name });
  await clock.settle();
  expect(freshness()).toEqual([]);
  expect(await read(`/apis/${group}/v1`)).toMatch(/^404/);
});

test("versions that custom resource definitions serve have an APIService as long as they are served", async () => {
  const { client, clock, server } = await start();
  const kind = schemalessKind({ group, kind: "Part", plural: "parts" }, ["v1", "v2"]);
  const names = async () =>
    (await client.list(apiServices, {})).items
      .map(({ metadata }) => metadata.name)
      .filter((each) => each.endsWith(group));
  server.kinds.register(kind);
  await clock.settle();
  expect(await names()).toEqual([name, `v2.${group}`]);
  await client.delete(apiServices, { name: `v2.${group}` });
  await clock.settle();
  expect(await names()).toEqual([name, `v2.${group}`]);
  server.kinds.replace({ ...kind, versions: kind.versions.slice(0, 1) });
  await clock.settle();
  expect(await names()).toEqual([name]);
  const stored = await client.get(apiServices, { name });
  expect(stored.spec).toEqual({ group, version: "v1", groupPriorityMinimum: 1000, versionPriority: 100 });
});

test("an APIService that a user made wins over custom resources of the same version", async () => {
  const { client, clock, server, read } = await start(() => ({ kind: "Answered" }));
  await client.create(apiServices, remote);
  await client.create(services, extension);
  server.kinds.register(schemalessKind({ group, kind: "Part", plural: "parts" }));
  await clock.settle();
  expect((await client.get(apiServices, { name })).spec.service).toMatchObject({ name: "extension" });
  expect(await read(`/apis/${group}/v1/namespaces/default/parts`)).toEqual({ kind: "Answered" });
});
