import { expect, test } from "vitest";
import type { JsonObject } from "../../../api/json.ts";
import { podOf, startTestApiServer } from "../api-server-fixture.contract.ts";

const quotas = "/api/v1/namespaces/default/resourcequotas";
const pods = "/api/v1/namespaces/default/pods";
const services = "/api/v1/namespaces/default/services";
const configMaps = "/api/v1/namespaces/default/configmaps";

async function worldWith(...specs: readonly JsonObject[]) {
  const world = await startTestApiServer();
  for (const [index, spec] of specs.entries())
    await world.request(`POST ${quotas}`, { metadata: { name: `quota-${index}` }, spec });
  return world;
}

const podWith = (name: string, resources: JsonObject) =>
  podOf(name, { containers: [{ name: "app", image: "app:1", resources }] });
const refusedBecause = (why: string) => ({ code: 403, body: { reason: "Forbidden", message: why } });

test("a quota is charged with every object, from the first, and refuses the one too many", async () => {
  const { request } = await worldWith({ hard: { pods: "2" } });
  for (const name of ["a", "b"]) expect((await request(`POST ${pods}`, podOf(name))).code).toBe(201);
  expect(await request(`POST ${pods}`, podOf("c"))).toMatchObject(
    refusedBecause(
      'pods "c" is forbidden: exceeded quota: quota-0, requested: pods=1, used: pods=2, limited: pods=2',
    ),
  );
  expect((await request(`GET ${quotas}/quota-0`)).body).toMatchObject({
    status: { hard: { pods: "2" }, used: { pods: "2" } },
  });
});

test("objects that were there before count", async () => {
  const world = await startTestApiServer();
  await world.request(`POST ${pods}`, podOf("a"));
  await world.request(`POST ${quotas}`, { metadata: { name: "q" }, spec: { hard: { pods: 1 } } });
  expect((await world.request(`POST ${pods}`, podOf("b"))).code).toBe(403);
});

test("of many concurrent creates exactly as many succeed as the quota allows", async () => {
  const { request } = await worldWith({ hard: { "count/configmaps": "7" } });
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      request(`POST ${configMaps}`, { metadata: { name: `c${index}` } }),
    ),
  );
  expect(answers.filter(({ code }) => code === 201)).toHaveLength(7);
  expect(answers.filter(({ code }) => code === 403)).toHaveLength(13);
});

test("a dry run is refused like the real thing and uses nothing up", async () => {
  const { request } = await worldWith({ hard: { configmaps: "1" } });
  const create = (name: string, query = "") => request(`POST ${configMaps}${query}`, { metadata: { name } });
  expect((await create("a", "?dryRun=All")).code).toBe(201);
  expect((await create("a")).code).toBe(201);
  expect((await create("b", "?dryRun=All")).code).toBe(403);
});

test("several resources are told together, in order, and so is only what is exceeded", async () => {
  const { request } = await worldWith({
    hard: { pods: "9", "requests.cpu": "1", "limits.memory": "1Gi", "requests.memory": "8Gi" },
  });
  const resources = { requests: { cpu: "600m", memory: "1Gi" }, limits: { cpu: "1", memory: "1Gi" } };
  expect((await request(`POST ${pods}`, podWith("a", resources))).code).toBe(201);
  expect((await request(`POST ${pods}`, podWith("b", resources))).body["message"]).toBe(
    'pods "b" is forbidden: exceeded quota: quota-0, requested: limits.memory=1Gi,requests.cpu=600m, ' +
      "used: limits.memory=1Gi,requests.cpu=600m, limited: limits.memory=1Gi,requests.cpu=1",
  );
});

test("a Pod has to specify what is limited", async () => {
  const { request } = await worldWith({ hard: { "limits.cpu": "1", memory: "1Gi" } });
  expect((await request(`POST ${pods}`, podOf("a"))).body["message"]).toBe(
    'pods "a" is forbidden: failed quota: quota-0: must specify limits.cpu for: app; memory for: app',
  );
});

test("every quota has to allow an object, and those of other scopes do not count it", async () => {
  const { request } = await worldWith(
    { hard: { pods: "5" } },
    { hard: { pods: "1" }, scopes: ["BestEffort"] },
    { hard: { pods: "0" }, scopes: ["Terminating"] },
  );
  expect((await request(`POST ${pods}`, podOf("a"))).code).toBe(201);
  expect((await request(`POST ${pods}`, podOf("b"))).body["message"]).toContain("exceeded quota: quota-1");
  expect((await request(`POST ${pods}`, podWith("b", { requests: { cpu: "1m" } }))).code).toBe(201);
  const used = async (name: string) => (await request(`GET ${quotas}/${name}`)).body["status"];
  expect(await used("quota-0")).toMatchObject({ used: { pods: "2" } });
  expect(await used("quota-1")).toMatchObject({ used: { pods: "1" } });
});

test("an update is charged with what it adds, and never refused for using less", async () => {
  const { request } = await worldWith({ hard: { "services.nodeports": "1", services: "1" } });
  const service = (type: string, ...ports: readonly number[]) => ({
    metadata: { name: "web" },
    spec: { type, ports: ports.map((port) => ({ name: `p${port}`, port })) },
  });
  expect((await request(`POST ${services}`, service("ClusterIP", 80, 81))).code).toBe(201);
  expect((await request(`PUT ${services}/web`, service("NodePort", 80, 81))).body["message"]).toContain(
    "requested: services.nodeports=2, used: services.nodeports=0, limited: services.nodeports=1",
  );
  expect((await request(`PUT ${services}/web`, service("NodePort", 80))).code).toBe(200);
  await request(`PUT ${quotas}/quota-0`, {
    metadata: { name: "quota-0" },
    spec: { hard: { "services.nodeports": "0", services: "0" } },
  });
  expect((await request(`PUT ${services}/web`, service("ClusterIP", 80))).code).toBe(200);
});
