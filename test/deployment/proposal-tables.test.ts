import { expect, test } from "vitest";
import type { ReplicaSet } from "../../src/api/generated/apps-v1.ts";
import type { Draft } from "../../src/api/object.ts";
import { controllerOf } from "../../src/api/owner-references.ts";
import { replicaSets } from "../../src/api/resources.ts";
import type { PodReplacementPolicy } from "../../src/api/workload-settings.ts";
import { count, startPodCensus } from "./pod-census.ts";
import { looseReplicaSet, type PodTraits } from "./builders.ts";
import { deploy, evict, marks, podsOf, progressOf, scaleTo, sizes, stored } from "./web.ts";
import { gatedOff, underStarted, withoutPolicy } from "./policy-cases.ts";
import { type Gates, startDeploymentFixture, type DeploymentFixture } from "./fixture.ts";

// The tables of KEP-3973, "Deployment Scaling Changes", played with Pods that really end. In each of them a rollout is
// under way with three revisions, of which RS1 is the newest: replicas 100, maxSurge 10. The revisions are put there
// as the tables begin; everything after that is the controllers' own doing.

/** Pods take a minute to start, so that nothing a scale adds becomes available, and takes part, before a table ends. */
const unhurried = { startsIn: "60s" };

type Marks = readonly [desired: number, max: number, before?: number];

interface Beginning {
  /** Of RS1, RS2 and RS3. */
  readonly sizes: readonly [number, number, number];
  readonly replicas?: number;
  /** What each of them remembers of the last scale, where that is another: desired, max, before. */
  readonly marks?: readonly [Marks, Marks, Marks];
  readonly policy?: PodReplacementPolicy | undefined;
  readonly controllerGates?: Gates;
  /** How many Pods of each revision are ending, and for how much longer once the table has begun. */
  readonly ending: readonly { readonly pods: number; readonly seconds: number }[];
  /** How long the Pods of RS1 take to become ready. */
  readonly readyIn?: string;
}

const usual: Marks = [100, 110];

async function begin(beginning: Beginning): Promise<DeploymentFixture> {
  const { sizes: wanted, policy, ending, readyIn = "0s", replicas: all = 100 } = beginning;
  const { controllerGates = {} } = beginning;
  const fixture = await startDeploymentFixture({ nodes: 6, controllerGates });
  const [first, second, third] = wanted;
  const [marks1, marks2, marks3] = beginning.marks ?? [usual, usual, usual];
  const newest = { image: "web:3", ...unhurried, readyIn };
  const revisionsOfThen = [
    { name: "rs3", replicas: third, marks: marks3, traits: { image: "web:1", ...unhurried } },
    { name: "rs2", replicas: second, marks: marks2, traits: { image: "web:2", ...unhurried } },
    { name: "rs1", replicas: first, marks: marks1, traits: newest },
  ];
  for (const [index, { name, ...then }] of revisionsOfThen.entries()) {
    await fixture.client.create(replicaSets, revision(name, { ...then, number: index + 1 }));
    await fixture.clock.advance(2000);
  }
  await fixture.clock.advance(70_000);
  // Evicted a minute ahead, so that what replaces them is available when the table begins.
  for (const { pods, seconds } of ending) {
    const running = (await podsOf(fixture)).filter(
      ({ metadata }) => metadata.deletionTimestamp === undefined,
    );
    const victims = running.filter((pod) => controllerOf(pod)?.name === "rs1");
    await evict(fixture, victims.slice(0, pods), `${70 + seconds}s`);
  }
  await fixture.clock.advance(70_000);
  await deploy(fixture, {
    ...newest,
    replicas: all,
    maxSurge: 10,
    policy,
    spec: { progressDeadlineSeconds: 36_000 },
  });
  return fixture;
}

interface RevisionOfThen {
  readonly replicas: number;
  readonly traits: PodTraits;
  readonly number: number;
  readonly marks: Marks;
}

function revision(name: string, { replicas, traits, number, marks }: RevisionOfThen): Draft<ReplicaSet> {
  const [desired, max, before] = marks;
  const annotations = {
    "deployment.kubernetes.io/revision": String(number),
    "deployment.kubernetes.io/desired-replicas": String(desired),
    "deployment.kubernetes.io/max-replicas": String(max),
    ...(before !== undefined && {
      "deployment.kubernetes.io/replicaset-replicas-before-scale": String(before),
    }),
  };
  return looseReplicaSet(name, { ...traits, replicas, annotations });
}

/** A row as the proposal writes it: terminating Pods, RS1, RS2, RS3. */
async function row(fixture: DeploymentFixture): Promise<readonly number[]> {
  return [count(await podsOf(fixture)).terminating, ...(await sizes(fixture))];
}

