import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { defaultFeatureGates } from "../../api/feature-gates.ts";
import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import { type Action, applyToState } from "./action.ts";
import {
  allOff,
  availableInFact,
  budgets,
  busyLife,
  change,
  comeToRest,
  move,
  policyOff,
  present,
  quietLife,
  settled,
  stateOf,
} from "./any-life.cases.ts";
import { availableOf, podsOf, sizeOf, totalOf } from "./counts.ts";
import { fleetOf } from "./fleet.ts";
import { planRollout } from "./plan-rollout.ts";
import { isComplete } from "./progress.ts";
import type { RolloutState } from "./state.ts";
import { terminatingIn } from "./terminating.ts";

const setups = [
  { name: "without a policy", policy: null, gates: defaultFeatureGates },
  { name: "under TerminationStarted", policy: "TerminationStarted", gates: defaultFeatureGates },
  { name: "under TerminationComplete", policy: "TerminationComplete", gates: defaultFeatureGates },
  { name: "under TerminationComplete with its gate off", policy: "TerminationComplete", gates: policyOff },
  { name: "under TerminationComplete with both gates off", policy: "TerminationComplete", gates: allOff },
] as const;

function sizes(replicaSets: readonly ReplicaSet[]): number {
  return totalOf(replicaSets, sizeOf);
}

function expectToKeepBudgets(state: RolloutState): void {
  const { actions, kind } = planRollout(state);
  const { budget, replicaSets: before } = fleetOf(state);
  const { replicaSets: after } = actions.reduce(applyToState, state);
  if (sizes(after) > sizes(before)) expect(sizes(after)).toBeLessThanOrEqual(budget.allowed);
  if (budget.policy === "TerminationComplete") expectToKeepCap(state, actions);
  if (kind !== "rolling-update") return;
  const spare = totalOf(before, availableOf) - budget.minAvailable;
  expect(staying(before) - staying(after)).toBeLessThanOrEqual(Math.max(spare, 0));
}

/** No write of a plan, not even the first of many, may add while the Pods that were read reach the cap. */
function expectToKeepCap(start: RolloutState, actions: readonly Action[]): void {
  const { budget } = fleetOf(start);
  const cap = budget.strategy === "RollingUpdate" ? budget.maxReplicas : budget.replicas;
  let state = start;
  for (const action of actions) {
    const next = applyToState(state, action);
    if (sizes(next.replicaSets) > sizes(state.replicaSets)) {
      const counted = totalOf(next.replicaSets, (each) => Math.max(sizeOf(each), podsOf(each)));
      expect(counted + (terminatingIn(next.replicaSets) ?? Infinity)).toBeLessThanOrEqual(cap);
    }
    state = next;
  }
}

/** The Pods that are available by report and not on their way out. */
function staying(replicaSets: readonly ReplicaSet[]): number {
  return totalOf(replicaSets, (each) => Math.min(availableOf(each), sizeOf(each)));
}

describe.for(setups)("plans applied again and again $name", ({ policy, gates }) => {
  test.for(["RollingUpdate", "Recreate"] as const)("come to rest complete (%s)", (strategy) => {
    fc.assert(
      fc.property(budgets, busyLife, (traits, moves) => {
        const begin = settled({ ...traits, strategy, policy }, gates);
        const lived = moves.reduce((world, next) => move(world, next), begin);
        const { world, plan, rounds } = comeToRest(change(lived, { paused: false }));
        expect(rounds).toBeLessThan(400);
        const fleet = fleetOf(world.state);
        expect(isComplete(fleet, plan.status)).toBe(true);
        expect(fleet.oldReplicaSets.filter((old) => sizeOf(old) + podsOf(old) > 0)).toEqual([]);
        expect(plan.limits[0]?.limit).toEqual({ kind: "complete" });
      }),
      { numRuns: 100 },
    );
  });

  test.for(["RollingUpdate", "Recreate"] as const)(
    "keep to their budgets by the counts given (%s)",
    (strategy) => {
      fc.assert(
        fc.property(budgets, busyLife, (traits, moves) => {
          let world = settled({ ...traits, strategy, policy }, gates);
          for (const next of moves) {
            if (next.kind === "plan") expectToKeepBudgets(stateOf(world));
            world = move(world, next);
          }
        }),
        { numRuns: 100 },
      );
    },
  );

  test("never leave fewer Pods available than a rolling update may, in fact and not only by report", () => {
    fc.assert(
      fc.property(budgets, quietLife, (traits, moves) => {
        let world = settled({ ...traits, policy }, gates);
        const { minAvailable } = fleetOf(world.state).budget;
        for (const next of moves) {
          world = move(world, next);
          expect(availableInFact(world)).toBeGreaterThanOrEqual(minAvailable);
        }
      }),
      { numRuns: 100 },
    );
  });
});

test("under TerminationComplete a rollout never has more Pods than the cap, terminating ones included", () => {
  fc.assert(
    fc.property(
      budgets,
      quietLife,
      fc.constantFrom("RollingUpdate", "Recreate"),
      (traits, moves, strategy) => {
        let world = settled({ ...traits, strategy, policy: "TerminationComplete" }, defaultFeatureGates);
        const { budget } = fleetOf(world.state);
        for (const next of moves) {
          world = move(world, next);
          expect(present(world)).toBeLessThanOrEqual(budget.maxReplicas);
        }
      },
    ),
    { numRuns: 300 },
  );
});
