import { expect, test } from "vitest";
import type { DeploymentCondition } from "../../src/api/generated/apps-v1.ts";
import { podCount, startPodCensus } from "./pod-census.ts";
import { startUnder, underComplete } from "./policy-cases.ts";
import type { DeploymentFixture } from "./fixture.ts";
import { deployed, eventsOf, progressOf, scaleTo, setImage, sizes, statusOf, stored } from "./web.ts";
import type { WebTraits } from "./builders.ts";

// Scales under TerminationComplete that wait for Pods which take ten minutes to end.

const slow = { endsIn: "600s" };
const minutes = 60_000;

/** Ten replicas, scaled to six and then to twelve: eleven and four that are ending are the fifteen allowed. */
async function heldBack(traits: WebTraits = {}): Promise<DeploymentFixture> {
  const fixture = await startUnder(underComplete);
  const { policy } = underComplete;
  await deployed(fixture, { replicas: 10, maxSurge: 3, maxUnavailable: 2, policy, ...slow, ...traits });
  await scaleTo(fixture, 6);
  await fixture.clock.advance(5000);
  await scaleTo(fixture, 12);
  await fixture.clock.advance(5000);
  return fixture;
}

async function progressing(fixture: DeploymentFixture): Promise<DeploymentCondition | undefined> {
  return (await statusOf(fixture)).conditions?.find(({ type }) => type === "Progressing");
}

test("a new template is rolled out though a scale waits for terminating Pods", async () => {
  const fixture = await heldBack();
  expect(await podCount(fixture)).toBe("11+4T");
  const census = await startPodCensus(fixture);
  await setImage(fixture, "web:2", slow);
  await fixture.clock.advance(5000);
  expect(await sizes(fixture)).toEqual([0, 10]);
  expect(await progressing(fixture)).toMatchObject({ status: "True", reason: "ReplicaSetUpdated" });
  await fixture.clock.advance(10 * minutes);
  expect((await sizes(fixture))[0]).toBeGreaterThan(0);
  await fixture.clock.advance(120 * minutes);
  expect(await sizes(fixture)).toEqual([12, 0]);
  expect(progressOf(await stored(fixture))).toBe("NewReplicaSetAvailable");
  expect(census.mostPods).toBe(15);
  expect(census.fewestReady).toBeGreaterThanOrEqual(10);
});

test("a new template without room for a single Pod makes the Deployment incomplete, and times out", async () => {
  const fixture = await heldBack({ maxUnavailable: 0, spec: { progressDeadlineSeconds: 120 } });
  await setImage(fixture, "web:2", slow);
  await fixture.clock.advance(5000);
  expect(await sizes(fixture)).toEqual([0, 11]);
  expect(await progressing(fixture)).toMatchObject({ status: "True", reason: "ReplicaSetUpdated" });
  await fixture.clock.advance(3 * minutes);
  expect(await progressing(fixture)).toMatchObject({ status: "False", reason: "ProgressDeadlineExceeded" });
  await fixture.clock.advance(120 * minutes);
  expect(await sizes(fixture)).toEqual([12, 0]);
  expect(progressOf(await stored(fixture))).toBe("NewReplicaSetAvailable");
});

test("a rollback removes the broken Pods though a scale waits for terminating Pods", async () => {
  const fixture = await startUnder(underComplete);
  const { policy } = underComplete;
  await deployed(fixture, { replicas: 10, maxSurge: 3, maxUnavailable: 2, policy, ...slow });
  await setImage(fixture, "web:2", { readyIn: "never", endsIn: "5s" });
  await fixture.clock.advance(10_000);
  expect(await sizes(fixture)).toEqual([3, 8]);
  await scaleTo(fixture, 12);
  await fixture.clock.advance(10_000);
  expect(await podCount(fixture)).toBe("13+2T");
  await setImage(fixture, "web:1", slow);
  await fixture.clock.advance(60_000);
  expect(await sizes(fixture)).toEqual([12, 0]);
});

test("a Recreate Deployment drops its old revision though a scale waits for terminating Pods", async () => {
  const fixture = await heldBack({ strategy: "Recreate" });
  expect(await podCount(fixture)).toBe("8+4T");
  await setImage(fixture, "web:2", slow);
  await fixture.clock.advance(5000);
  expect(await podCount(fixture)).toBe("0+12T");
  await fixture.clock.advance(20 * minutes);
  expect(await sizes(fixture)).toEqual([12, 0]);
});

test("a scale that waits says for what in the condition, once in an event, and is complete when it ends", async () => {
  const fixture = await heldBack();
  const sentence = "4 of 15 Pods are still terminating; 12 + 3 allowed";
  expect(await progressing(fixture)).toMatchObject({ status: "True", reason: "ReplicaSetUpdated" });
  expect((await progressing(fixture))?.message).toContain(sentence);
  await fixture.clock.advance(5 * minutes);
  const events = await eventsOf(fixture, "WaitingForTermination");
  expect(events.map(({ message, count }) => ({ message, count }))).toEqual([
    { message: `Waiting: ${sentence}`, count: 1 },
  ]);
  await fixture.clock.advance(10 * minutes);
  expect(await podCount(fixture)).toBe("12");
  expect(await progressing(fixture)).toMatchObject({
    reason: "NewReplicaSetAvailable",
    message: expect.stringMatching(/has successfully progressed\.$/u) as string,
  });
});
