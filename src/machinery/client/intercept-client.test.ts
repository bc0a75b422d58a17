import { expect, test } from "vitest";
import { pods } from "../../api/resources.ts";
import { observeClient } from "../../testing/observe-client.ts";
import { testCluster } from "../../testing/test-cluster.ts";
import type { Client } from "./client.ts";
import { readOnlyClient } from "./intercept-client.ts";

const name = { namespace: "default", name: "web" };
const draft = { metadata: name, spec: { containers: [{ name: "app", image: "app:1" }] } };
const stored = { ...draft, metadata: { ...name, uid: "1", resourceVersion: "1" } };

test.for<{ verb: keyof Client; write: (client: Client) => Promise<unknown> }>([
  { verb: "create", write: (client) => client.create(pods, draft) },
  { verb: "update", write: (client) => client.update(pods, stored) },
  { verb: "patch", write: (client) => client.patch(pods, name, { type: "merge", body: {} }) },
  { verb: "delete", write: (client) => client.delete(pods, name) },
  { verb: "deleteCollection", write: (client) => client.deleteCollection(pods, {}) },
  { verb: "evict", write: (client) => client.evict(name) },
  { verb: "bind", write: (client) => client.bind(name, { target: { name: "node-1" } }) },
])("a client that only reads sends no $verb", async ({ verb, write }) => {
  const cluster = await testCluster({ components: [] });
  const observed = observeClient(cluster.client);
  const client = readOnlyClient(observed.client);
  await expect(write(client)).rejects.toThrow(`this command only reads: ${verb} pods was not sent`);
  expect((await client.list(pods, {})).items).toEqual([]);
  expect(observed.requests.map((request) => request.verb)).toEqual(["list"]);
  await cluster.stop();
});
