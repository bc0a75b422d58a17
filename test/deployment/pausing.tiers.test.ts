import { describe, expect, test } from "vitest";
import { podCount } from "./pod-census.ts";
import { policyCases, startUnder } from "./policy-cases.ts";
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

describe.for(policyCases)("$under", (policyCase) => {
  const { policy, effective } = policyCase;

  test("a Deployment that is created paused creates nothing until it is resumed", async () => {
    const fixture = await startUnder(policyCase);
    await deploy(fixture, { policy, spec: { paused: true } });
    await fixture.clock.advance(10_000);
    expect(await revisions(fixture)).toEqual([]);
    expect(progressOf(await stored(fixture))).toBe("DeploymentPaused");
    await resume(fixture);
    await fixture.clock.advance(10_000);
    expect(await podCount(fixture)).toBe("3");
    expect(progressOf(await stored(fixture))).toBe("NewReplicaSetAvailable");
  });

  test("a new template waits while paused, and is rolled out when resumed", async () => {
    const fixture = await startUnder(policyCase);
    await deployed(fixture, { policy });
    await pause(fixture);
    await setImage(fixture, "web:2");
    await fixture.clock.advance(60_000);
    expect((await revisions(fixture)).map(imageOf)).toEqual(["web:1"]);
    expect(reasonsOf(fixture)).toEqual([
      "waits for the Deployment to be resumed",
      "waits for the Deployment to be resumed",
    ]);
    await resume(fixture);
    await fixture.clock.advance(60_000);
    expect(await sizes(fixture)).toEqual([3, 0]);
  });

  test("a rollout that is paused half-way stands still, and goes on from there", async () => {
    const fixture = await startUnder(policyCase);
    await deployed(fixture, { policy, replicas: 6, maxSurge: 2 });
    await setImage(fixture, "web:2", { readyIn: "5s" });
    await fixture.clock.advance(4000);
    await pause(fixture);
    await fixture.clock.advance(2000);
    const before = await sizes(fixture);
    await fixture.clock.advance(10 * 60_000);
    expect(await sizes(fixture)).toEqual(before);
    await resume(fixture);
    await fixture.clock.advance(10 * 60_000);
    expect(await sizes(fixture)).toEqual([6, 0]);
  });

  test("scaling works while paused, within the budget of the policy", async () => {
    const fixture = await startUnder(policyCase);
    await deployed(fixture, { policy, replicas: 2, maxSurge: 0, maxUnavailable: 1 });
    await pause(fixture);
    await evict(fixture, await podsOf(fixture), "60s");
    await fixture.clock.advance(5000);
    expect(await podCount(fixture)).toBe("2+2T");
    await scaleTo(fixture, 10);
    await fixture.clock.advance(5000);
    expect(await sizes(fixture)).toEqual([effective === "TerminationComplete" ? 8 : 10]);
    await fixture.clock.advance(60_000);
    expect(await sizes(fixture)).toEqual([10]);
    expect(await marks(fixture)).toEqual(["10/10"]);
  });
});

test.for(policyCases)("the history is tidied while paused $under", async (policyCase) => {
  const fixture = await startUnder(policyCase);
  await deployed(fixture, { policy: policyCase.policy });
  for (const image of ["web:2", "web:3"]) {
    await setImage(fixture, image);
    await fixture.clock.advance(60_000);
  }
  await pause(fixture);
  await patch(fixture, { spec: { revisionHistoryLimit: 1 } });
  await fixture.clock.advance(1000);
  expect((await revisions(fixture)).map(imageOf)).toEqual(["web:3", "web:2"]);
});
