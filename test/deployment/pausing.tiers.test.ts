import { describe, expect, test } from "vitest";
import { headcount } from "./census.ts";
import { circumstances, startUnder } from "./circumstances.ts";
import {
  deploy,
  deployed,
  evict,
  imageOf,
  marks,
  patch,
  pause,
  podsOf,
  progressOf,
  reasonsOf,
  resume,
  revisions,
  scaleTo,
  setImage,
  sizes,
  stored,
} from "./web.ts";

describe.for(circumstances)("$under", (circumstance) => {
  const { policy, effective } = circumstance;

  test("a Deployment that is born paused makes nothing until it is resumed", async () => {
    const world = await startUnder(circumstance);
    await deploy(world, { policy, spec: { paused: true } });
    await world.clock.advance(10_000);
    expect(await revisions(world)).toEqual([]);
    expect(progressOf(await stored(world))).toBe("DeploymentPaused");
    await resume(world);
    await world.clock.advance(10_000);
    expect(await headcount(world)).toBe("3");
    expect(progressOf(await stored(world))).toBe("NewReplicaSetAvailable");
  });

  test("a new template waits while paused, and is rolled out when resumed", async () => {
    const world = await startUnder(circumstance);
    await deployed(world, { policy });
    await pause(world);
    await setImage(world, "web:2");
    await world.clock.advance(60_000);
    expect((await revisions(world)).map(imageOf)).toEqual(["web:1"]);
    expect(reasonsOf(world)).toEqual([
      "waits for the Deployment to be resumed",
      "waits for the Deployment to be resumed",
    ]);
    await resume(world);
    await world.clock.advance(60_000);
    expect(await sizes(world)).toEqual([3, 0]);
  });

  test("a rollout that is paused half-way stands still, and goes on from there", async () => {
    const world = await startUnder(circumstance);
    await deployed(world, { policy, replicas: 6, maxSurge: 2 });
    await setImage(world, "web:2", { readyIn: "5s" });
    await world.clock.advance(4000);
    await pause(world);
    await world.clock.advance(2000);
    const before = await sizes(world);
    await world.clock.advance(10 * 60_000);
    expect(await sizes(world)).toEqual(before);
    await resume(world);
    await world.clock.advance(10 * 60_000);
    expect(await sizes(world)).toEqual([6, 0]);
  });

  test("scaling works while paused, within the budget of the policy", async () => {
    const world = await startUnder(circumstance);
    await deployed(world, { policy, replicas: 2, maxSurge: 0, maxUnavailable: 1 });
    await pause(world);
    await evict(world, await podsOf(world), "60s");
    await world.clock.advance(5000);
    expect(await headcount(world)).toBe("2+2T");
    await scaleTo(world, 10);
    await world.clock.advance(5000);
    expect(await sizes(world)).toEqual([effective === "TerminationComplete" ? 8 : 10]);
    await world.clock.advance(60_000);
    expect(await sizes(world)).toEqual([10]);
    expect(await marks(world)).toEqual(["10/10"]);
  });
});

test.for(circumstances)("the history is tidied while paused $under", async (circumstance) => {
  const world = await startUnder(circumstance);
  await deployed(world, { policy: circumstance.policy });
  for (const image of ["web:2", "web:3"]) {
    await setImage(world, image);
    await world.clock.advance(60_000);
  }
  await pause(world);
  await patch(world, { spec: { revisionHistoryLimit: 1 } });
  await world.clock.advance(1000);
  expect((await revisions(world)).map(imageOf)).toEqual(["web:3", "web:2"]);
});
