import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { defaultFeatureGates } from "../../api/feature-gates.ts";
import type { ReplicaSet, ReplicaSetStatus } from "../../api/generated/apps-v1.ts";
import type { RolloutAction } from "./action.ts";
import {
  availablePods,
  budgets,
  applyEvent,
  type Planner,
  presentPods,
  rolloutEvents,
  rolledOut,
} from "./rollout-model.cases.ts";
import { revisionsOf } from "./revisions.ts";
import { planRollout } from "./plan-rollout.ts";

// What becomes of rollouts when a plan overlooks something in the reports. That nothing of the kind happens when it
// overlooks nothing is in plan-rollout.properties.test.ts.

type Overlook = (status: ReplicaSetStatus, of: ReplicaSet) => ReplicaSetStatus;

/** Plans as if reports said something else; what is written is written to what really is there. */
function planOverlooking(overlook: Overlook): Planner {
  return (state) => {
    const reports = new Map(state.replicaSets.map(({ metadata, status }) => [metadata.name, status]));
    const truly = (action: RolloutAction): RolloutAction => {
      if (action.kind !== "update-replica-set") return action;
      const { status: _, ...rest } = action.replicaSet;
      const status = reports.get(rest.metadata.name);
      return { ...action, replicaSet: status === undefined ? rest : { ...rest, status } };
    };
    const replicaSets = state.replicaSets.map((each) =>
      each.status === undefined ? each : { ...each, status: overlook(each.status, each) },
    );
    return { actions: planRollout({ ...state, replicaSets }).actions.map(truly) };
  };
}

/** Whether some rollout under `TerminationComplete` breaks a promise in fact. */
function breaks(promise: "cap" | "availability", plan: Planner): boolean {
  const lives = fc.property(
    budgets,
    rolloutEvents,
    fc.constantFrom("RollingUpdate", promise === "cap" ? "Recreate" : "RollingUpdate"),
    (traits, events, strategy) => {
      let model = rolledOut({ ...traits, strategy, policy: "TerminationComplete" }, defaultFeatureGates);
      const { maxReplicas, minAvailable } = revisionsOf(model.state).budget;
      return events.every((next) => {
        model = applyEvent(model, next, plan);
        return promise === "cap" ? presentPods(model) <= maxReplicas : availablePods(model) >= minAvailable;
      });
    },
  );
  return fc.check(lives, { numRuns: 1000, endOnFailure: true }).failed;
}

const unoutdated: Overlook = (status, { metadata }) => ({
  ...status,
  observedGeneration: metadata.generation ?? 0,
});
const unterminating: Overlook = (status) => ({ ...status, terminatingReplicas: 0 });
const undeleted: Overlook = (status, { spec }) => ({
  ...status,
  replicas: Math.min(status.replicas, spec.replicas ?? 1),
});
const alwaysAvailable: Overlook = (status) => ({ ...status, availableReplicas: status.replicas });

describe("a rollout has too many Pods", () => {
  test.for([
    { name: "when reports older than a size are taken for current", overlook: unoutdated },
    { name: "when terminating Pods are overlooked", overlook: unterminating },
    { name: "when Pods that are yet to be deleted are overlooked", overlook: undeleted },
  ])("$name", ({ overlook }) => {
    expect(breaks("cap", planOverlooking(overlook))).toBe(true);
  });
});

describe("a rollout has too few Pods available", () => {
  test.for([
    { name: "when reports older than a size are taken for current", overlook: unoutdated },
    { name: "when Pods are taken for available as soon as they are there", overlook: alwaysAvailable },
  ])("$name", ({ overlook }) => {
    expect(breaks("availability", planOverlooking(overlook))).toBe(true);
  });
});
