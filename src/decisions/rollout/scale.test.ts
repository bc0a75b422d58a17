import { describe, expect, test } from "vitest";
import { defaultFeatureGates } from "../../api/feature-gates.ts";
import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import { type DeploymentTraits } from "../../testing/deployment.ts";
import { replicaSet, type ReplicaSetTraits } from "../../testing/replica-set.ts";
import { rolloutState } from "../../testing/rollout-state.ts";
import { applyToState } from "./action.ts";
import { revisionsWithNew } from "./revisions.ts";
import { proportionalShares } from "./proportional-scale.ts";
import { isScalingEvent, scaleReplicaSets } from "./scale.ts";

interface Situation {
  readonly deployment: DeploymentTraits;
  readonly fresh?: ReplicaSetTraits;
  /** From the oldest to the youngest. */
  readonly old?: readonly ReplicaSetTraits[];
  readonly gates?: Partial<typeof defaultFeatureGates>;
}

function revisions({ deployment, fresh, old = [], gates }: Situation) {
  const newReplicaSet = fresh && replicaSet("new", { createdAt: "2026-01-09T00:00:00Z", ...fresh });
  const others = old.map((traits, index) =>
    replicaSet(`old-${index + 1}`, { createdAt: `2026-01-0${index + 1}T00:00:00Z`, ...traits }),
  );
  const replicaSets = newReplicaSet === undefined ? others : [...others, newReplicaSet];
  const state = rolloutState({ maxSurge: 0, ...deployment }, replicaSets, {
    gates: { ...defaultFeatureGates, ...gates },
  });
  return revisionsWithNew(state, newReplicaSet);
}

function show({ metadata, spec }: ReplicaSet): string {
  const read = (name: string) => metadata.annotations?.[`deployment.kubernetes.io/${name}`] ?? "–";
  const before = read("replicaset-replicas-before-scale");
  return `${metadata.name}=${spec.replicas} (${read("desired-replicas")}, ${read("max-replicas")}, ${before})`;
}

function scaled(situation: Situation): readonly string[] | string {
  const before = revisions(situation);
  const result = scaleReplicaSets(before);
  if (result.kind === "wait") return `unknown: ${result.limitedBy.replicaSets.join(" ")}`;
  return result.actions.flatMap((action) =>
    action.kind === "update-replica-set"
      ? [
          show(
            applyToState(before, action).replicaSets.find(
              ({ metadata }) => metadata.name === action.replicaSet.metadata.name,
            ) ?? action.replicaSet,
          ),
        ]
      : [],
  );
}

const complete = "TerminationComplete";

describe("scaling one ReplicaSet", () => {
  test.for<Situation & { name: string; want: readonly string[] | string }>([
    {
      name: "goes straight to the replicas",
      deployment: { replicas: 14 },
      fresh: { size: 10 },
      want: ["new=14 (14, 14, –)"],
    },
    {
      name: "goes straight there under Recreate",
      deployment: { replicas: 14, strategy: "Recreate" },
      fresh: { size: 10, terminating: 4 },
      want: ["new=14 (14, 14, –)"],
    },
    {
      name: "goes straight there under TerminationStarted",
      deployment: { replicas: 14, policy: "TerminationStarted" },
      fresh: { size: 10, terminating: 4 },
      want: ["new=14 (14, 14, –)"],
    },
    {
      name: "scales the only active one even if it is old",
      deployment: { replicas: 5 },
      fresh: { size: 0 },
      old: [{ size: 3 }],
      want: ["old-1=5 (5, 5, –)"],
    },
    {
      name: "gives everything to the new one when none is active",
      deployment: { replicas: 6 },
      fresh: { size: 0 },
      old: [{ size: 0 }, { size: 0 }],
      want: ["new=6 (6, 6, –)"],
    },
    {
      name: "gives everything to the youngest when none is active or new",
      deployment: { replicas: 6 },
      old: [{ size: 0 }, { size: 0 }],
      want: ["old-2=6 (6, 6, –)"],
    },
    {
      name: "takes everything",
      deployment: { replicas: 0, maxSurge: 2 },
      fresh: { size: 6 },
      want: ["new=0 (0, 2, –)"],
    },
    { name: "has nothing to do without ReplicaSets", deployment: { replicas: 6 }, want: [] },
    {
      name: "has nothing to do at no replicas",
      deployment: { replicas: 0 },
      fresh: { size: 0, desired: 4 },
      want: [],
    },
    {
      name: "refreshes an outdated record at the right size",
      deployment: { replicas: 10 },
      fresh: { size: 10, desired: 7, max: 7 },
      want: ["new=10 (10, 10, –)"],
    },
    {
      name: "writes a missing record at the right size",
      deployment: { replicas: 10 },
      fresh: { size: 10 },
      want: ["new=10 (10, 10, –)"],
    },
    {
      name: "has nothing to do when size and record are right",
      deployment: { replicas: 10 },
      fresh: { size: 10, desired: 10, max: 10 },
      want: [],
    },
    {
      name: "forgets a scale that is over",
      deployment: { replicas: 10 },
      fresh: { size: 10, desired: 10, max: 10, before: 8 },
      want: ["new=10 (10, 10, –)"],
    },
    {
      name: "neither reads nor removes the record of a partial scale with the gate off",
      deployment: { replicas: 10, policy: complete },
      gates: { DeploymentPodReplacementPolicy: false },
      fresh: { size: 9, desired: 8, max: 8, before: 8, terminating: 5 },
      want: ["new=10 (10, 10, 8)"],
    },
  ])("$name", ({ want, ...situation }) => {
    expect(scaled(situation)).toEqual(want);
  });
});

