import { describe, expect, test } from "vitest";
import type { ReplicaSet } from "../../src/api/generated/apps-v1.ts";
import { deployments, replicaSets } from "../../src/api/resources.ts";
import type { JsonObject } from "../../src/api/json.ts";
import { podReplacementPolicyAnnotation } from "../../src/api/workload-settings.ts";
import { podCount, startPodCensus } from "./pod-census.ts";
import { policyCases, startUnder, underComplete } from "./policy-cases.ts";
import { web } from "./builders.ts";
import {
  deploy,
  deployed,
  eventsOf,
  evict,
  marks,
  patch,
  podsOf,
  progressOf,
  revisions,
  scaleTo,
  setImage,
  sizes,
  stored,
} from "./web.ts";
import { startDeploymentFixture, type DeploymentFixture } from "./fixture.ts";

const budgets = (maxSurge: unknown, maxUnavailable: unknown) => ({
  strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge, maxUnavailable } as JsonObject },
});

test.for([
  {
    name: "an unknown policy",
    spec: { podReplacementPolicy: "WhenItSuits" },
    says: 'spec.podReplacementPolicy: Unsupported value: "WhenItSuits": supported values: "TerminationComplete", "TerminationStarted"',
  },
  {
    name: "an empty policy",
    spec: { podReplacementPolicy: "" },
    says: "spec.podReplacementPolicy: Unsupported value",
  },
  {
    name: "negative replicas",
    spec: { replicas: -1 },
    says: "spec.replicas: Invalid value: -1: must be greater than or equal to 0",
  },
  {
    name: "a negative surge",
    spec: budgets(-1, 1),
    says: "spec.strategy.rollingUpdate.maxSurge: Invalid value: -1",
  },
  {
    name: "both budgets zero",
    spec: budgets(0, 0),
    says: "spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0",
  },
  {
    name: "both budgets zero in percent",
    spec: budgets("0%", "0%"),
    says: "may not be 0 when `maxSurge` is 0",
  },
  {
    name: "a percentage that is none",
    spec: budgets("ten", 1),
    says: "spec.strategy.rollingUpdate.maxSurge: Invalid value",
  },
  {
    name: "more unavailable than there are",
    spec: budgets(1, "101%"),
    says: "spec.strategy.rollingUpdate.maxUnavailable: Invalid value",
  },
  {
    name: "a selector that does not match",
    spec: { selector: { matchLabels: { app: "other" } } },
    says: "`selector` does not match template `labels`",
  },
  { name: "an empty selector", spec: { selector: {} }, says: "empty selector is invalid for deployment" },
  {
    name: "a deadline before readiness",
    spec: { minReadySeconds: 9, progressDeadlineSeconds: 9 },
    says: "must be greater than minReadySeconds",
  },
])("$name is refused, in words", async ({ spec, says }) => {
  const fixture = await startDeploymentFixture();
  const { metadata, spec: sound } = web();
  const refusal = fixture.client.create(deployments, { metadata, spec: { ...sound, ...spec } });
  await expect(refusal).rejects.toThrow(says);
  await expect(refusal).rejects.toThrow('Deployment.apps "web" is invalid');
});

test("a selector cannot be changed", async () => {
  const fixture = await startDeploymentFixture();
  await deploy(fixture);
  const labels = { app: "other" };
  const body = { spec: { selector: { matchLabels: labels }, template: { metadata: { labels } } } };
  await expect(patch(fixture, body)).rejects.toThrow("field is immutable");
});

async function annotate(fixture: DeploymentFixture, annotations: JsonObject): Promise<void> {
  for (const { metadata } of await revisions(fixture)) {
    await fixture.client.patch(replicaSets, metadata, { type: "merge", body: { metadata: { annotations } } });
  }
  await fixture.clock.settle();
}

/** A user gives a ReplicaSet another size. */
async function inflate(
  fixture: DeploymentFixture,
  replicaSet: ReplicaSet | undefined,
  replicas: number,
): Promise<void> {
  const { metadata } = replicaSet ?? expect.fail("no ReplicaSet");
  await fixture.client.patch(replicaSets, metadata, { type: "merge", body: { spec: { replicas } } });
}

const mark = (name: string, value: string | null) => ({ [`deployment.kubernetes.io/${name}`]: value });
const hugeNumber = "99999999999999999999";

