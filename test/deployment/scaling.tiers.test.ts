import { describe, expect, test } from "vitest";
import { deployments } from "../../src/api/resources.ts";
import { podCount, startPodCensus } from "./pod-census.ts";
import {
  policyCases,
  gatedOff,
  startUnder,
  underComplete,
  underStarted,
  withoutPolicy,
} from "./policy-cases.ts";
import { at } from "./builders.ts";
import {
  deployed,
  evict,
  marks,
  patch,
  podsOf,
  progressOf,
  scaleTo,
  setImage,
  sizes,
  statusOf,
  stored,
} from "./web.ts";
import { startDeploymentFixture } from "./fixture.ts";

describe.for(policyCases)("$under", (policyCase) => {
  const { policy, effective } = policyCase;
  const isComplete = effective === "TerminationComplete";

  test("a ReplicaSet follows the Deployment up, down to nothing and back", async () => {
    const fixture = await startUnder(policyCase);
    await deployed(fixture, { replicas: 1, policy });
    for (const replicas of [2, 0, 1, 5, 3]) {
      await scaleTo(fixture, replicas);
      await fixture.clock.advance(30_000);
      expect(await sizes(fixture)).toEqual([replicas]);
      expect(await podCount(fixture)).toBe(String(replicas));
      const { metadata, status } = await stored(fixture);
      expect(status?.observedGeneration).toBe(metadata.generation);
      expect(progressOf(await stored(fixture))).toBe("NewReplicaSetAvailable");
    }
    expect(await marks(fixture)).toEqual(["3/4"]);
  });

  test("a scale up replaces evicted Pods at once, or waits until they are gone", async () => {
    const fixture = await startUnder(policyCase);
    await deployed(fixture, { replicas: 4, maxSurge: 1, policy });
    await evict(fixture, (await podsOf(fixture)).slice(0, 3), "60s");
    await fixture.clock.advance(5000);
    expect(await podCount(fixture)).toBe("4+3T");
    await scaleTo(fixture, 8);
    await fixture.clock.advance(5000);
    expect(await podCount(fixture)).toBe(isComplete ? "6+3T" : "8+3T");
    expect(await marks(fixture)).toEqual([isComplete ? "4/5/4" : "8/9"]);
    await fixture.clock.advance(60_000);
    expect(await podCount(fixture)).toBe("8");
    expect(await marks(fixture)).toEqual(["8/9"]);
  });

  test("what a scale down sends away counts when the next scale up comes", async () => {
    const fixture = await startUnder(policyCase);
    await deployed(fixture, { replicas: 6, maxSurge: 0, maxUnavailable: 1, policy, endsIn: "60s" });
    const census = await startPodCensus(fixture);
    await scaleTo(fixture, 2);
    await fixture.clock.advance(5000);
    await scaleTo(fixture, 6);
    await fixture.clock.advance(5000);
    expect(await podCount(fixture)).toBe(isComplete ? "2+4T" : "6+4T");
    await fixture.clock.advance(90_000);
    expect(await podCount(fixture)).toBe("6");
    expect(census.mostPods).toBe(isComplete ? 6 : 10);
  });

  test("scaling from nothing after a scale to nothing keeps to the budget", async () => {
    const fixture = await startUnder(policyCase);
    await deployed(fixture, { replicas: 4, maxSurge: 1, policy, endsIn: "60s" });
    await scaleTo(fixture, 0);
    await fixture.clock.advance(5000);
    await scaleTo(fixture, 4);
    await fixture.clock.advance(5000);
    expect(await podCount(fixture)).toBe(isComplete ? "1+4T" : "4+4T");
    await fixture.clock.advance(90_000);
    expect(await podCount(fixture)).toBe("4");
    expect(progressOf(await stored(fixture))).toBe("NewReplicaSetAvailable");
  });

  test("a change of size and template at once scales first, and every revision learns the new size", async () => {
    const fixture = await startUnder(policyCase);
    await deployed(fixture, { replicas: 3, maxSurge: 2, maxUnavailable: 1, policy });
    await setImage(fixture, "web:2", { readyIn: "30s" });
    await fixture.clock.advance(5000);
    const census = await startPodCensus(fixture);
    const body = {
      spec: { replicas: 9, template: { spec: { containers: [{ name: "web", image: "web:3" }] } } },
    };
    await fixture.client.patch(deployments, at("web"), { type: "strategic", body });
    await fixture.clock.advance(2000);
    expect((await marks(fixture)).slice(1)).toEqual(["9/11", "9/11"]);
    await fixture.clock.advance(10 * 60_000);
    expect(await sizes(fixture)).toEqual([9, 0, 0]);
    expect(await podCount(fixture)).toBe("9");
    expect(census.fewestReady).toBeGreaterThanOrEqual(2);
    expect(census.mostActive).toBeLessThanOrEqual(11);
    expect((await marks(fixture))[0]).toBe("9/11");
  });

  test("revisions share a scale in proportion to their sizes", async () => {
    const fixture = await startUnder(policyCase);
    await deployed(fixture, { replicas: 10, maxSurge: 3, maxUnavailable: 2, policy });
    await setImage(fixture, "web:2", { readyIn: "never" });
    await fixture.clock.advance(5000);
    expect(await sizes(fixture)).toEqual([5, 8]);
    await scaleTo(fixture, 30);
    await fixture.clock.advance(5000);
    expect(await sizes(fixture)).toEqual([13, 20]);
    expect(await marks(fixture)).toEqual(["30/33", "30/33"]);
    await scaleTo(fixture, 10);
    await fixture.clock.advance(20_000);
    expect(await sizes(fixture)).toEqual([5, 8]);
  });
});

