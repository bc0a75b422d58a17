import { expect, test } from "vitest";
import { nodes, pods } from "../../src/api/resources.ts";
import { looseReplicaSet, web } from "../deployment/builders.ts";
import { replicaSets } from "../../src/api/resources.ts";
import {
  activePods,
  deploy,
  eventsOf,
  markedPods,
  scale,
  startSteering,
  type VirtualSteering,
} from "./virtual.ts";

const consolidate = { "trimtab.dev/removal-order": "consolidate" };

/** How many Pods of the Deployment each node has, the nodes by name. */
async function perNode(steered: VirtualSteering): Promise<readonly number[]> {
  const active = (await activePods(steered)).filter(
    ({ metadata }) => metadata.labels?.["loose"] === undefined,
  );
  const { items } = await steered.client.list(nodes, {});
  const counts = items.map(
    ({ metadata }) => active.filter(({ spec }) => spec.nodeName === metadata.name).length,
  );
  return counts.toSorted((a, b) => a - b);
}

test("a stock cluster empties nodes where a Deployment asks for it", async () => {
  const steered = await startSteering({ nodes: 3 });
  await deploy(steered, web({ replicas: 9, annotations: consolidate }));
  expect(await perNode(steered)).toEqual([3, 3, 3]);
  await scale(steered, 6);
  await steered.clock.advance(60_000);
  expect(await perNode(steered)).toEqual([0, 3, 3]);
  await scale(steered, 3);
  await steered.clock.advance(60_000);
  expect(await perNode(steered)).toEqual([0, 0, 3]);
  expect(await markedPods(steered)).toEqual([]);
  expect(await eventsOf(steered, "ScaleDownDiffers")).toEqual([]);
});

test("the Pods of other workloads count for a node", async () => {
  const steered = await startSteering({ nodes: 3 });
  await deploy(steered, web({ replicas: 6, annotations: consolidate }));
  const [kept] = await activePods(steered);
  const node = kept?.spec.nodeName ?? "";
  const other = looseReplicaSet("other", { replicas: 4 });
  const labels = { app: "other" };
  const template = { ...other.spec.template, metadata: { labels } };
  await steered.client.create(replicaSets, {
    metadata: { ...other.metadata, labels },
    spec: {
      replicas: 4,
      selector: { matchLabels: labels },
      template: { ...template, spec: { containers: [{ name: "c", image: "i" }], nodeName: node } },
    },
  });
  await steered.clock.advance(20_000);
  await scale(steered, 2);
  await steered.clock.advance(60_000);
  const { items } = await steered.client.list(pods, { namespace: "default", labelSelector: "app=web" });
  expect(items.map(({ spec }) => spec.nodeName)).toEqual([node, node]);
});
