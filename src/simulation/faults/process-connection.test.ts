import { expect, test } from "vitest";
import { namespaces } from "../../api/resources.ts";
import { FakeApi } from "../../testing/fake-api.ts";
import { interceptClient } from "../../machinery/client/intercept-client.ts";
import { ProcessConnection } from "./process-connection.ts";

const name = { name: "team" };

function connect() {
  const api = new FakeApi();
  const line = new ProcessConnection();
  return { api, line, client: interceptClient(api, line.interceptor) };
}

test("a request that is pending when the connection is cut is carried out, and its response is lost", async () => {
  const { api, line, client } = connect();
  const creating = client.create(namespaces, { metadata: name, spec: {} });
  line.cut("cut");
  await expect(creating).rejects.toThrow("cut");
  expect(api.stored(namespaces)).toHaveLength(1);
  await expect(client.get(namespaces, name)).rejects.toThrow("cut");
  line.restore();
  expect((await client.get(namespaces, name)).metadata.name).toBe("team");
});

test("a watch ends when its line is cut", async () => {
  const { api, line, client } = connect();
  await api.create(namespaces, { metadata: name, spec: {} });
  const { signal } = new AbortController();
  const events = client.watch(namespaces, { sendInitialEvents: true }, signal)[Symbol.asyncIterator]();
  expect(await events.next()).toMatchObject({ value: { type: "ADDED" } });
  await events.next();
  const next = events.next();
  line.cut("cut");
  await expect(next).rejects.toThrow("cut");
});

test.for([
  { when: "before-request" as const, arrived: 1 },
  { when: "before-response" as const, arrived: 2 },
])("a process that dies $when leaves $arrived of two requests behind", async ({ when, arrived }) => {
  const { api, line, client } = connect();
  line.crashAt({ requests: 2, when, crash: () => line.cut("dead") });
  const create = (each: string) => client.create(namespaces, { metadata: { name: each }, spec: {} });
  await create("first");
  await expect(create("second")).rejects.toThrow("dead");
  await expect(create("third")).rejects.toThrow("dead");
  expect(api.stored(namespaces)).toHaveLength(arrived);
});