// 13 places: 8 old Pods, and two that are ending.
test.for([
  { ...withoutPolicy, started: [5, 8], scaled: [13, 20], marks: ["30/33", "30/33"], ended: [13, 20] },
  { ...underStarted, started: [5, 8], scaled: [13, 20], marks: ["30/33", "30/33"], ended: [13, 20] },
  { ...underComplete, started: [3, 8], scaled: [8, 23], marks: ["30/33", "10/13/8"], ended: [8, 25] },
  { ...gatedOff, started: [5, 8], scaled: [13, 20], marks: ["30/33", "30/33"], ended: [13, 20] },
])("one ReplicaSet of two may have to wait for terminating Pods $under", async (row) => {
  const { policy } = row;
  const fixture = await startUnder(row);
  await deployed(fixture, { replicas: 10, maxSurge: 3, maxUnavailable: 2, policy, endsIn: "60s" });
  await setImage(fixture, "web:2", { readyIn: "never" });
  await fixture.clock.advance(10_000);
  expect(await sizes(fixture)).toEqual(row.started);
  expect(await podCount(fixture)).toMatch(/\+2T$/);
  await scaleTo(fixture, 30);
  await fixture.clock.advance(10_000);
  expect(await sizes(fixture)).toEqual(row.scaled);
  expect(await marks(fixture)).toEqual(row.marks);
  await fixture.clock.advance(60_000);
  expect(await sizes(fixture)).toEqual(row.ended);
  expect(await marks(fixture)).toEqual(["30/33", "30/33"]);
});

// A rollout of 100 while 15 Pods that were evicted are ending, scaled to 120 in its midst.
test.for([
  { ...withoutPolicy, started: [20, 100], scaled: [23, 117], marks: ["120/140", "120/140"] },
  { ...underStarted, started: [20, 100], scaled: [23, 117], marks: ["120/140", "120/140"] },
  { ...underComplete, started: [5, 100], scaled: [5, 116], marks: ["100/120/5", "100/120/100"] },
  { ...gatedOff, started: [20, 100], scaled: [23, 117], marks: ["120/140", "120/140"] },
])("a large rollout is scaled in its midst $under", async (row) => {
  const fixture = await startUnder(row);
  await deployed(fixture, {
    replicas: 100,
    maxSurge: 20,
    policy: row.policy,
    spec: { progressDeadlineSeconds: 3600 },
  });
  await evict(fixture, (await podsOf(fixture)).slice(0, 15), "300s");
  await fixture.clock.advance(10_000);
  expect(await podCount(fixture)).toBe("100+15T");
  await setImage(fixture, "web:2", { readyIn: "200s" });
  await fixture.clock.advance(10_000);
  expect(await sizes(fixture)).toEqual(row.started);
  expect(await statusOf(fixture)).toMatchObject({ terminatingReplicas: 15 });
  // Evicted in its turn: four of the new revision's own.
  const young = (await podsOf(fixture)).filter((pod) => pod.spec.containers?.[0]?.image === "web:2");
  await evict(fixture, young.slice(0, 4), "300s");
  await fixture.clock.advance(10_000);
  await scaleTo(fixture, 120);
  await fixture.clock.advance(10_000);
  expect(await sizes(fixture)).toEqual(row.scaled);
  expect(await marks(fixture)).toEqual(row.marks);

  // How it ends is as much work as all that was before, and the same for those who do not wait.
  if (row.under === underStarted.under || row.under === gatedOff.under) return;
  await fixture.clock.advance(60 * 60_000);
  expect(await sizes(fixture)).toEqual([120, 0]);
  expect((await marks(fixture))[0]).toBe("120/140");
  expect(await statusOf(fixture)).toMatchObject({
    replicas: 120,
    availableReplicas: 120,
    terminatingReplicas: 0,
  });
  expect(progressOf(await stored(fixture))).toBe("NewReplicaSetAvailable");
});

