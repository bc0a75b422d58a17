import { describe, expect, test } from "vitest";
import { defaultFeatureGates } from "../../api/feature-gates.ts";
import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import { replicaSet, type ReplicaSetTraits } from "../../testing/replica-set.ts";
import { rolloutState } from "../../testing/rollout-state.ts";
import { applyToState } from "./action.ts";
import { countAnnotation } from "./annotations.ts";
import { sizeOf } from "./counts.ts";
import { revisionsWithNew } from "./revisions.ts";
import { heldBackScales } from "./held-back-scales.cases.ts";
import type { After } from "./partial-scale.cases.ts";
import { plainScales } from "./plain-scales.cases.ts";
import { proposedScales } from "./proposed-scales.cases.ts";
import { proportionalGain, proportionalShares } from "./proportional-scale.ts";
import { scaleReplicaSets } from "./scale.ts";

/** ReplicaSets from the youngest on, none of whose Pods is available. */
function family(traits: readonly ReplicaSetTraits[]): readonly ReplicaSet[] {
  return traits.map((each, index) =>
    replicaSet(`rs${index + 1}`, { available: 0, ...each, createdAt: `2026-01-0${9 - index}T00:00:00Z` }),
  );
}

function afterScale(
  replicaSets: readonly ReplicaSet[],
  traits: Parameters<typeof rolloutState>[0],
  gates = defaultFeatureGates,
) {
  const state = rolloutState(traits, replicaSets, { gates });
  const result = scaleReplicaSets(revisionsWithNew(state, replicaSets[0]));
  return result.kind === "proceed" ? result.actions.reduce(applyToState, state).replicaSets : [];
}

function remembered(each: ReplicaSet): After {
  const read = (name: string) => countAnnotation(each, `deployment.kubernetes.io/${name}`);
  const [desired = -1, max = -1] = [read("desired-replicas"), read("max-replicas")];
  const before = read("replicaset-replicas-before-scale");
  return before === undefined ? [sizeOf(each), desired, max] : [sizeOf(each), desired, max, before];
}

describe.for([
  { under: "without a policy", policy: null },
  { under: "under TerminationStarted", policy: "TerminationStarted" },
  { under: "under TerminationComplete with the gate off", policy: "TerminationComplete", isOff: true },
] as const)("$under a scale", ({ policy, ...circumstance }) => {
  const gates = { ...defaultFeatureGates, DeploymentPodReplacementPolicy: !("isOff" in circumstance) };

  test.for(plainScales)("$name", ({ from, to, surge = 0, surgeBefore = 0, sizes, want }) => {
    const start = family(
      sizes.map((size) => ({ size, terminating: 9, desired: from, max: from + surgeBefore })),
    );
    const after = afterScale(start, { replicas: to, maxSurge: surge, policy }, gates);
    expect(after.map(remembered)).toEqual(want.map((size) => [size, to, to + surge]));
  });
});

const partialScales = [...proposedScales, ...heldBackScales];

test.for(partialScales)("under TerminationComplete a scale survives $name", ({ surge, start, passes }) => {
  let replicaSets = family(start);
  for (const { replicas, terminating, want } of passes) {
    const reported = replicaSets.map((each, index) => withTerminating(each, terminating[index] ?? 0));
    replicaSets = afterScale(reported, { replicas, maxSurge: surge, policy: "TerminationComplete" });
    expect(replicaSets.map(remembered)).toEqual(want);
    replicaSets = replicaSets.map(synced);
  }
});

function withTerminating(each: ReplicaSet, terminatingReplicas: number): ReplicaSet {
  return { ...each, status: { replicas: 0, ...each.status, terminatingReplicas } };
}

function synced(each: ReplicaSet): ReplicaSet {
  return { ...each, status: { replicas: sizeOf(each), observedGeneration: each.metadata.generation ?? 0 } };
}

describe("the row in which the proposal departs from its own arithmetic", () => {
  const inFlight = { desired: 100, max: 110 };
  const replicaSets = family([
    { size: 59, ...inFlight, before: 50, terminating: 15 },
    { size: 35, desired: 120, max: 130 },
    { size: 21, ...inFlight, before: 20 },
  ]);
  const state = rolloutState({ replicas: 130, maxSurge: 10, policy: "TerminationComplete" }, replicaSets);
  test.for([
    { name: "66/38/21 when those in flight are deferred", deferInFlight: true, want: [66, 38, 21] },
    { name: "64/38/23 when they are not", deferInFlight: false, want: [64, 38, 23] },
  ])("is $name", ({ deferInFlight, want }) => {
    const shares = proportionalShares(revisionsWithNew(state, replicaSets[0]), { deferInFlight });
    expect(shares?.map(({ size }) => size)).toEqual(want);
  });

  test("comes from the proposal's first draft, whose second row was another", () => {
    const draft = family([
      { size: 61, desired: 120, max: 130, terminating: 15 },
      { size: 34, ...inFlight, before: 30 },
      { size: 20, ...inFlight, before: 20 },
    ]);
    const shares = proportionalShares(revisionsWithNew({ ...state, replicaSets: draft }, draft[0]), {
      deferInFlight: false,
    });
    expect(shares?.map(({ size }) => size)).toEqual([66, 38, 21]);
  });
});

describe("a ReplicaSet's proportional gain", () => {
  test.for([
    { name: "is its part of the new total", traits: { size: 50, max: 110 }, replicas: 120, want: 9 },
    { name: "is a loss when the total shrinks", traits: { size: 50, max: 130 }, replicas: 100, want: -8 },
    { name: "is everything at no replicas", traits: { size: 50, max: 110 }, replicas: 0, want: -50 },
    {
      name: "falls back to the reported Pods without a record",
      traits: { size: 50 },
      replicas: 120,
      want: 15,
    },
    { name: "falls back to them with a record of 0", traits: { size: 50, max: 0 }, replicas: 120, want: 15 },
    {
      name: "falls back to them with a record that is none",
      traits: { size: 50, max: "x" },
      replicas: 120,
      want: 15,
    },
    {
      name: "starts from the size before a scale that is held back",
      traits: { size: 47, max: 130, before: 50 },
      policy: "TerminationComplete",
      replicas: 100,
      want: -5,
    },
    {
      name: "forgets that size when the policy is gone",
      traits: { size: 55, max: 100, before: 50 },
      replicas: 110,
      want: 11,
    },
    {
      name: "ignores a size of 0 before the scale",
      traits: { size: 50, max: 110, before: 0 },
      policy: "TerminationComplete",
      replicas: 120,
      want: 9,
    },
  ] as const)("$name", ({ traits, replicas, want, ...more }) => {
    const replicaSets = family([traits]);
    const state = rolloutState({ replicas, maxSurge: 10, status: { replicas: 100 }, ...more }, replicaSets);
    expect(proportionalGain(replicaSets[0] ?? replicaSet("none"), revisionsWithNew(state, undefined))).toBe(
      want,
    );
  });

  test("is nothing without annotations and statuses", () => {
    const [only = replicaSet("none")] = family([{ size: 50 }]);
    expect(proportionalGain(only, revisionsWithNew(rolloutState({ replicas: 120 }, [only]), undefined))).toBe(
      0,
    );
  });
});
