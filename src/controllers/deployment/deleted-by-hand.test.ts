import { expect, onTestFinished, test } from "vitest";
import { isActive, isTerminating } from "../../api/pod-state.ts";
import { deployments, pods } from "../../api/resources.ts";
import { testCluster } from "../../testing/test-cluster.ts";

const web = { namespace: "default", name: "web" };

test("a Deployment that is scaled right after Pods were deleted by hand counts them before they are reported", async () => {
  const { client, clock, observed, stop } = await testCluster({ observed: ["replicaset"] });
  onTestFinished(stop);
  await clock.advance(1000);
  const labels = { app: "web" };
  const annotations = { "sim.trimtab.dev/terminationDelay": "20s" };
  await client.create(deployments, {
    metadata: web,
    spec: {
      replicas: 7,
      selector: { matchLabels: labels },
      strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
      podReplacementPolicy: "TerminationComplete",
      template: {
        metadata: { labels, annotations },
        spec: { containers: [{ name: "web", image: "web:1" }] },
      },
    },
  });
  await clock.advance(5000);
  const most = { pods: 0 };
  const count = async () => {
    const { items } = await client.list(pods, { namespace: "default" });
    const all = items.filter((pod) => isActive(pod) || isTerminating(pod));
    most.pods = Math.max(most.pods, all.length);
    return items;
  };

  // The ReplicaSet does not know of the deletions yet, and reports seven Pods.
  observed.holdWatches(pods);
  for (const { metadata } of (await count()).slice(0, 4))
    await client.delete(pods, { ...web, name: metadata.name });
  await client.patch(deployments, web, { type: "merge", body: { spec: { replicas: 14 } } });
  await clock.advance(1000);
  observed.releaseWatches();
  for (let second = 0; second < 60; second++) {
    await clock.advance(1000);
    await count();
  }
  expect(most.pods).toBe(14);
  expect((await count()).filter(isActive)).toHaveLength(14);
});