describe("scaling one ReplicaSet under TerminationComplete", () => {
  const from10 = { size: 10, desired: 10, max: 10 };
  test.for<Situation & { name: string; want: readonly string[] | string }>([
    {
      name: "leaves places for two terminating Pods",
      deployment: { replicas: 14, policy: complete },
      fresh: { ...from10, terminating: 2 },
      want: ["new=12 (10, 10, 10)"],
    },
    {
      name: "leaves a place for a Pod yet to be deleted",
      deployment: { replicas: 14, policy: complete },
      fresh: { ...from10, pods: 11 },
      want: ["new=13 (10, 10, 10)"],
    },
    {
      name: "does the same under Recreate",
      deployment: { replicas: 14, strategy: "Recreate", policy: complete },
      fresh: { ...from10, terminating: 2 },
      want: ["new=12 (10, 10, 10)"],
    },
    {
      name: "uses the surge",
      deployment: { replicas: 14, maxSurge: 3, policy: complete },
      fresh: { size: 10, desired: 10, max: 13, terminating: 4 },
      want: ["new=13 (10, 13, 10)"],
    },
    {
      name: "finishes when the last has ended",
      deployment: { replicas: 14, maxSurge: 3, policy: complete },
      fresh: { size: 13, desired: 10, max: 13, before: 10 },
      want: ["new=14 (14, 17, –)"],
    },
    {
      name: "remembers even when nothing can be added",
      deployment: { replicas: 14, policy: complete },
      fresh: { ...from10, terminating: 9 },
      want: ["new=10 (10, 10, 10)"],
    },
    {
      name: "writes nothing while it waits",
      deployment: { replicas: 14, policy: complete },
      fresh: { ...from10, before: 10, terminating: 9 },
      want: [],
    },
    {
      name: "shrinks at once",
      deployment: { replicas: 8, policy: complete },
      fresh: { size: 12, desired: 10, max: 10, before: 10, terminating: 9 },
      want: ["new=8 (8, 8, –)"],
    },
    {
      name: "is done when the replicas come to meet it",
      deployment: { replicas: 12, policy: complete },
      fresh: { size: 12, desired: 10, max: 10, before: 10, terminating: 9 },
      want: ["new=12 (12, 12, –)"],
    },
    {
      name: "leaves places while paused",
      deployment: { replicas: 10, paused: true, policy: complete },
      fresh: { size: 2, desired: 2, max: 2, terminating: 2 },
      want: ["new=8 (2, 2, 2)"],
    },
    {
      name: "begins again from nothing",
      deployment: { replicas: 10, paused: true, policy: complete },
      fresh: { size: 0, desired: 2, max: 2, terminating: 2 },
      want: ["new=8 (2, 2, 0)"],
    },
    {
      name: "has nothing to remember where there are no Pods and none can be added",
      deployment: { replicas: 10, paused: true, policy: complete },
      fresh: { size: 0, desired: 2, max: 2, terminating: 10 },
      want: [],
    },
    {
      name: "cannot tell when an idle ReplicaSet keeps silent",
      deployment: { replicas: 14, policy: complete },
      fresh: from10,
      old: [{ size: 0, terminating: null }],
      want: "unknown: old-1",
    },
    {
      name: "waits for one that has yet to report on its size",
      deployment: { replicas: 14, policy: complete },
      fresh: from10,
      old: [{ size: 0, generation: 3, observedGeneration: 2 }],
      want: [],
    },
    {
      name: "ends at once when the policy is taken away",
      deployment: { replicas: 14 },
      fresh: { size: 12, desired: 10, max: 10, before: 10, terminating: 9 },
      want: ["new=14 (14, 14, –)"],
    },
  ])("$name", ({ want, ...situation }) => {
    expect(scaled(situation)).toEqual(want);
  });
});

