import type { Deployment, ReplicaSet } from "../../src/api/generated/apps-v1.ts";
import { isActive, isAvailable, isTerminating } from "../../src/api/pod-state.ts";
import { describeLimit } from "../../src/decisions/explain/describe-limit.ts";
import { describeReplacedPods, findReplacedPods } from "../../src/decisions/explain/replaced-pods.ts";
import { gatherRollout } from "../../src/decisions/gather/gather-rollout.ts";
import { listReader } from "../../src/decisions/gather/workload-reader.ts";
import { revisionAnnotation } from "../../src/decisions/rollout/annotations.ts";
import { type Budget, budgetOf } from "../../src/decisions/rollout/budget.ts";
import { podUsageOf } from "../../src/decisions/rollout/grown-size.ts";
import type { Limit } from "../../src/decisions/rollout/limit.ts";
import { planRollout } from "../../src/decisions/rollout/plan-rollout.ts";
import { revisionsOf } from "../../src/decisions/rollout/revisions.ts";
import type { ClusterState } from "../live/cluster-state.ts";
import type { DecisionContext } from "./decision-context.ts";

/** One revision of a Deployment: its Pods as they are, and what limits it. */
export interface RevisionRow {
  readonly role: "new" | "old";
  readonly replicaSet: string;
  readonly revision: string;
  readonly size: number;
  readonly available: number;
  readonly unavailable: number;
  readonly terminating: number;
  readonly waits: string;
}

/** The Pods that take up a budget, counted as the controller counts them. */
export interface CountedPods {
  /** Without terminating ones. */
  readonly pods: number;
  /** Those that take up budget as well; 0 under policies that do not count them. */
  readonly terminating: number;
}

/** The revisions of a Deployment against the budget they share. */
export interface RolloutView {
  readonly budget: Budget;
  readonly counted: CountedPods;
  /** The new one first, then the old ones that still have Pods or a size. */
  readonly revisions: readonly RevisionRow[];
  /** The one thing the rollout waits for. */
  readonly headline: { readonly text: string; readonly isWaiting: boolean };
  /** Why there are more Pods than the policy allows, if ReplicaSets have replaced some that others deleted. */
  readonly replaced?: string;
}

/** Returns the revisions of a Deployment as its controller sees them now. */
export function rolloutView(
  deployment: Deployment,
  state: ClusterState,
  context: DecisionContext,
): RolloutView {
  const rollout = gatherRollout(deployment, listReader(state.objects), context);
  const all = revisionsOf(rollout);
  const { newReplicaSet, oldReplicaSets } = all;
  const { limits, outcome } = planRollout(rollout);
  const limitOf = (name: string | undefined) => limits.find(({ replicaSet }) => replicaSet === name)?.limit;
  const row = (replicaSet: ReplicaSet, role: "new" | "old"): RevisionRow => {
    const pods = state.podsByController.in(replicaSet.metadata.uid);
    const active = pods.filter(isActive);
    const { minReadySeconds = 0 } = deployment.spec;
    const available = active.filter((pod) => isAvailable(pod, minReadySeconds, context.now)).length;
    const limit = limitOf(replicaSet.metadata.name);
    return {
      role,
      replicaSet: replicaSet.metadata.name,
      revision: replicaSet.metadata.annotations?.[revisionAnnotation] ?? "",
      size: replicaSet.spec?.replicas ?? 1,
      available,
      unavailable: active.length - available,
      terminating: pods.filter(isTerminating).length,
      waits: limit === undefined ? "" : describeLimit(limit),
    };
  };
  const hasPods = ({ size, available, unavailable, terminating }: RevisionRow) =>
    size + available + unavailable + terminating > 0;
  const rows = [
    ...(newReplicaSet === undefined ? [] : [row(newReplicaSet, "new")]),
    ...oldReplicaSets.toReversed().map((each) => row(each, "old")),
  ];
  const headline =
    outcome.kind === "invalid"
      ? { text: "The Deployment is invalid: its controller leaves it alone.", isWaiting: true }
      : headlineOf(limits.map(({ limit, role }) => ({ limit, role })));
  const budget = budgetOf(deployment, context.gates);
  const replaced = findReplacedPods(
    budget,
    rollout.replicaSets.flatMap(({ metadata }) => state.podsByController.in(metadata.uid)),
  );
  const seen = {
    pods: rows.reduce((sum, { available, unavailable }) => sum + available + unavailable, 0),
    terminating: rows.reduce((sum, each) => sum + each.terminating, 0),
  };
  return {
    budget,
    // Where ReplicaSets have yet to report, what can be seen stands in for it.
    counted: podUsageOf(all) ?? seen,
    revisions: rows.filter((each) => each.role === "new" || hasPods(each)),
    headline,
    ...(replaced !== undefined && { replaced: `${describeReplacedPods(replaced)}.` }),
  };
}

const idle: ReadonlySet<Limit["kind"]> = new Set(["none", "complete", "next-pass"]);

/**
 * The new revision is what a rollout is about: what limits it comes first. But where it waits for old Pods to go, what keeps
 * those is the answer.
 */
export function headlineOf(
  limits: readonly { readonly limit: Limit; readonly role: "new" | "old" }[],
): RolloutView["headline"] {
  const inOrder = limits.toSorted((a, b) => Number(a.role === "old") - Number(b.role === "old"));
  const [next, ...others] = inOrder.filter(({ limit }) => !idle.has(limit.kind));
  const waiting = next?.limit.kind === "surge" ? (others[0] ?? next) : next;
  if (waiting !== undefined)
    return { text: `The ${waiting.role} revision ${describeLimit(waiting.limit)}.`, isWaiting: true };
  const [first] = inOrder;
  if (inOrder.some(({ limit }) => limit.kind === "next-pass"))
    return { text: "Goes on at once.", isWaiting: true };
  return { text: first === undefined ? "Nothing is rolled out yet." : "Rolled out.", isWaiting: false };
}
