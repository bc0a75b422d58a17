import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { JsonObject } from "../../../../api/json.ts";
import { podOf, startTestApiServer, type TestApiServer } from "../../api-server-fixture.contract.ts";
import { startHttpsTestApiServer } from "../../http/https-fixture.contract.ts";

const pods = "/api/v1/namespaces/default/pods";
const services = "/api/v1/namespaces/default/services";

test.for(["exec", "attach", "portforward"])(
  "%s is refused with a sentence that says what is simulated",
  async (name) => {
    const { request, call } = await startHttpsTestApiServer();
    await request(`POST ${pods}`, podOf("web"));
    const message = expect.stringContaining("trimtab simulates containers and does not run them");
    for (const verb of ["GET", "POST"])
      expect(await request(`${verb} ${pods}/web/${name}`)).toMatchObject({
        code: 501,
        body: { kind: "Status", reason: "NotImplemented", message },
      });
    expect((await request(`GET ${pods}/gone/${name}`)).code).toBe(404);
    // kubectl asks for a WebSocket first and then for SPDY.
    for (const protocol of ["websocket", "SPDY/3.1"]) {
      const headers = { connection: "Upgrade", upgrade: protocol };
      const answer = await call(`POST ${pods}/web/${name}?command=ls`, { headers });
      expect(answer.code).toBe(501);
      expect(JSON.parse(answer.text)).toMatchObject({ kind: "Status", message });
    }
  },
);

test("a container that is not there is told before that nothing is executed in any", async () => {
  const { request } = await startTestApiServer();
  await request(`POST ${pods}`, podOf("web"));
  expect(await request(`POST ${pods}/web/exec?container=other`)).toMatchObject({
    code: 400,
    body: { message: "container other is not valid for pod web" },
  });
});

const merge = "application/merge-patch+json";
const strategic = "application/strategic-merge-patch+json";

test("ephemeral containers are added through their subresource alone, and stay as they are", async () => {
  const { request } = await startTestApiServer();
  await request(`POST ${pods}`, podOf("web"));
  const add = (container: JsonObject, sub = "/ephemeralcontainers") =>
    request(`PATCH ${pods}/web${sub}`, { spec: { ephemeralContainers: [container] } }, strategic);
  const debug = { name: "debug", image: "busybox" };
  expect((await add(debug, "")).code).toBe(422);
  expect(await add(debug)).toMatchObject({
    code: 200,
    body: {
      metadata: { generation: 2 },
      spec: { ephemeralContainers: [debug], containers: [{ name: "app" }] },
    },
  });
  expect((await add({ name: "second", image: "busybox" })).code).toBe(200);
  expect((await request(`GET ${pods}/web/ephemeralcontainers`)).body).toMatchObject({
    spec: { ephemeralContainers: [{ name: "second" }, { name: "debug" }] },
  });
  const replace = (ephemeralContainers: readonly JsonObject[]) =>
    request(`PATCH ${pods}/web/ephemeralcontainers`, { spec: { ephemeralContainers } }, merge);
  expect((await replace([{ ...debug, image: "other" }])).body["message"]).toContain(
    'existing ephemeral containers "debug" may not be changed',
  );
  expect((await replace([debug])).body["message"]).toContain(
    'existing ephemeral containers "second" may not be removed',
  );
  // What else a client changes is not looked at.
  await request(`PATCH ${pods}/web/ephemeralcontainers`, { spec: { nodeName: "n1" } }, merge);
  expect((await request(`GET ${pods}/web`)).body["spec"]).not.toHaveProperty("nodeName");
});

test("a resize changes CPU and memory, within the class of the Pod", async () => {
  const { request } = await startTestApiServer();
  const resources = (cpu: string, other: JsonObject = {}) => ({ requests: { cpu, ...other } });
  const container = (rest: JsonObject) => ({ name: "app", image: "registry.example/app:1", ...rest });
  await request(`POST ${pods}`, podOf("web", { containers: [container({ resources: resources("1") })] }));
  const resize = (change: JsonObject) =>
    request(`PATCH ${pods}/web/resize`, { spec: { containers: [{ name: "app", ...change }] } }, strategic);
  expect(await resize({ resources: resources("2"), image: "ignored" })).toMatchObject({
    code: 200,
    body: { spec: { containers: [{ image: "registry.example/app:1", resources: resources("2") }] } },
  });
  expect(
    (await resize({ resources: resources("2", { "ephemeral-storage": "1Gi" }) })).body["message"],
  ).toContain("only cpu and memory resources are mutable");
  expect((await resize({ resources: { $patch: "replace" } })).body["message"]).toContain(
    "Pod QOS Class may not change as a result of resizing",
  );
});