// "Any amount" of Pods is terminating, which changes nothing.
test.for([
  { ...withoutPolicy, terminating: 0 },
  { ...withoutPolicy, terminating: 15 },
  { ...underStarted, terminating: 15 },
  { ...gatedOff, terminating: 15 },
])(
  "table 1: with $terminating terminating Pods revisions are scaled at once, $under",
  async ({ policy, terminating, controllerGates }) => {
    const ending = terminating === 0 ? [] : [{ pods: terminating, seconds: 600 }];
    const fixture = await begin({ sizes: [60, 30, 20], policy, controllerGates, ending, readyIn: "3600s" });
    expect(await row(fixture)).toEqual([terminating, 60, 30, 20]);
    await scaleTo(fixture, 120);
    expect(await row(fixture)).toEqual([terminating, 71, 35, 24]);
    await scaleTo(fixture, 130);
    expect(await row(fixture)).toEqual([terminating, 76, 38, 26]);
  },
);

const fifteenAreEnding = {
  sizes: [50, 30, 20],
  policy: "TerminationComplete",
  ending: [
    { pods: 10, seconds: 20 },
    { pods: 5, seconds: 30 },
  ],
} as const;

test("table 2: under TerminationComplete a scale goes on as terminating Pods disappear", async () => {
  const fixture = await begin(fifteenAreEnding);
  expect(await row(fixture)).toEqual([15, 50, 30, 20]);
  await scaleTo(fixture, 120);
  const census = await startPodCensus(fixture);
  await fixture.clock.advance(10_000);
  expect(await row(fixture)).toEqual([15, 59, 35, 21]);
  expect(await marks(fixture)).toEqual(["100/110/50", "120/130", "100/110/20"]);
  await fixture.clock.advance(15_000);
  expect(await row(fixture)).toEqual([5, 66, 35, 24]);
  expect(await marks(fixture)).toEqual(["100/110/50", "120/130", "120/130"]);
  await fixture.clock.advance(10_000);
  expect(await row(fixture)).toEqual([0, 71, 35, 24]);
  expect(await marks(fixture)).toEqual(["120/130", "120/130", "120/130"]);

  await fixture.clock.advance(3600_000);
  expect(await row(fixture)).toEqual([0, 120, 0, 0]);
  expect(progressOf(await stored(fixture))).toBe("NewReplicaSetAvailable");
  expect(census.mostPods).toBe(130);
});

test("table 3: a second scale comes before the first is done", async () => {
  const fixture = await begin(fifteenAreEnding);
  expect(await row(fixture)).toEqual([15, 50, 30, 20]);
  await scaleTo(fixture, 120);
  await fixture.clock.advance(5000);
  expect(await row(fixture)).toEqual([15, 59, 35, 21]);
  await scaleTo(fixture, 130);
  const census = await startPodCensus(fixture);
  await fixture.clock.advance(5000);
  expect(await row(fixture)).toEqual([15, 66, 38, 21]);
  expect(await marks(fixture)).toEqual(["100/110/50", "130/140", "100/110/20"]);
  await fixture.clock.advance(15_000);
  expect(await row(fixture)).toEqual([5, 72, 38, 25]);
  await fixture.clock.advance(10_000);
  expect(await row(fixture)).toEqual([0, 77, 38, 25]);
  expect(await marks(fixture)).toEqual(["130/140", "130/140", "130/140"]);
  expect(census.mostPods).toBe(140);
});

// Not in a table: RS1 has more than its part already, as after the third row of table 2.
test("no ReplicaSet shrinks in a scale-up, whatever its share would be", async () => {
  const fixture = await begin({
    sizes: [66, 35, 24],
    replicas: 120,
    marks: [
      [100, 110, 50],
      [120, 130],
      [120, 130],
    ],
    policy: "TerminationComplete",
    ending: [{ pods: 8, seconds: 20 }],
    // Otherwise enough Pods were available for the rollout to go on beside the scale.
    readyIn: "3600s",
  });
  await scaleTo(fixture, 124);
  const census = await startPodCensus(fixture);
  await fixture.clock.advance(5000);
  expect(await row(fixture)).toEqual([8, 66, 36, 24]);
  expect(await marks(fixture)).toEqual(["100/110/50", "124/134", "120/130/24"]);
  await fixture.clock.advance(20_000);
  expect((await row(fixture)).reduce((sum, each) => sum + each, 0)).toBe(134);
  expect(await marks(fixture)).toEqual(["124/134", "124/134", "124/134"]);
  expect(census.mostPods).toBe(134);
});
