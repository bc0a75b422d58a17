import { expect, test } from "vitest";
import { pods, replicaSets } from "../../src/api/resources.ts";
import { startWorld } from "./world.ts";

test("a ReplicaSet gets the Pods it wants", async () => {
  const { client, clock } = await startWorld();
  const labels = { app: "web" };
  await client.create(replicaSets, {
    metadata: { name: "web", namespace: "default" },
    spec: {
      replicas: 3,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "app", image: "nginx" }] } },
    },
  });
  await clock.advance(5000);
  const { items } = await client.list(pods, { namespace: "default" });
  expect(items).toHaveLength(3);
  expect((await client.get(replicaSets, { namespace: "default", name: "web" })).status).toEqual({
    replicas: 3,
    fullyLabeledReplicas: 3,
    readyReplicas: 3,
    availableReplicas: 3,
    terminatingReplicas: 0,
    observedGeneration: 1,
  });
});
