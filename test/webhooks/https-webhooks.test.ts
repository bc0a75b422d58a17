import { expect, test } from "vitest";
import { startWebhookCluster } from "./webhook-cluster.ts";
import { startWebhookServer } from "./webhook-server.ts";

const maps = "/api/v1/namespaces/default/configmaps";
const map = { metadata: { name: "a" }, data: { k: "v" } };
const labels = Buffer.from(JSON.stringify([{ op: "add", path: "/metadata/labels", value: { a: "b" } }]));

test("webhooks are called over HTTPS, on connections that are reused", async () => {
  const server = await startWebhookServer({
    label: () => ({ patchType: "JSONPatch", patch: labels.toString("base64"), warnings: ["labelled"] }),
    check: ({ object }) => ({ allowed: JSON.stringify(object).includes('"a":"b"') }),
  });
  const { send, configure } = await startWebhookCluster();
  expect((await configure("mutating", server.webhookAt("label"))).code).toBe(201);
  expect((await configure("validating", server.webhookAt("check"))).code).toBe(201);
  const { code, body, headers } = await send(`POST ${maps}`, map);
  expect({ code, body }).toMatchObject({ code: 201, body: { metadata: { labels: { a: "b" } } } });
  expect(headers["warning"]).toBe('299 - "labelled"');
  for (let index = 0; index < 5; index++)
    await send(`POST ${maps}`, { ...map, metadata: { name: `b${index}` } });
  expect(server.seen).toHaveLength(12);
  expect(server.connections()).toBeLessThanOrEqual(2);
});

test("a webhook whose certificate is not of the bundle is not called", async () => {
  const server = await startWebhookServer({ ok: () => ({}) });
  const other = await startWebhookServer({}, ["other.example.com"]);
  const { send, configure } = await startWebhookCluster();
  const url = `https://127.0.0.1:${server.port}/ok`;
  await configure("validating", server.webhookAt("ok", { clientConfig: { url, caBundle: other.caBundle } }));
  expect((await send(`POST ${maps}`, map)).body["message"]).toMatch(
    /x509: certificate signed by unknown authority$/,
  );
  await configure("validating", other.webhookAt("ok"));
  expect((await send(`POST ${maps}`, map)).body["message"]).toMatch(
    /x509: certificate is not valid for 127\.0\.0\.1$/,
  );
  expect([...server.seen, ...other.seen]).toEqual([]);
});

test("a bundle may be the certificate of the server itself, and paths are cleaned, as envtest relies on", async () => {
  const server = await startWebhookServer({ check: () => ({ allowed: false }) });
  const { send, configure } = await startWebhookCluster();
  const clientConfig = { url: `https://127.0.0.1:${server.port}//check/`, caBundle: server.ownBundle };
  await configure("validating", server.webhookAt("check", { clientConfig }));
  const { code, body } = await send(`POST ${maps}`, map);
  expect({ code, message: body["message"] }).toEqual({
    code: 400,
    message: 'admission webhook "check.example.com" denied the request without explanation',
  });
});

test("a webhook that is down is named with its address", async () => {
  const server = await startWebhookServer({});
  const { send, configure } = await startWebhookCluster();
  await configure("validating", server.webhookAt("gone"));
  await server.close();
  expect((await send(`POST ${maps}`, map)).body["message"]).toBe(
    `Internal error occurred: failed calling webhook "gone.example.com": failed to call webhook: Post "https://127.0.0.1:${server.port}/gone?timeout=10s": dial tcp 127.0.0.1:${server.port}: connect: connection refused`,
  );
});

test.for([
  { url: "https://192.0.2.1/hook", host: "192.0.2.1", allow: [] },
  { url: "https://169.254.169.254/hook", host: "169.254.169.254", allow: ["169.254.0.0/16"] },
  { url: "https://[2001:db8::1]:8443/hook", host: "2001:db8::1", allow: ["10.0.0.0/8"] },
])("$url is not called, and the answer names the flag that would allow it", async ({ url, host, allow }) => {
  const server = await startWebhookServer({});
  const { send, configure } = await startWebhookCluster(allow);
  await configure("validating", server.webhookAt("out", { clientConfig: { url } }));
  const { body } = await send(`POST ${maps}`, map);
  expect(body["message"]).toContain(`--webhook-allow=${host}`);
});

test.for([
  {
    name: "whose annotation names the endpoint",
    service: (port: number) => ({
      metadata: { name: "hook", annotations: { "sim.trimtab.dev/endpoint": `127.0.0.1:${port}` } },
      spec: { ports: [{ port: 443 }] },
    }),
    port: () => 443,
  },
  {
    name: "that is another name of this machine",
    service: () => ({
      metadata: { name: "hook" },
      spec: { type: "ExternalName", externalName: "localhost" },
    }),
    port: (port: number) => port,
  },
])("a webhook is reached by a Service $name, under the name of the Service", async ({ service, port }) => {
  const server = await startWebhookServer({ check: () => ({ allowed: false }) }, ["hook.default.svc"]);
  const { send, configure } = await startWebhookCluster();
  expect((await send("POST /api/v1/namespaces/default/services", service(server.port))).code).toBe(201);
  const clientConfig = {
    service: { namespace: "default", name: "hook", path: "/check", port: port(server.port) },
    caBundle: server.caBundle,
  };
  await configure("validating", server.webhookAt("check", { clientConfig }));
  expect((await send(`POST ${maps}`, map)).body["message"]).toBe(
    'admission webhook "check.example.com" denied the request without explanation',
  );
});

test.for([
  { name: "is not there", service: undefined, want: 'service "hook" not found' },
  {
    name: "has no endpoint",
    service: { metadata: { name: "hook" }, spec: { ports: [{ port: 443 }] } },
    want: 'no endpoints available for service "hook": annotate it with sim.trimtab.dev/endpoint',
  },
  {
    name: "leads to another machine",
    service: {
      metadata: { name: "hook", annotations: { "sim.trimtab.dev/endpoint": "192.0.2.1:443" } },
      spec: { ports: [{ port: 443 }] },
    },
    want: "--webhook-allow=192.0.2.1",
  },
])("a Service that $name fails the call with a sentence", async ({ service, want }) => {
  const server = await startWebhookServer({});
  const { send, configure } = await startWebhookCluster();
  if (service !== undefined) await send("POST /api/v1/namespaces/default/services", service);
  const clientConfig = { service: { namespace: "default", name: "hook" } };
  await configure("validating", server.webhookAt("check", { clientConfig }));
  expect((await send(`POST ${maps}`, map)).body["message"]).toContain(want);
});
