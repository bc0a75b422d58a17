import { afterEach, expect, test } from "vitest";
import type { DaemonSetSpec } from "../../api/generated/apps-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { daemonSets, pods } from "../../api/resources.ts";
import { testCluster, type TestCluster } from "../../testing/test-cluster.ts";

let cluster: TestCluster;
afterEach(() => cluster.stop());

const at = (name: string) => ({ namespace: "default", name });

async function create(spec: Partial<DaemonSetSpec> = {}) {
  const labels = { app: "agent" };
  await cluster.client.create(daemonSets, {
    metadata: at("agent"),
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "agent", image: "agent:1" }] } },
      ...spec,
    },
  });
}

const podsOf = async (): Promise<readonly Pod[]> => (await cluster.client.list(pods, {})).items;

test("a DaemonSet runs a Pod on every node", async () => {
  cluster = await testCluster();
  await create();
  await cluster.clock.advance(10_000);
  const nodes = (await podsOf()).map(({ spec }) => spec.nodeName).toSorted();
  expect(nodes).toEqual(["node-1", "node-2", "node-3"]);
  const { status } = await cluster.client.get(daemonSets, at("agent"));
  expect(status).toEqual({
    currentNumberScheduled: 3,
    desiredNumberScheduled: 3,
    numberAvailable: 3,
    numberMisscheduled: 0,
    numberReady: 3,
    observedGeneration: 1,
    updatedNumberScheduled: 3,
  });
});