// Four replicas without surge, one of which is left while three are ending; then four are wanted again.
test.for([
  { name: "is set", from: undefined, to: "TerminationComplete", held: "4+3T", after: "4+3T" },
  {
    name: "is set with the scale",
    from: undefined,
    to: "TerminationComplete",
    isAtOnce: true,
    after: "1+3T",
  },
  { name: "is taken away", from: "TerminationComplete", to: null, held: "1+3T", after: "4+3T" },
  { name: "is changed", from: "TerminationComplete", to: "TerminationStarted", held: "1+3T", after: "4+3T" },
  {
    name: "is changed back",
    from: "TerminationStarted",
    to: "TerminationComplete",
    held: "4+3T",
    after: "4+3T",
  },
  {
    name: "is changed with the gate off",
    from: "TerminationComplete",
    to: null,
    gates: gatedOff.controllerGates,
    held: "4+3T",
    after: "4+3T",
  },
] as const)("a policy that $name in mid-flight holds from then on", async ({ from, to, after, ...row }) => {
  const fixture = await startDeploymentFixture("gates" in row ? { controllerGates: row.gates } : {});
  await deployed(fixture, { replicas: 4, maxSurge: 0, maxUnavailable: 1, policy: from, endsIn: "60s" });
  await scaleTo(fixture, 1);
  await fixture.clock.advance(1000);
  if ("held" in row) {
    await scaleTo(fixture, 4);
    await fixture.clock.advance(1000);
    expect(await podCount(fixture)).toBe(row.held);
    await patch(fixture, { spec: { podReplacementPolicy: to } });
  } else await patch(fixture, { spec: { podReplacementPolicy: to, replicas: 4 } });
  await fixture.clock.advance(1000);
  expect(await podCount(fixture)).toBe(after);
  await fixture.clock.advance(90_000);
  expect(await podCount(fixture)).toBe("4");
  expect(await marks(fixture)).toEqual(["4/4"]);
});

test.for(policyCases)(
  "a scale that is taken back to what there is comes to rest $under",
  async (policyCase) => {
    const { policy, effective } = policyCase;
    const fixture = await startUnder(policyCase);
    await deployed(fixture, { replicas: 10, maxSurge: 0, maxUnavailable: 1, policy });
    await evict(fixture, (await podsOf(fixture)).slice(0, 2), "300s");
    await fixture.clock.advance(5000);
    await scaleTo(fixture, 14);
    await fixture.clock.advance(5000);
    const isHeldBack = effective === "TerminationComplete";
    expect(await marks(fixture)).toEqual([isHeldBack ? "10/10/10" : "14/14"]);
    expect(await sizes(fixture)).toEqual([isHeldBack ? 12 : 14]);
    await scaleTo(fixture, 12);
    await fixture.clock.advance(5000);
    expect(await marks(fixture)).toEqual(["12/12"]);
    await setImage(fixture, "web:2");
    await fixture.clock.advance(10 * 60_000);
    expect(await sizes(fixture)).toEqual([12, 0]);
  },
);

test("while a scale waits nothing is written, except that its deadline has passed", async () => {
  const fixture = await startUnder(underComplete);
  await deployed(fixture, { replicas: 4, maxSurge: 0, maxUnavailable: 1, ...underComplete, endsIn: "3000s" });
  await scaleTo(fixture, 1);
  await fixture.clock.advance(1000);
  await scaleTo(fixture, 4);
  await fixture.clock.advance(1000);
  const before = fixture.controllers.requests.length;
  await fixture.clock.advance(20 * 60_000);
  expect(fixture.controllers.requests.slice(before)).toMatchObject([
    { verb: "update", subresource: "status" },
  ]);
  expect(progressOf(await stored(fixture))).toBe("ProgressDeadlineExceeded");
});

test.for(policyCases)(
  "the scale subresource shows and sets the replicas, and knows how to find the Pods $under",
  async (policyCase) => {
    const fixture = await startUnder(policyCase);
    await deployed(fixture, { policy: policyCase.policy });
    const body = { spec: { replicas: 5 } };
    const answer = await fixture.client.patch(deployments, at("web"), {
      type: "merge",
      body,
      subresource: "scale",
    });
    expect(answer).toMatchObject({ kind: "Scale", spec: { replicas: 5 }, status: { selector: "app=web" } });
    await fixture.clock.advance(10_000);
    expect(await podCount(fixture)).toBe("5");
  },
);
