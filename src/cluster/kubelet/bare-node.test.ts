import { expect, test } from "vitest";
import { isReady } from "../../api/pod-state.ts";
import { nodes, pods } from "../../api/resources.ts";
import { VirtualClock } from "../../machinery/clock/virtual-clock.ts";
import { seededRandom } from "../../machinery/random/random.ts";
import { startCluster } from "../start-cluster.ts";

test("a Pod runs on a fake node that has nothing but a name and capacity", async () => {
  const clock = new VirtualClock();
  const { client, stop } = await startCluster({ clock, random: seededRandom("bare"), nodes: 0 });
  await client.create(nodes, {
    metadata: { name: "bare", annotations: { "kwok.x-k8s.io/node": "fake" } },
    spec: {},
    status: { allocatable: { pods: "10", cpu: "1", memory: "1Gi" } },
  });
  await clock.advance(1000);
  const web = { name: "web", namespace: "default" };
  await client.create(pods, { metadata: web, spec: { containers: [{ name: "web", image: "nginx" }] } });
  await clock.advance(5000);
  expect(isReady(await client.get(pods, web))).toBe(true);
  await stop();
});