describe.for(policyCases)("$under", (policyCase) => {
  const { policy, effective } = policyCase;

  // Whatever stands in the annotations, a Deployment gets where it wants, and no Pod too many is made on the way.
  test.for([
    { name: "a desired size that is another", annotations: mark("desired-replicas", "7") },
    { name: "a desired size that is none", annotations: mark("desired-replicas", "many") },
    { name: "no desired size", annotations: mark("desired-replicas", null) },
    { name: "a largest size of zero", annotations: mark("max-replicas", "0") },
    { name: "a largest size beyond all numbers", annotations: mark("max-replicas", hugeNumber) },
    {
      name: "a size before a scale that never was",
      annotations: mark("replicaset-replicas-before-scale", "40"),
    },
    {
      name: "a size before a scale that is none",
      annotations: mark("replicaset-replicas-before-scale", "-3"),
    },
    { name: "a revision that is none", annotations: mark("revision", "first") },
    { name: "the last revision there can be", annotations: mark("revision", "9223372036854775807") },
    { name: "a rollback that is none", annotations: { "deprecated.deployment.rollback.to": "soon" } },
  ])("$name is survived: scales and rollouts still happen", async ({ annotations }) => {
    const fixture = await startUnder(policyCase);
    const budget = { replicas: 4, maxSurge: 1, maxUnavailable: 1 };
    await deployed(fixture, { policy, ...budget, spec: { progressDeadlineSeconds: 600 } });
    await setImage(fixture, "web:2", { readyIn: "20s" });
    await fixture.clock.advance(3000);
    await annotate(fixture, annotations);
    const census = await startPodCensus(fixture);
    await scaleTo(fixture, 6);
    await fixture.clock.advance(5000);
    await annotate(fixture, annotations);
    await setImage(fixture, "web:3");
    await fixture.clock.advance(20 * 60_000);
    expect(census.mostActive).toBeLessThanOrEqual(7);
    if (effective === "TerminationComplete") expect(census.mostPods).toBeLessThanOrEqual(7);
    expect(await podCount(fixture)).toBe("6");
    expect(progressOf(await stored(fixture))).toBe("NewReplicaSetAvailable");
  });

  test.for([
    { name: "the new one", index: 0 },
    { name: "an old one", index: 1 },
  ])("a ReplicaSet inflated by hand is brought back: $name", async ({ index }) => {
    const fixture = await startUnder(policyCase);
    await deployed(fixture, { policy, replicas: 4, maxSurge: 1, maxUnavailable: 1 });
    await setImage(fixture, "web:2");
    await fixture.clock.advance(60_000);
    await inflate(fixture, (await revisions(fixture))[index], 20);
    await fixture.clock.advance(5 * 60_000);
    expect(await sizes(fixture)).toEqual([4, 0]);
    expect(await podCount(fixture)).toBe("4");
  });

  test("a ReplicaSet inflated in the midst of a rollout leads to no add beyond the budget", async () => {
    const fixture = await startUnder(policyCase);
    await deployed(fixture, { policy, replicas: 4, maxSurge: 1, maxUnavailable: 1, endsIn: "20s" });
    await setImage(fixture, "web:2", { readyIn: "10s" });
    await fixture.clock.advance(5000);
    const [, old] = await revisions(fixture);
    await inflate(fixture, old, 9);
    await fixture.clock.advance(1000);
    const before = (await revisions(fixture))[0]?.spec.replicas;
    // Where terminating Pods hold no place, it grows again as soon as the surplus is on its way out.
    await fixture.clock.advance(effective === "TerminationComplete" ? 10_000 : 2000);
    expect((await revisions(fixture))[0]?.spec.replicas).toBe(before);
    await fixture.clock.advance(10 * 60_000);
    expect(await sizes(fixture)).toEqual([4, 0]);
  });

  test("a recreated Deployment whose only ReplicaSet was inflated by hand is brought back", async () => {
    const fixture = await startUnder(policyCase);
    await deployed(fixture, { policy, strategy: "Recreate", replicas: 2 });
    await inflate(fixture, (await revisions(fixture))[0], 9);
    await fixture.clock.advance(60_000);
    expect(await sizes(fixture)).toEqual([2]);
  });

  test("a stale note of a size, alone, is brought up to date and blocks nothing", async () => {
    const fixture = await startUnder(policyCase);
    await deployed(fixture, { policy, replicas: 3 });
    await annotate(fixture, mark("desired-replicas", "9"));
    await fixture.clock.advance(1000);
    expect(await marks(fixture)).toEqual(["3/4"]);
    await setImage(fixture, "web:2");
    await fixture.clock.advance(60_000);
    expect(await sizes(fixture)).toEqual([3, 0]);
  });
});

test("Pods that never end hold a scale back, and taking the policy away is the way out", async () => {
  const fixture = await startUnder(underComplete);
  await deployed(fixture, { ...underComplete, replicas: 3, maxSurge: 0, maxUnavailable: 1 });
  await evict(fixture, (await podsOf(fixture)).slice(0, 2), "30000s");
  await fixture.clock.advance(1000);
  await scaleTo(fixture, 5);
  await fixture.clock.advance(3600_000);
  expect(await podCount(fixture)).toBe("3+2T");
  await patch(fixture, { spec: { podReplacementPolicy: null } });
  await fixture.clock.advance(5000);
  expect(await podCount(fixture)).toBe("5+2T");
  expect(await marks(fixture)).toEqual(["5/5"]);
});

test("a misspelt policy annotation is reported once, and Pods are replaced as without a policy", async () => {
  const fixture = await startDeploymentFixture();
  const annotations = { [podReplacementPolicyAnnotation]: "TerminationCompleted" };
  await deployed(fixture, { replicas: 4, maxSurge: 0, maxUnavailable: 1, annotations, endsIn: "60s" });
  await evict(fixture, (await podsOf(fixture)).slice(0, 1), "60s");
  await fixture.clock.advance(90_000);
  const reported = await eventsOf(fixture, "InvalidPodReplacementPolicy");
  expect(reported.map(({ type, count, involvedObject }) => [type, count, involvedObject.name])).toEqual([
    ["Warning", 1, "web"],
  ]);
  expect(reported[0]?.message).toContain('"TerminationCompleted"');
  await scaleTo(fixture, 1);
  await fixture.clock.advance(1000);
  await scaleTo(fixture, 4);
  await fixture.clock.advance(1000);
  expect(await podCount(fixture)).toBe("4+3T");
});
