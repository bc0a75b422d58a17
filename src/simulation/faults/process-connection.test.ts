import { expect, onTestFinished, test } from "vitest";
import { namespaces } from "../../api/resources.ts";
import { interceptClient } from "../../machinery/client/intercept-client.ts";
import { testCluster } from "../../testing/test-cluster.ts";
import { ProcessConnection } from "./process-connection.ts";

const name = { name: "team" };

async function connect() {
  const cluster = await testCluster({ nodes: 0, components: [] });
  onTestFinished(() => cluster.stop());
  const connection = new ProcessConnection();
  const before = cluster.store.collection("namespaces").count();
  return {
    api: cluster.client,
    connection,
    resourceVersion: String(cluster.store.revision()),
    client: interceptClient(cluster.client, connection.interceptor),
    created: () => cluster.store.collection("namespaces").count() - before,
  };
}

test("a request that is pending when the connection is cut is carried out, and its response is lost", async () => {
  const { connection, client, created } = await connect();
  const creating = client.create(namespaces, { metadata: name, spec: {} });
  connection.cut("cut");
  await expect(creating).rejects.toThrow("cut");
  expect(created()).toBe(1);
  await expect(client.get(namespaces, name)).rejects.toThrow("cut");
  connection.restore();
  expect((await client.get(namespaces, name)).metadata.name).toBe("team");
});

test("a watch ends when its connection is cut", async () => {
  const { api, connection, client, resourceVersion } = await connect();
  await api.create(namespaces, { metadata: name, spec: {} });
  const { signal } = new AbortController();
  const events = client.watch(namespaces, { resourceVersion }, signal)[Symbol.asyncIterator]();
  expect(await events.next()).toMatchObject({ value: { type: "ADDED" } });
  const next = events.next();
  connection.cut("cut");
  await expect(next).rejects.toThrow("cut");
});

test.for([
  { when: "before-request" as const, arrived: 1 },
  { when: "before-response" as const, arrived: 2 },
])("a process that crashes $when has carried out $arrived of two requests", async ({ when, arrived }) => {
  const { connection, client, created } = await connect();
  connection.crashAt({ requests: 2, when, crash: () => connection.cut("crashed") });
  const create = (each: string) => client.create(namespaces, { metadata: { name: each }, spec: {} });
  await create("first");
  await expect(create("second")).rejects.toThrow("crashed");
  await expect(create("third")).rejects.toThrow("crashed");
  expect(created()).toBe(arrived);
});
