import type { Pod } from "../../../api/generated/core-v1.ts";
import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from "../../../api/generated/policy-v1.ts";
import { disruptionAllowed, withDisruptionAllowed } from "../../../api/disruption-allowed.ts";
import { isBeingDeleted } from "../../../api/object.ts";
import { isReady } from "../../../api/pod-state.ts";
import { type Instant, parseTime } from "../../../api/time.ts";
import { type ExpectedPods, expectedPodsOf, type PodController } from "./expected-pods.ts";

/** How long an evicted Pod may exist before its eviction counts as failed. */
// upstream: disruption.DeletionTimeout
const deletionTimeoutMs = 2 * 60 * 1000;

/** What the status of a budget depends on. */
export interface BudgetState {
  readonly budget: PodDisruptionBudget;
  /** The Pods it selects. */
  readonly pods: readonly Pod[];
  readonly controllerOf: (pod: Pod) => PodController;
  readonly now: Instant;
}

/** The next status of a budget, and what has to be reported about it. */
export interface BudgetPlan {
  readonly status: PodDisruptionBudgetStatus;
  /** When an evicted Pod that still exists counts again. */
  readonly recheckAt?: Instant;
  /** Evicted Pods that still exist after the deletion timeout. */
  readonly notDeleted: readonly Pod[];
  readonly expected: ExpectedPods;
}

/** Plans the status of a PodDisruptionBudget: how many Pods may be evicted now. */
export function planBudget({ budget, pods, controllerOf, now }: BudgetState): BudgetPlan {
  const expected = expectedPodsOf(budget.spec, pods, controllerOf);
  if (!expected.ok) {
    // The previous counts stay; nothing may be evicted until the Pods can be counted again.
    const observedGeneration = budget.status?.observedGeneration ?? 0;
    const failed = { status: "False", reason: "SyncFailed", message: expected.problem, observedGeneration };
    const conditions = withDisruptionAllowed(budget.status?.conditions, failed, now);
    return {
      status: { ...emptyCounts, ...budget.status, disruptionsAllowed: 0, conditions },
      notDeleted: [],
      expected,
    };
  }
  const evicted = evictedPods(budget, pods, now);
  const isHealthy = (pod: Pod) =>
    isReady(pod) && !isBeingDeleted(pod) && !Object.hasOwn(evicted.pending, pod.metadata.name);
  const currentHealthy = pods.filter(isHealthy).length;
  const { expectedPods, desiredHealthy } = expected;
  // A budget that matched no Pod when it was counted allows no disruption of the first Pod that appears.
  const disruptionsAllowed = expectedPods <= 0 ? 0 : Math.max(0, currentHealthy - desiredHealthy);
  const observedGeneration = budget.metadata.generation ?? 0;
  const allowed = disruptionAllowed({ disruptionsAllowed, observedGeneration });
  return {
    status: {
      observedGeneration,
      ...(Object.keys(evicted.pending).length > 0 && { disruptedPods: evicted.pending }),
      disruptionsAllowed,
      currentHealthy,
      desiredHealthy,
      expectedPods,
      conditions: withDisruptionAllowed(budget.status?.conditions, allowed, now),
    },
    ...(evicted.recheckAt !== undefined && { recheckAt: evicted.recheckAt }),
    notDeleted: evicted.notDeleted,
    expected,
  };
}

const emptyCounts = { currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };

/** Returns the evicted Pods that are not being deleted yet. They do not count as healthy for a limited time. */
function evictedPods({ status }: PodDisruptionBudget, pods: readonly Pod[], now: Instant) {
  const pending: Record<string, string> = {};
  const notDeleted: Pod[] = [];
  let recheckAt: Instant | undefined;
  for (const pod of pods) {
    const { name } = pod.metadata;
    const recorded = status?.disruptedPods ?? {};
    const evictedAt = Object.hasOwn(recorded, name) ? recorded[name] : undefined;
    if (evictedAt === undefined || isBeingDeleted(pod)) continue;
    const expiresAt = (parseTime(evictedAt) ?? 0) + deletionTimeoutMs;
    if (expiresAt <= now) {
      notDeleted.push(pod);
      continue;
    }
    pending[name] = evictedAt;
    recheckAt = Math.min(recheckAt ?? expiresAt, expiresAt);
  }
  return { pending, notDeleted, recheckAt };
}
