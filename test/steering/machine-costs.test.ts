import { expect, test } from "vitest";
import type { Pod } from "../../src/api/generated/core-v1.ts";
import { pods } from "../../src/api/resources.ts";
import { seededRandom, randomInt } from "../../src/machinery/random/random.ts";
import { web } from "../deployment/builders.ts";
import { costManager } from "./cost-manager.ts";
import { activePods, at, deploy, eventsOf, scale, startSteering, type VirtualSteering } from "./virtual.ts";

const annotations = { "trimtab.dev/removal-order": "trimtab" };

const prefer = async ({ client }: VirtualSteering, pod: Pod | undefined) => {
  const body = { metadata: { labels: { "kubernetes.io/prefer-for-scale-down": "" } } };
  await client.patch(pods, at(pod?.metadata.name ?? ""), { type: "merge", body });
};

const preferredIn = async (steered: VirtualSteering) =>
  (await activePods(steered)).filter(
    ({ metadata }) => metadata.labels?.["kubernetes.io/prefer-for-scale-down"] !== undefined,
  ).length;

test("a program that writes costs loses no Pod to a hundred steered scale-downs, and labels come before its costs", async () => {
  const steered = await startSteering();
  await deploy(steered, web({ replicas: 12, annotations }));
  const manager = costManager(steered.client, () => activePods(steered));
  const random = seededRandom("karpenter");
  for (let round = 0; round < 100; round++) {
    await manager.rank();
    const active = await activePods(steered);
    const meant = active[randomInt(random, active.length)];
    await prefer(steered, meant);
    const before = await preferredIn(steered);
    const isInterrupted = round % 4 === 0;
    await scale(steered, 11);
    await steered.clock.advance(randomInt(random, 1500));
    // Every now and then while Pods are marked: it may write another cost over ours, and keeps its Pod all the same.
    if (isInterrupted) await manager.rank();
    await steered.clock.advance(15_000);
    if (!isInterrupted) expect(await preferredIn(steered)).toBe(before - 1);
    await scale(steered, 12);
    await steered.clock.advance(15_000);
  }
  expect([...manager.lost]).toEqual([]);
  expect(await eventsOf(steered, "ScaleDownNotSteered")).toEqual([]);
}, 120_000);
