import { expect, test } from "vitest";
import { isTerminating } from "../../src/api/pod-state.ts";
import { deployments, pods, replicaSets } from "../../src/api/resources.ts";
import { web } from "../deployment/builders.ts";
import {
  activePods,
  at,
  deploy,
  eventsOf,
  isRolled,
  replicaSetsOf,
  roll,
  startCensus,
  startSteering,
} from "./virtual.ts";

const complete = { "trimtab.dev/pod-replacement-policy": "TerminationComplete" };

test("a rollout has no more Pods than replicas and surge, terminating ones counted; without steer it has", async () => {
  const most: number[] = [];
  for (const isSteered of [true, false]) {
    const steered = await startSteering();
    await deploy(
      steered,
      web({ replicas: 4, maxSurge: 1, maxUnavailable: 1, annotations: complete, endsIn: "20s" }),
    );
    if (!isSteered) await steered.takeDown();
    const census = startCensus(steered);
    await roll(steered, { endsIn: "20s" });
    await steered.clock.advance(240_000);
    expect(await isRolled(steered, 4)).toBe(true);
    most.push(census.mostPods);
  }
  expect(most[0]).toBe(5);
  expect(most[1]).toBeGreaterThan(5);
});

test("a Pod that does not end blocks no rollout: old Pods go within what may be unavailable (A)", async () => {
  const steered = await startSteering();
  await deploy(steered, web({ replicas: 4, maxSurge: 1, maxUnavailable: 1, annotations: complete }));
  const [stuck] = await activePods(steered);
  const name = stuck?.metadata.name ?? "";
  const hold = { metadata: { annotations: { "sim.trimtab.dev/terminationDelay": "3000s" } } };
  await steered.client.patch(pods, at(name), { type: "merge", body: hold });
  await steered.client.delete(pods, at(name));
  await steered.clock.advance(5000);
  const census = startCensus(steered);
  await roll(steered);
  await steered.clock.advance(240_000);
  const left = (await steered.client.list(pods, { namespace: "default" })).items;
  expect(left.filter(isTerminating).map(({ metadata }) => metadata.name)).toEqual([name]);
  expect(
    left.filter((pod) => !isTerminating(pod)).every(({ spec }) => spec.containers[0]?.image === "web:2"),
  ).toBe(true);
  expect(left).toHaveLength(5);
  expect(census.mostPods).toBeLessThanOrEqual(5);
});

test("a rollout that can only wait says for which Pods", async () => {
  const steered = await startSteering();
  await deploy(steered, web({ replicas: 3, maxSurge: 1, maxUnavailable: 0, annotations: complete }));
  const [stuck] = await activePods(steered);
  const name = stuck?.metadata.name ?? "";
  const hold = { metadata: { annotations: { "sim.trimtab.dev/terminationDelay": "3000s" } } };
  await steered.client.patch(pods, at(name), { type: "merge", body: hold });
  await steered.client.delete(pods, at(name));
  await steered.clock.advance(5000);
  await roll(steered);
  await steered.clock.advance(60_000);
  const said = await eventsOf(steered, "RolloutWaitsForTermination");
  expect(said).toEqual([`Deployment web: Waiting for 1 terminating pods: ${name}; 3 others, 3 + 1 allowed`]);
});

test("a wish is copied to all ReplicaSets, and one that disappears is an event", async () => {
  const steered = await startSteering();
  await deploy(steered, web({ replicas: 2 }));
  await roll(steered);
  await steered.clock.advance(60_000);
  const annotate = (value: string | null) =>
    steered.client.patch(deployments, at("web"), {
      type: "merge",
      body: { metadata: { annotations: { "trimtab.dev/removal-order": value } } },
    });
  const carried = async () =>
    (await replicaSetsOf(steered)).map(({ metadata }) => metadata.annotations?.["trimtab.dev/removal-order"]);
  await annotate("trimtab");
  await steered.clock.advance(5000);
  expect(await carried()).toEqual(["trimtab", "trimtab"]);
  await annotate(null);
  await steered.clock.advance(5000);
  expect(await carried()).toEqual([undefined, undefined]);
  expect(await eventsOf(steered, "SteeringWishGone")).toHaveLength(1);
});

test("a ReplicaSet that somebody scales by hand is kept to the budget, too", async () => {
  const steered = await startSteering();
  await deploy(steered, web({ replicas: 3, maxSurge: 2, annotations: complete }));
  const census = startCensus(steered);
  const [replicaSet] = await replicaSetsOf(steered);
  await steered.client.patch(replicaSets, at(replicaSet?.metadata.name ?? ""), {
    type: "merge",
    body: { spec: { replicas: 30 } },
  });
  await steered.clock.advance(60_000);
  expect(census.mostPods).toBeLessThanOrEqual(5);
  expect(await activePods(steered)).toHaveLength(3);
});
