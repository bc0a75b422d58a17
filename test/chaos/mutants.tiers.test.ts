import { expect, test } from "vitest";
import { podsWithinSurge } from "./invariants/pods-within-surge.ts";
import { rolloutBudgetAsReported, rolloutBudgetInFact } from "./invariants/rollout-budget.ts";
import { findScenario } from "./scenarios/scenarios.ts";
import { perTier } from "../tier.ts";
import { firstViolation } from "./first-violation.ts";
import {
  type Mutation,
  readingReplicaSetStatus,
  withoutExpectations,
  withoutGuards,
  withBoth,
  withoutReadingOwnWrites,
  withoutSeeingDeletions,
  withoutUids,
} from "./mutations.ts";

interface FaultMutant {
  readonly name: string;
  readonly mutation: Mutation;
  readonly invariants: readonly string[];
  /** The first seed; absent: 0. */
  readonly first?: number;
}

// Faults have to bite: where a guard is missing, they find it.
const withFaults: readonly FaultMutant[] = [
  {
    name: "UIDs are not checked",
    mutation: withoutUids,
    // The second: the kubelet reports a Pod that is gone as running, and another Pod of its name has no node yet.
    invariants: ["uid-respected", "bound-once"],
  },
  {
    name: "controllers neither expect nor wait to read what they wrote",
    mutation: withoutGuards,
    invariants: ["no-creation-beyond-shortage", "no-deletion-beyond-surplus"],
  },
  {
    name: "controllers expect nothing",
    mutation: withoutExpectations,
    invariants: ["no-deletion-beyond-surplus"],
  },
  {
    name: "controllers do not wait to read what they wrote",
    mutation: withoutReadingOwnWrites,
    invariants: ["no-creation-beyond-shortage", "rollout-budget-as-reported"],
    // Expectations alone are nearly enough: about one run in a hundred shows it, so this begins near one that does.
    first: 310,
  },
];

test.for(perTier({ unit: withFaults, full: [] }))(
  "within 200 runs it is noticed when $name",
  async ({ mutation, invariants, first = 0 }) => {
    const { violation } = (await firstViolation({ mutation, first, count: 200 })) ?? {};
    expect(invariants).toContain(violation?.invariant);
  },
);

const rollouts = [
  {
    name: "terminating Pods are overlooked",
    mutation: withBoth(
      readingReplicaSetStatus((status) => ({ ...status, terminatingReplicas: 0 })),
      withoutSeeingDeletions,
    ),
    scenario: "rollout-growing",
    invariant: podsWithinSurge,
  },
  {
    name: "Pods that were deleted by hand are overlooked until they are reported",
    mutation: withoutSeeingDeletions,
    scenario: "rollout-deletions",
    invariant: rolloutBudgetAsReported,
  },
  {
    name: "Pods that are yet to be deleted are overlooked",
    mutation: readingReplicaSetStatus((status, { spec }) => ({
      ...status,
      replicas: Math.min(status.replicas, spec.replicas ?? 1),
    })),
    scenario: "rollout-growing",
    invariant: podsWithinSurge,
  },
  {
    name: "Pods are taken for available as soon as they exist",
    mutation: readingReplicaSetStatus((status) => ({ ...status, availableReplicas: status.replicas })),
    scenario: "rollout-steady",
    invariant: rolloutBudgetInFact,
  },
];

// It takes two changes of one ReplicaSet before its next report, so it is rare; src/decisions/rollout/guards.test.ts
// finds it sooner.
const rareRollouts = [
  {
    name: "reports older than a size are taken for current",
    mutation: readingReplicaSetStatus((status, { metadata }) => ({
      ...status,
      observedGeneration: metadata.generation ?? 0,
    })),
    scenario: "rollout-growing",
    invariant: podsWithinSurge,
  },
];

const { mutants, count } = perTier({
  unit: { mutants: rollouts, count: 50 },
  full: { mutants: rareRollouts, count: 500 },
});

test.for(mutants)(
  `within ${count} rollouts it is noticed when $name`,
  async ({ mutation, scenario, invariant }) => {
    const scenarios = [findScenario(scenario) ?? expect.fail(`no scenario ${scenario}`)];
    const found = await firstViolation({ mutation, count, scenarios, invariants: [invariant] });
    expect(found?.violation?.invariant).toBe(invariant.name);
  },
);