describe("scaling several ReplicaSets", () => {
  test.for<Situation & { name: string; want: readonly string[] | string }>([
    {
      name: "drains the old ones once the new one is saturated, the youngest first",
      deployment: { replicas: 5 },
      fresh: { size: 5, desired: 5 },
      old: [{ size: 2 }, { size: 0 }, { size: 3 }],
      want: ["old-3=0 (5, 5, –)", "old-1=0 (5, 5, –)"],
    },
    {
      name: "does not drain them for a new one that is not available",
      deployment: { replicas: 5 },
      fresh: { size: 5, available: 4, desired: 5, max: 5 },
      old: [{ size: 2, max: 5 }],
      want: ["new=3 (5, 5, –)", "old-1=2 (5, 5, –)"],
    },
    {
      name: "does not drain them for a new one that was sized for other replicas",
      deployment: { replicas: 5 },
      fresh: { size: 5, desired: 4, max: 5 },
      old: [{ size: 2, desired: 4, max: 5 }],
      want: ["new=3 (5, 5, –)", "old-1=2 (5, 5, –)"],
    },
    {
      name: "does not drain them for one that does not say for how many it was sized",
      deployment: { replicas: 5 },
      fresh: { size: 5, desired: "five", max: 5 },
      old: [{ size: 2, desired: 4, max: 5 }],
      want: ["new=3 (5, 5, –)", "old-1=2 (5, 5, –)"],
    },
    {
      name: "leaves them alone beside a new one that has all Pods, none of which works",
      deployment: { replicas: 2, maxSurge: 1, maxUnavailable: 1 },
      fresh: { size: 2, available: 0, desired: 2, max: 3 },
      old: [{ size: 1, desired: 2, max: 3 }],
      want: [],
    },
    {
      name: "leaves them to the rollout under Recreate",
      deployment: { replicas: 5, strategy: "Recreate" },
      fresh: { size: 3, desired: 4 },
      old: [{ size: 2 }],
      want: [],
    },
    {
      name: "only refreshes records when nothing is to be added, the old ones first",
      deployment: { replicas: 5 },
      fresh: { size: 2, desired: 4, max: 4 },
      old: [
        { size: 1, desired: 4 },
        { size: 2, desired: 4 },
      ],
      want: ["old-2=2 (5, 5, –)", "old-1=1 (5, 5, –)", "new=2 (5, 5, –)"],
    },
    {
      name: "goes on after a pass that was cut short",
      deployment: { replicas: 5 },
      fresh: { size: 2, desired: 5, max: 5, available: 0 },
      old: [
        { size: 1, desired: 4, max: 4, available: 0 },
        { size: 2, desired: 5, max: 5, available: 0 },
      ],
      want: ["old-1=1 (5, 5, –)"],
    },
    {
      name: "cannot tell when one keeps silent",
      deployment: { replicas: 9, policy: complete },
      fresh: { size: 2, desired: 5, max: 5, available: 0 },
      old: [{ size: 3, terminating: null }],
      want: "unknown: old-1",
    },
  ])("$name", ({ want, ...situation }) => {
    expect(scaled(situation)).toEqual(want);
  });
});

test("a scale-down never adds beyond the surge, whatever the annotations ask for", () => {
  const situation = {
    deployment: { replicas: 3 },
    fresh: { size: 3, available: 0, desired: 1, max: 3 },
    old: [{ size: 2, available: 0, desired: 1, max: 1 }],
  };
  // Kubernetes: the old one is to triple, and the new one cannot give up enough for that.
  const upstream = scaleReplicaSets(revisions(situation), proportionalShares);
  expect(upstream).toMatchObject({
    actions: [{ replicaSet: { spec: { replicas: 0 } } }, {}, { replicaSet: { spec: { replicas: 6 } } }, {}],
  });
  expect(scaled(situation)).toEqual(["new=1 (3, 3, –)", "old-1=2 (3, 3, –)"]);
});

describe("a scaling event", () => {
  test.for<Situation & { name: string; want: boolean }>([
    { name: "is a record of other replicas", deployment: { replicas: 5 }, fresh: { desired: 4 }, want: true },
    {
      name: "is such a record of an old ReplicaSet",
      deployment: { replicas: 5 },
      fresh: { desired: 5 },
      old: [{ desired: 4 }],
      want: true,
    },
    {
      name: "is none on an idle ReplicaSet",
      deployment: { replicas: 5 },
      fresh: { desired: 5 },
      old: [{ size: 0, desired: 4 }],
      want: false,
    },
    {
      name: "is not a record that cannot be read",
      deployment: { replicas: 5 },
      fresh: { desired: "four" },
      want: false,
    },
    { name: "is not a missing record", deployment: { replicas: 5 }, fresh: {}, want: false },
    {
      name: "is a scale that is held back, whatever the policy is now",
      deployment: { replicas: 5 },
      fresh: { desired: 5, before: 3 },
      want: true,
    },
    {
      name: "is not one that cannot be read",
      deployment: { replicas: 5 },
      fresh: { desired: 5, before: "x" },
      want: false,
    },
    {
      name: "is not one with the gate off",
      deployment: { replicas: 5 },
      gates: { DeploymentPodReplacementPolicy: false },
      fresh: { desired: 5, before: 3 },
      want: false,
    },
    {
      name: "is left to the rollout when Recreate has several to end",
      deployment: { replicas: 5, strategy: "Recreate" },
      fresh: { desired: 4 },
      old: [{ desired: 4 }],
      want: false,
    },
    {
      name: "is one again when Recreate has ended all but one",
      deployment: { replicas: 5, strategy: "Recreate" },
      fresh: { desired: 4 },
      old: [{ size: 0 }],
      want: true,
    },
  ])("$name", ({ want, ...situation }) => {
    expect(isScalingEvent(revisions(situation))).toBe(want);
  });
});