/** A Pod that runs and is ready. */
async function runPod({ request }: TestApiServer, name: string, pod: JsonObject = {}) {
  const { body } = await request(`POST ${pods}`, {
    ...podOf(name),
    ...pod,
    metadata: { name, labels: { app: "web" }, ...(pod["metadata"] as JsonObject) },
  });
  const conditions = [{ type: "Ready", status: "True" }];
  await request(`PUT ${pods}/${name}/status`, { ...body, status: { phase: "Running", conditions } });
}

const hostnames = { spec: { containers: [{ name: "app", image: "agnhost:2", args: ["serve-hostname"] }] } };
const saying = (annotation: string, value: string) => ({
  metadata: { annotations: { [`sim.trimtab.dev/${annotation}`]: value } },
});

test("a Pod answers through its proxy with its name, or as its annotation says", async () => {
  const fixture = await startTestApiServer();
  await runPod(fixture, "a", hostnames);
  await runPod(fixture, "b", saying("response", "hello"));
  await runPod(fixture, "c");
  const { request } = fixture;
  expect(await request(`GET ${pods}/a/proxy`)).toMatchObject({ code: 200, body: { text: "a" } });
  expect(await request(`GET ${pods}/http:b:80/proxy/some/path?x=1`)).toMatchObject({
    body: { text: "hello" },
  });
  expect(await request(`GET ${pods}/c/proxy/`)).toMatchObject({ code: 503 });
  expect(await request(`GET ${pods}/d/proxy/`)).toMatchObject({ code: 404 });
  await request(`POST ${pods}`, podOf("waiting"));
  expect(await request(`GET ${pods}/waiting/proxy/`)).toMatchObject({ code: 503 });
  await request("POST /api/v1/nodes", { metadata: { name: "n1" } });
  expect(await request("GET /api/v1/nodes/n1/proxy/pods")).toMatchObject({ code: 501 });
});

test("a Service answers through its proxy as the first of its ready Pods does", async () => {
  const fixture = await startTestApiServer();
  const { request } = fixture;
  await request(`POST ${services}`, {
    metadata: { name: "web" },
    spec: { selector: { app: "web" }, ports: [{ name: "http", port: 80 }] },
  });
  expect(await request(`GET ${services}/web/proxy/`)).toMatchObject({
    code: 503,
    body: { message: 'no endpoints available for service "web"' },
  });
  await runPod(fixture, "a", hostnames);
  for (const name of ["web", "web:http", "web:80", "http:web:80"])
    expect(await request(`GET ${services}/${name}/proxy/`)).toMatchObject({ code: 200, body: { text: "a" } });
  expect(await request(`GET ${services}/web:90/proxy/`)).toMatchObject({ code: 503 });
});

test("a program on this machine can answer for a Pod; it gets no credentials", async () => {
  const seen: unknown[] = [];
  const program = createServer((request, response) => {
    seen.push([request.method, request.url, request.headers.authorization]);
    response.writeHead(418, { "Content-Type": "application/json" }).end('{"made":"here"}');
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void program.close());
  await new Promise((resolve) => program.once("listening", resolve));
  const { port } = program.address() as AddressInfo;
  const fixture = await startHttpsTestApiServer();
  await runPod(fixture, "web", saying("endpoint", `127.0.0.1:${port}`));
  const answer = await fixture.call(`POST ${pods}/web/proxy/tea%20pot?x=1`, { body: "leaves" });
  expect(answer).toMatchObject({
    code: 418,
    text: '{"made":"here"}',
    headers: { "content-type": "application/json" },
  });
  expect(seen).toEqual([["POST", "/tea%20pot?x=1", undefined]]);
});

test.for(["10.0.0.1:80", "example.com:80", "127.0.0.1", "127.0.0.1:0", "localhost:99999"])(
  "what is no loopback address is not dialled: %s",
  async (address) => {
    const fixture = await startTestApiServer();
    await runPod(fixture, "web", saying("endpoint", address));
    expect(await fixture.request(`GET ${pods}/web/proxy/`)).toMatchObject({ code: 503 });
  },
);

test("nothing follows a subresource but what is for the other side of a proxy", async () => {
  const { call, request } = await startHttpsTestApiServer();
  await request(`POST ${pods}`, podOf("web"));
  expect((await call(`GET ${pods}/web/status`)).code).toBe(200);
  expect((await call(`GET ${pods}/web/status/more`)).code).toBe(404);
});
