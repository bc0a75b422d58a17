import * as fc from "fast-check";
import { expect, test } from "vitest";
import { isInRange, ordinalOf, rangeOf } from "./ordinal.ts";
import { podHealthOf, revisionOfPod } from "./pod-health.ts";
import { planStatefulSet } from "./plan-stateful-set.ts";
import { planRevision } from "./plan-revision.ts";
import type { StatefulState } from "./state.ts";
import { applied, happen, modelEvents, modelSettings, newModel, settled } from "./stateful-model.cases.ts";
import { maxUnavailableOf } from "./update-step.ts";
import { partitionOf } from "./view.ts";

const runs = fc.tuple(modelSettings, fc.array(modelEvents, { maxLength: 40 }));

const isAvailable = (state: StatefulState, ordinal: number) =>
  state.pods.some(
    (pod) =>
      ordinalOf(state.set, pod) === ordinal &&
      podHealthOf(pod, { minReadySeconds: 0, now: state.now }).kind === "available",
  );

/** Every rule that a single plan has to keep. */
function expectToKeepRules(state: StatefulState): void {
  const { set, gates } = state;
  const plan = planStatefulSet(state);
  const range = rangeOf(set);
  const ordinals = Array.from({ length: range.replicas }, (_, index) => range.start + index);
  const actions = plan.batches
    .flat()
    .flatMap(({ ordinal, actions: all }) => all.map((action) => ({ ordinal, action })));
  const creations = actions.filter(({ action }) => action.kind === "create-pod");
  const deletions = actions.flatMap(({ ordinal, action }) =>
    action.kind === "delete-pod" ? [{ ordinal, ...action }] : [],
  );

  for (const { ordinal } of creations) {
    expect(isInRange(range, ordinal)).toBe(true);
    expect(state.pods.some((pod) => ordinalOf(set, pod) === ordinal)).toBe(false);
  }
  expect(new Set(deletions.map(({ ordinal }) => ordinal)).size).toBe(deletions.length);
  for (const { ordinal, reason } of deletions) {
    expect(isInRange(range, ordinal)).toBe(reason.kind !== "scaled-down");
    if (reason.kind === "outdated") expect(ordinal - range.start).toBeGreaterThanOrEqual(partitionOf(set));
  }

  const outdated = deletions.filter(({ reason }) => reason.kind === "outdated");
  const unavailable = ordinals.filter((ordinal) => !isAvailable(state, ordinal));
  if (!gates.MaxUnavailableStatefulSet) expect(outdated.length).toBeLessThanOrEqual(1);
  else if (outdated.length > 0) {
    expect(outdated.length + unavailable.length).toBeLessThanOrEqual(maxUnavailableOf({ set, range }));
  }

  if (set.spec.podManagementPolicy === "Parallel") return;
  expect(creations.length).toBeLessThanOrEqual(1);
  for (const { ordinal } of creations) expect(unavailable.filter((lower) => lower < ordinal)).toEqual([]);
  // No Pod is removed while an ordinal in range is unhealthy, except Pods that have ended.
  const removed = deletions.filter(({ reason }) => reason.kind !== "ended");
  if (removed.length > 0) expect(unavailable).toEqual([]);
}

test("whatever happens, every plan keeps order, partition and budget", () => {
  fc.assert(
    fc.property(runs, ([settings, events]) => {
      let state = applied(newModel(settings));
      for (const event of events) {
        state = happen(state, event);
        expectToKeepRules(state);
        state = applied(state);
      }
    }),
    { numRuns: 150 },
  );
});

test("once all Pods become ready, every ordinal in range has its Pod, at the revision the partition leaves it", () => {
  fc.assert(
    fc.property(runs, ([settings, events]) => {
      const start = events.reduce(
        (state, event) => applied(happen(state, event)),
        applied(newModel(settings)),
      );
      const state = settled(start);
      const range = rangeOf(state.set);
      const ordinals = state.pods.map((pod) => ordinalOf(state.set, pod) ?? -1).toSorted((a, b) => a - b);
      expect(ordinals).toEqual(Array.from({ length: range.replicas }, (_, index) => range.start + index));
      const { update } = planRevision(state);
      for (const pod of state.pods) {
        const index = (ordinalOf(state.set, pod) ?? -1) - range.start;
        if (index >= partitionOf(state.set)) expect(revisionOfPod(pod)).toBe(update.name);
      }
      expect(planStatefulSet(state).batches).toEqual([]);
    }),
    { numRuns: 100 },
  );
});
