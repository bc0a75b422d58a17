import { expect, test } from "vitest";
import { isActive } from "../../src/api/pod-state.ts";
import { pods } from "../../src/api/resources.ts";
import {
  deployed,
  evict,
  marks,
  podsOf,
  progressOf,
  reasonsOf,
  scaleTo,
  setImage,
  sizes,
  statusOf,
  stored,
} from "./web.ts";
import { podCount, startPodCensus } from "./pod-census.ts";
import {
  policyCases,
  gatedOff,
  startUnder,
  uncounted,
  underComplete,
  underStarted,
  withoutPolicy,
} from "./policy-cases.ts";

const slow = { endsIn: "100s" };

test.for(policyCases)("Recreate ends the old revision first $under", async (policyCase) => {
  const { policy, effective } = policyCase;
  const fixture = await startUnder(policyCase);
  await deployed(fixture, { strategy: "Recreate", replicas: 3, policy, endsIn: "20s" });
  const census = await startPodCensus(fixture);
  await setImage(fixture, "web:2", { endsIn: "20s" });
  await fixture.clock.advance(10_000);
  expect(await podCount(fixture)).toBe(effective === "TerminationStarted" ? "3+3T" : "0+3T");
  await fixture.clock.advance(60_000);
  expect(await podCount(fixture)).toBe("3");
  expect(await sizes(fixture)).toEqual([3, 0]);
  expect(progressOf(await stored(fixture))).toBe("NewReplicaSetAvailable");
  expect(census.hasMixed).toBe(effective === "TerminationStarted");
});

// What there is after a rollout, when its old Pods have had time to end, an eviction, a scale up and a scale down.
test.for([
  { ...withoutPolicy, endsIn: "60s", steps: ["0+6T", "6", "6+1T", "7+1T", "5+3T"] },
  // Nobody waits here for what is ending, so it may take long.
  { ...underStarted, endsIn: "3000s", steps: ["6+6T", "6+6T", "6+7T", "7+7T", "5+9T"] },
  { ...underComplete, endsIn: "60s", steps: ["0+6T", "6", "6+1T", "6+1T", "5+2T"] },
  { ...gatedOff, endsIn: "60s", steps: ["0+6T", "6", "6+1T", "7+1T", "5+3T"] },
  { ...uncounted, endsIn: "60s", steps: ["0+6T", "6", "6+1T", "7+1T", "5+3T"] },
])("Recreate, an eviction and scales $under", async ({ steps, endsIn, ...row }) => {
  const { policy, effective } = row;
  const fixture = await startUnder(row);
  await deployed(fixture, { strategy: "Recreate", replicas: 6, policy, endsIn });
  const seen: string[] = [];
  const look = async () => {
    await fixture.clock.advance(20_000);
    seen.push(await podCount(fixture));
  };
  // As in Kubernetes the condition of the last rollout may stand until the new one is seen to progress.
  const isDone = async () => {
    const deployment = await stored(fixture);
    const { updatedReplicas = 0 } = deployment.status ?? {};
    return (
      progressOf(deployment) === "NewReplicaSetAvailable" && updatedReplicas === deployment.spec.replicas
    );
  };
  await setImage(fixture, "web:2", { endsIn: "3000s" });
  await look();
  expect(await isDone()).toBe(effective === "TerminationStarted");
  await fixture.clock.advance(60_000);
  await look();
  await evict(fixture, (await podsOf(fixture)).filter(isActive).slice(0, 1), "3000s");
  await look();
  await scaleTo(fixture, 7);
  await look();
  await scaleTo(fixture, 5);
  await look();
  expect(seen).toEqual(steps);
  // The scale that had to wait ended the rollout's being complete, and two Pods are still ending.
  expect(await isDone()).toBe(effective !== "TerminationComplete");
  const { replicas, availableReplicas, terminatingReplicas } = await statusOf(fixture);
  const ending = Number(steps.at(-1)?.replace(/^5\+(\d)T$/, "$1"));
  expect([replicas, availableReplicas]).toEqual([5, 5]);
  expect(terminatingReplicas).toBe(row.under === uncounted.under ? undefined : ending);
  expect(reasonsOf(fixture)[0]).toBe(
    effective === "TerminationComplete" ? "complete once 2 terminating Pods are gone" : "rolled out",
  );
  await fixture.clock.advance(3600_000);
  expect(await podCount(fixture)).toBe("5");
  expect(await isDone()).toBe(true);
});

test.for(policyCases)("a recreated Deployment has new Pods as soon as it may $under", async (policyCase) => {
  const { policy, effective } = policyCase;
  const fixture = await startUnder(policyCase);
  await deployed(fixture, { strategy: "Recreate", replicas: 3, policy, ...slow });
  await setImage(fixture, "web:2", slow);
  await fixture.clock.advance(10_000);
  const isAtOnce = effective === "TerminationStarted";
  const { updatedReplicas = 0, terminatingReplicas } = await statusOf(fixture);
  expect([updatedReplicas, terminatingReplicas]).toEqual([isAtOnce ? 3 : 0, 3]);
  const waits = effective === "TerminationComplete" ? "3 terminating" : "3 running";
  expect(reasonsOf(fixture)[0]).toBe(
    isAtOnce ? "rolled out" : `waits for the old revisions to end: ${waits}`,
  );
  await fixture.clock.advance(100_000);
  expect(await statusOf(fixture)).toMatchObject({ updatedReplicas: 3, terminatingReplicas: 0 });
  expect(progressOf(await stored(fixture))).toBe("NewReplicaSetAvailable");
});

test.for(policyCases)(
  "a recreated Deployment is scaled up beside terminating Pods $under",
  async (policyCase) => {
    const { policy, effective } = policyCase;
    const fixture = await startUnder(policyCase);
    await deployed(fixture, { strategy: "Recreate", replicas: 3, policy, ...slow });
    await evict(fixture, (await podsOf(fixture)).slice(0, 2), "50s");
    await fixture.clock.advance(5000);
    await scaleTo(fixture, 6);
    await fixture.clock.advance(5000);
    const isHeldBack = effective === "TerminationComplete";
    expect(await podCount(fixture)).toBe(isHeldBack ? "4+2T" : "6+2T");
    expect(reasonsOf(fixture)).toEqual([
      isHeldBack ? "waits for 2 terminating Pods: 4 Pods + 2 terminating reach 6 replicas" : "rolled out",
    ]);
    await fixture.clock.advance(60_000);
    expect(await podCount(fixture)).toBe("6");
    expect(await marks(fixture)).toEqual(["6/6"]);
  },
);

test.for(policyCases)(
  "a Pod that has ended but is kept by a finalizer does not hold up a recreation $under",
  async (policyCase) => {
    const fixture = await startUnder(policyCase);
    await deployed(fixture, { strategy: "Recreate", replicas: 1, policy: policyCase.policy });
    const [pod] = await podsOf(fixture);
    const { metadata } = pod ?? expect.fail("no Pod");
    const { client } = fixture;
    await client.patch(pods, metadata, {
      type: "merge",
      body: { metadata: { finalizers: ["example.com/kept"] } },
    });
    await setImage(fixture, "web:2");
    await fixture.clock.advance(10_000);
    expect((await podsOf(fixture)).map(({ status }) => status?.phase ?? "").toSorted()).toEqual([
      "Running",
      "Succeeded",
    ]);
  },
);
