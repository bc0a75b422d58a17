import { expect, test } from "vitest";
import { podsWithinSurge } from "../../src/simulation/invariants/pods-within-surge.ts";
import { findScenario } from "../../src/simulation/scenarios/scenarios.ts";
import { firstViolation } from "./first-violation.ts";
import { readingReplicaSetStatus } from "./mutations.ts";

// It takes two changes of one ReplicaSet before its next report, so it is rare; src/decisions/rollout/guards.test.ts
// finds it sooner.
test("within 500 rollouts it is noticed when reports older than a size are taken for current", async () => {
  const mutation = readingReplicaSetStatus((status, { metadata }) => ({
    ...status,
    observedGeneration: metadata.generation ?? 0,
  }));
  const scenarios = [findScenario("rollout-growing") ?? expect.fail("no such scenario")];
  const found = await firstViolation({ mutation, count: 500, scenarios, invariants: [podsWithinSurge] });
  expect(found?.violation?.invariant).toBe(podsWithinSurge.name);
});
