import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import { formatTime } from "../../api/time.ts";
import { replicaSet } from "../../testing/replica-set.ts";
import { rolloutState } from "../../testing/rollout-state.ts";
import { applyToState } from "./action.ts";
import { beforeScaleAnnotation, countAnnotation } from "./annotations.ts";
import { hasReplicas, sizeOf, terminatingOf, totalOf } from "./counts.ts";
import { revisionsWithNew } from "./revisions.ts";
import { scaleReplicaSets } from "./scale.ts";

/** An event between two passes: a scale, Pods that have terminated, or Pods that another client deletes. */
type Happening =
  | { readonly kind: "scale"; readonly by: number }
  | { readonly kind: "drain"; readonly keep: readonly number[] }
  | { readonly kind: "evict"; readonly which: number; readonly count: number };

const happenings: fc.Arbitrary<Happening> = fc.oneof(
  {
    arbitrary: fc.record({ kind: fc.constant("scale" as const), by: fc.integer({ min: -15, max: 25 }) }),
    weight: 7,
  },
  {
    arbitrary: fc.record({
      kind: fc.constant("drain" as const),
      keep: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 4, maxLength: 4 }),
    }),
    weight: 9,
  },
  {
    arbitrary: fc.record({
      kind: fc.constant("evict" as const),
      which: fc.nat({ max: 3 }),
      count: fc.nat({ max: 5 }),
    }),
    weight: 4,
  },
);

const walks = fc.record({
  replicas: fc.integer({ min: 2, max: 60 }),
  maxSurge: fc.nat({ max: 12 }),
  /** How large the ReplicaSets are compared to each other. */
  weights: fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 2, maxLength: 4 }),
  happenings: fc.array(happenings, { maxLength: 12, size: "max" }),
});

/** One pass of the proportional scale, and what the ReplicaSets report once they have followed. */
function scaleOnce(
  replicaSets: readonly ReplicaSet[],
  replicas: number,
  maxSurge: number,
): readonly ReplicaSet[] {
  const state = rolloutState({ replicas, maxSurge, policy: "TerminationComplete" }, replicaSets);
  // Without a new ReplicaSet none can be saturated, so every pass shares out.
  const result = scaleReplicaSets(revisionsWithNew(state, undefined));
  return result.kind === "proceed" ? result.actions.reduce(applyToState, state).replicaSets : replicaSets;
}

/** What a ReplicaSet reports when it had `before` Pods: those it lost are ending. */
function report(each: ReplicaSet, before: number): ReplicaSet {
  const lost = Math.max(before - sizeOf(each), 0);
  const terminatingReplicas = (terminatingOf(each) ?? 0) + lost;
  const observedGeneration = each.metadata.generation ?? 0;
  return { ...each, status: { replicas: sizeOf(each), terminatingReplicas, observedGeneration } };
}

function withTerminating(each: ReplicaSet, terminatingReplicas: number): ReplicaSet {
  return { ...each, status: { replicas: sizeOf(each), ...each.status, terminatingReplicas } };
}

function happen(replicaSets: readonly ReplicaSet[], next: Happening): readonly ReplicaSet[] {
  if (next.kind === "scale") return replicaSets;
  return replicaSets.map((each, index) => {
    const terminating = terminatingOf(each) ?? 0;
    if (next.kind === "drain")
      return withTerminating(each, Math.floor(terminating * (next.keep[index] ?? 0)));
    return index === next.which ? withTerminating(each, terminating + next.count) : each;
  });
}

function present(replicaSets: readonly ReplicaSet[]): number {
  return totalOf(replicaSets, (each) => sizeOf(each) + (terminatingOf(each) ?? 0));
}

function family(weights: readonly number[], replicas: number, maxSurge: number): readonly ReplicaSet[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight, index) =>
    replicaSet(`rs-${index}`, {
      size: Math.max(1, Math.round((weight * (replicas + maxSurge)) / total)),
      desired: replicas,
      max: replicas + maxSurge,
      createdAt: formatTime(index * 1000),
    }),
  );
}

test("a walk of scales and ending Pods never exceeds the cap, never shrinks what should grow, and gets there", () => {
  fc.assert(
    fc.property(walks, ({ weights, maxSurge, happenings, ...start }) => {
      let { replicas } = start;
      let replicaSets = family(weights, replicas, maxSurge);
      for (const next of happenings) {
        if (next.kind === "scale") replicas = Math.max(1, replicas + next.by);
        const before = happen(replicaSets, next);
        if (before.filter(hasReplicas).length < 2) return;
        const isGrowth = totalOf(before, sizeOf) < replicas + maxSurge;
        const scaled = scaleOnce(before, replicas, maxSurge);
        const changes = scaled.map((each, index) => sizeOf(each) - sizeOf(before[index] ?? each));
        expect(changes.filter((change) => (isGrowth ? change < 0 : change > 0))).toEqual([]);
        replicaSets = scaled.map((each, index) => report(each, sizeOf(before[index] ?? each)));
        expect(present(replicaSets)).toBeLessThanOrEqual(Math.max(replicas + maxSurge, present(before)));
      }
      let rested = replicaSets.map((each) => withTerminating(each, 0));
      for (let pass = 0; pass < 6 && rested.filter(hasReplicas).length >= 2; pass++) {
        rested = scaleOnce(rested, replicas, maxSurge).map((each) =>
          withTerminating(report(each, sizeOf(each)), 0),
        );
      }
      if (rested.filter(hasReplicas).length < 2) return;
      expect(totalOf(rested, sizeOf)).toBe(replicas + maxSurge);
      expect(rested.filter((each) => countAnnotation(each, beforeScaleAnnotation) !== undefined)).toEqual([]);
    }),
    { numRuns: 1000 },
  );
});
