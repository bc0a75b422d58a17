import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import type { JsonObject } from "../../src/api/json.ts";
import { configMaps } from "../../src/api/resources.ts";
import { startEmbeddedCluster } from "../../src/cluster/embedding/start-embedded-cluster.ts";
import { kubeconfigText } from "../../src/cluster/write-kubeconfig.ts";
import { httpsCaller } from "../https-caller.ts";
import { newestKubectl } from "../kubectl/kubectls.ts";
import { eventually } from "../real-cluster/eventually.ts";
import { type Answer, type ExtensionServer, sendJson, startExtensionServer } from "./extension-server.ts";

const group = "parts.example.com";
const parts = `/apis/${group}/v1/namespaces/default/parts`;
const resources = {
  kind: "APIResourceList",
  apiVersion: "v1",
  groupVersion: `${group}/v1`,
  resources: [
    { name: "parts", singularName: "part", namespaced: true, kind: "Part", verbs: ["get", "list", "watch"] },
  ],
};

/** A cluster that listens, and an extension API server that it reaches by a Service. */
async function start(answer: Answer, hosts?: readonly string[]) {
  const cluster = await startEmbeddedCluster({ https: true, nodes: 0 });
  onTestFinished(cluster.stop);
  const caller = httpsCaller(cluster.access);
  onTestFinished(caller.close);
  const send = async (what: string, body?: JsonObject) => {
    const headers = { "content-type": "application/json" };
    const sent = body === undefined ? {} : { body: JSON.stringify(body), headers };
    const { code, text } = await caller.call(what, sent);
    return { code, text, body: text.startsWith("{") ? (JSON.parse(text) as JsonObject) : {} };
  };
  const extension = await startExtensionServer(resources, answer, hosts);
  const config = await send(
    "GET /api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication",
  );
  const data = config.body["data"] as Readonly<Record<string, string>>;
  extension.trust(data["requestheader-client-ca-file"] ?? "");
  await register(send, extension);
  const available = async () => {
    for (;;) {
      const { body } = await send(`GET /apis/apiregistration.k8s.io/v1/apiservices/v1.${group}`);
      const { conditions = [] } = (body["status"] ?? {}) as { readonly conditions?: readonly JsonObject[] };
      const [condition] = conditions;
      if (condition !== undefined) return condition;
    }
  };
  return { ...cluster, caller, send, data, extension, available };
}

type Send = (what: string, body?: JsonObject) => Promise<unknown>;

async function register(send: Send, { port, caBundle }: Pick<ExtensionServer, "port" | "caBundle">) {
  await send("POST /api/v1/namespaces/default/services", {
    metadata: { name: "extension", annotations: { "sim.trimtab.dev/endpoint": `127.0.0.1:${port}` } },
    spec: { ports: [{ port: 443 }] },
  });
  const service = { namespace: "default", name: "extension" };
  await send("POST /apis/apiregistration.k8s.io/v1/apiservices", {
    metadata: { name: `v1.${group}` },
    spec: { group, version: "v1", groupPriorityMinimum: 900, versionPriority: 15, service, caBundle },
  });
}

const userOf = ({ headersDistinct: headers }: IncomingMessage) => ({
  user: headers["x-remote-user"] ?? [],
  groups: headers["x-remote-group"] ?? [],
  extra: headers["x-remote-extra-example.com%2fteam"] ?? [],
  credentials: Object.keys(headers).filter((name) => /^(?:authorization|impersonate-.*)$/.test(name)),
});

test("an extension API server gets requests with the user that asks, and believes this server's certificate", async () => {
  const { caller, available, data } = await start((request, response) => sendJson(response, userOf(request)));
  expect(await available()).toMatchObject({ status: "True", reason: "Passed" });
  expect(Object.keys(data).toSorted()).toEqual([
    "client-ca-file",
    "requestheader-allowed-names",
    "requestheader-client-ca-file",
    "requestheader-extra-headers-prefix",
    "requestheader-group-headers",
    "requestheader-uid-headers",
    "requestheader-username-headers",
  ]);
  const headers = {
    "impersonate-user": "mia",
    "impersonate-group": "system:masters",
    "impersonate-extra-example.com%2Fteam": "red",
    "x-remote-user": "forged",
  };
  const { code, text } = await caller.call(`GET ${parts}/a`, { headers });
  expect({ code, body: JSON.parse(text) as unknown }).toEqual({
    code: 200,
    body: {
      user: ["mia"],
      groups: ["system:masters", "system:authenticated"],
      extra: ["red"],
      credentials: [],
    },
  });
  // RBAC decides here, before anything is passed on.
  const refused = await caller.call(`GET ${parts}/a`, { headers: { "impersonate-user": "tim" } });
  expect({ code: refused.code, text: refused.text }).toMatchObject({
    code: 403,
    text: expect.stringContaining('User \\"tim\\" cannot get resource \\"parts\\"') as string,
  });
});

test("bodies, status codes and watches pass as they come, and a watch ends when its client goes", async () => {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const { caller, available, send } = await start((request, response) => {
    if (request.url?.includes("watch=true") === true) {
      response.on("close", end);
      response.write('{"type":"ADDED","object":{"n":1}}\n');
      return;
    }
    void text(request).then((body) => sendJson(response, { method: request.method ?? "", body }, 201));
  });
  await available();
  const created = await send(`POST ${parts}`, { metadata: { name: "a" } });
  expect(created).toMatchObject({ code: 201, body: { method: "POST", body: '{"metadata":{"name":"a"}}' } });
  const watch = await caller.open(`GET ${parts}?watch=true`);
  expect(await caller.lines(watch).next()).toMatchObject({
    value: '{"type":"ADDED","object":{"n":1}}',
  });
  watch.destroy();
  await ended;
});

