import { expect, onTestFinished, test } from "vitest";
import { pods } from "../../../api/resources.ts";
import { testCluster } from "../../../testing/test-cluster.ts";

const web = { namespace: "default", name: "web" };

test("the status and the conditions of a Pod say which generation of it the kubelet has seen", async () => {
  const { client, clock, stop } = await testCluster({
    nodes: 1,
    components: ["service-account", "kubelet"],
  });
  onTestFinished(stop);
  await clock.advance(1000);
  const containers = [{ name: "app", image: "nginx:1" }];
  await client.create(pods, { metadata: web, spec: { nodeName: "node-1", containers } });
  const observed = async () => {
    const { status } = await client.get(pods, web);
    const ofConditions = status?.conditions?.map(({ observedGeneration }) => observedGeneration) ?? [];
    return [...new Set([status?.observedGeneration, ...ofConditions])];
  };
  await clock.advance(5000);
  expect(await observed()).toEqual([1]);
  await client.patch(pods, web, { type: "merge", body: { spec: { activeDeadlineSeconds: 100 } } });
  await clock.advance(1000);
  expect(await observed()).toEqual([2]);
});
