import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { defaultFeatureGates } from "../../api/feature-gates.ts";
import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import { type RolloutAction, applyToState } from "./action.ts";
import {
  allOff,
  availablePods,
  budgets,
  anyEvents,
  change,
  runToCompletion,
  applyEvent,
  policyOff,
  presentPods,
  rolloutEvents,
  rolledOut,
  observedState,
} from "./rollout-model.cases.ts";
import { availableOf, podsOf, sizeOf, totalOf, totalTerminating } from "./counts.ts";
import { revisionsOf } from "./revisions.ts";
import { planRollout } from "./plan-rollout.ts";
import { isComplete } from "./status/progress.ts";
import type { RolloutState } from "./state.ts";

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
  const { budget, replicaSets: before } = revisionsOf(state);
  const { replicaSets: after } = actions.reduce(applyToState, state);
  if (sizes(after) > sizes(before)) expect(sizes(after)).toBeLessThanOrEqual(budget.allowed);
  if (budget.policy === "TerminationComplete") expectToKeepCap(state, actions);
  if (kind !== "rolling-update") return;
  const spare = totalOf(before, availableOf) - budget.minAvailable;
  expect(staying(before) - staying(after)).toBeLessThanOrEqual(Math.max(spare, 0));
}

/** No write of a plan, not even the first of many, may add while the Pods that were read reach the cap. */
function expectToKeepCap(start: RolloutState, actions: readonly RolloutAction[]): void {
  const { budget } = revisionsOf(start);
  const cap = budget.strategy === "RollingUpdate" ? budget.maxReplicas : budget.replicas;
  let state = start;
  for (const action of actions) {
    const next = applyToState(state, action);
    if (sizes(next.replicaSets) > sizes(state.replicaSets)) {
      const counted = totalOf(next.replicaSets, (each) => Math.max(sizeOf(each), podsOf(each)));
      expect(counted + (totalTerminating(next.replicaSets) ?? Infinity)).toBeLessThanOrEqual(cap);
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
      fc.property(budgets, anyEvents, (traits, events) => {
        const begin = rolledOut({ ...traits, strategy, policy }, gates);
        const lived = events.reduce((model, next) => applyEvent(model, next), begin);
        const { model, plan, rounds } = runToCompletion(change(lived, { paused: false }));
        expect(rounds).toBeLessThan(400);
        const revisions = revisionsOf(model.state);
        expect(isComplete(revisions, plan.status)).toBe(true);
        expect(revisions.oldReplicaSets.filter((old) => sizeOf(old) + podsOf(old) > 0)).toEqual([]);
        expect(plan.limits[0]?.limit).toEqual({ kind: "complete" });
      }),
      { numRuns: 100 },
    );
  });

  test.for(["RollingUpdate", "Recreate"] as const)(
    "keep to their budgets by the counts given (%s)",
    (strategy) => {
      fc.assert(
        fc.property(budgets, anyEvents, (traits, events) => {
          let model = rolledOut({ ...traits, strategy, policy }, gates);
          for (const next of events) {
            if (next.kind === "plan") expectToKeepBudgets(observedState(model));
            model = applyEvent(model, next);
          }
        }),
        { numRuns: 100 },
      );
    },
  );

  test("never leave fewer Pods available than a rolling update may, in fact and not only by report", () => {
    fc.assert(
      fc.property(budgets, rolloutEvents, (traits, events) => {
        let model = rolledOut({ ...traits, policy }, gates);
        const { minAvailable } = revisionsOf(model.state).budget;
        for (const next of events) {
          model = applyEvent(model, next);
          expect(availablePods(model)).toBeGreaterThanOrEqual(minAvailable);
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
      rolloutEvents,
      fc.constantFrom("RollingUpdate", "Recreate"),
      (traits, events, strategy) => {
        let model = rolledOut({ ...traits, strategy, policy: "TerminationComplete" }, defaultFeatureGates);
        const { budget } = revisionsOf(model.state);
        for (const next of events) {
          model = applyEvent(model, next);
          expect(presentPods(model)).toBeLessThanOrEqual(budget.maxReplicas);
        }
      },
    ),
    { numRuns: 300 },
  );
});