test("its resources are in discovery beside those of this server", async () => {
  const { caller, available, send } = await start((_request, response) => sendJson(response, {}));
  await available();
  const accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
  const { text } = await caller.call("GET /apis", { headers: { accept } });
  const { items } = JSON.parse(text) as { readonly items: readonly JsonObject[] };
  expect(items.find(({ metadata }) => (metadata as JsonObject)["name"] === group)).toEqual({
    metadata: { name: group, creationTimestamp: null },
    versions: [
      {
        version: "v1",
        freshness: "Current",
        resources: [
          {
            resource: "parts",
            responseKind: { group: "", version: "", kind: "Part" },
            scope: "Namespaced",
            singularResource: "part",
            verbs: ["get", "list", "watch"],
          },
        ],
      },
    ],
  });
  expect((await send(`GET /apis/${group}/v1`)).body).toEqual(resources);
});

test("kubectl explains its kinds by the OpenAPI document that it has", async () => {
  const part = {
    type: "object",
    description: "A part of a machine.",
    properties: { size: { type: "integer" } },
  };
  const own = `apis/${group}/v1`;
  const kind = { group, version: "v1", kind: "Part" };
  const document = {
    openapi: "3.0.0",
    info: { title: "parts", version: "1" },
    paths: {
      [`/${own}/namespaces/{namespace}/parts`]: {
        get: { "x-kubernetes-action": "list", "x-kubernetes-group-version-kind": kind, responses: {} },
      },
    },
    components: {
      schemas: {
        "com.example.parts.v1.Part": { ...part, "x-kubernetes-group-version-kind": [kind] },
      },
    },
  };
  const { available, access, caller } = await start((request, response) =>
    request.url === "/openapi/v3"
      ? sendJson(response, { paths: { [own]: { serverRelativeURL: `/openapi/v3/${own}?hash=A` } } })
      : sendJson(response, request.url?.startsWith("/openapi/v3/") === true ? document : {}),
  );
  await available();
  // The document is read right after the condition was written.
  await eventually("the document is among ours", async () => {
    const { text: index } = await caller.call("GET /openapi/v3");
    return index.includes(own) || undefined;
  });
  const folder = temporaryFolder();
  const kubeconfig = path.join(folder, "kubeconfig");
  writeFileSync(kubeconfig, kubeconfigText(access));
  const env = { ...process.env, KUBECONFIG: kubeconfig, HOME: folder };
  for (const { program } of newestKubectl()) {
    const { stdout } = await promisify(execFile)(program, ["explain", "parts"], { env });
    expect(stdout).toMatch(
      /^GROUP: +parts\.example\.com\nKIND: +Part\n[^]*A part of a machine\.[^]*size\t<integer>/,
    );
  }
});

test.for([
  {
    name: "redirects",
    answer: ((_request, response) =>
      response.writeHead(302, { location: "https://example.com" }).end()) satisfies Answer,
    code: 502,
    says: /^the backend attempted to redirect this request, which is not permitted$/,
  },
  {
    name: "closes the connection",
    answer: ((request) => request.socket.destroy()) satisfies Answer,
    code: 503,
    says: /^error trying to reach service: EOF\n$/,
  },
])("one that $name is told apart from an error of this server", async ({ answer, code, says }) => {
  const { available, send } = await start(answer);
  await available();
  const answered = await send(`GET ${parts}/a`);
  expect(answered).toMatchObject({ code, text: expect.stringMatching(says) as string });
});

test("one whose certificate is another Service's is not available", async () => {
  const { available, send } = await start(
    (_request, response) => sendJson(response, {}),
    ["other.default.svc"],
  );
  expect(await available()).toMatchObject({
    status: "False",
    reason: "FailedDiscoveryCheck",
    message: expect.stringContaining(
      "tls: failed to verify certificate: x509: certificate is not valid for extension.default.svc",
    ) as string,
  });
  expect(await send(`GET ${parts}`)).toMatchObject({ code: 503, text: "service unavailable\n" });
});

test("a request for another protocol is refused with a sentence", async () => {
  const { caller, available } = await start((_request, response) => sendJson(response, {}));
  await available();
  const headers = { connection: "Upgrade", upgrade: "SPDY/3.1" };
  const { code, text } = await caller.call(`POST ${parts}/a/exec`, { headers });
  expect({ code, text }).toMatchObject({
    code: 501,
    text: expect.stringContaining("that ask for another protocol are not supported") as string,
  });
});

function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "trimtab-extension-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("a cluster that is kept has a new authority after a restart, and tells it", async () => {
  const dataDir = temporaryFolder();
  const name = { namespace: "kube-system", name: "extension-apiserver-authentication" };
  const authority = async () => {
    const cluster = await startEmbeddedCluster({ https: true, nodes: 0, dataDir });
    const { data = {} } = await cluster.client.get(configMaps, name);
    await cluster.stop();
    return data["requestheader-client-ca-file"];
  };
  const [first, second] = [await authority(), await authority()];
  expect(first).toMatch(/^-----BEGIN CERTIFICATE-----/);
  expect(second).toMatch(/^-----BEGIN CERTIFICATE-----/);
  expect(second).not.toBe(first);
});
