import { expect, test } from "vitest";
import { deletionCostAnnotation } from "../../src/api/deletion-cost.ts";
import { pods } from "../../src/api/resources.ts";
import { web } from "../deployment/builders.ts";
import {
  activePods,
  at,
  deploy,
  eventsOf,
  markedPods,
  namesOf,
  scale,
  startSteering,
  type VirtualSteering,
} from "./virtual.ts";

const byOrder = { "trimtab.dev/removal-order": "trimtab" };
const label = "kubernetes.io/prefer-for-scale-down";

async function labelPods(steered: VirtualSteering, names: readonly string[]): Promise<void> {
  for (const name of names)
    await steered.direct.patch(pods, at(name), {
      type: "merge",
      body: { metadata: { labels: { [label]: "" } } },
    });
}

test("the Pods with the label go first in a stock cluster, and no mark is left", async () => {
  const steered = await startSteering();
  await deploy(steered, web({ replicas: 8, annotations: byOrder }));
  const all = namesOf(await activePods(steered));
  const meant = [1, 4, 6].map((index) => all[index] ?? "");
  await labelPods(steered, meant);
  await scale(steered, 5);
  await steered.clock.advance(60_000);
  expect(namesOf(await activePods(steered))).toEqual(all.filter((name) => !meant.includes(name)));
  expect(await markedPods(steered)).toEqual([]);
  const [said] = await eventsOf(steered, "ScaleDownSteered");
  expect(said).toContain("Removing 3 of 8 pods");
  expect(await eventsOf(steered, "ScaleDownDiffers")).toEqual([]);
  const costs = (await activePods(steered)).map(
    ({ metadata }) => metadata.annotations?.[deletionCostAnnotation],
  );
  expect(new Set(costs)).toEqual(new Set([undefined]));
});
