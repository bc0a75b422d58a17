import type { Pod } from "../../api/generated/core-v1.ts";
import { controllerOf } from "../../api/owner-references.ts";
import { deletionBeganAt, isActive, isTerminating } from "../../api/pod-state.ts";
import { parseTime } from "../../api/time.ts";
import type { Budget } from "../rollout/budget.ts";

/** The Pods of a Deployment that exceed the budget of `TerminationComplete` since ReplicaSets replaced some at once. */
export interface ReplacedPods {
  /** How many terminating Pods have been replaced by their ReplicaSet. */
  readonly replaced: number;
  readonly pods: number;
  readonly terminating: number;
  readonly replicas: number;
  readonly maxSurge: number;
}

type PodBudget = Pick<Budget, "policy" | "replicas" | "maxSurge">;

/**
 * Finds out whether a Deployment has more Pods than `TerminationComplete` allows because ReplicaSets have replaced Pods
 * that others deleted. A Deployment that was scaled down has too many as well, but none of them is younger than
 * the deletion of another Pod of its ReplicaSet.
 */
export function findReplacedPods(
  { policy, replicas, maxSurge }: PodBudget,
  all: readonly Pod[],
): ReplacedPods | undefined {
  if (policy !== "TerminationComplete") return undefined;
  const [pods, terminating] = [all.filter(isActive).length, all.filter(isTerminating).length];
  if (pods + terminating <= replicas + maxSurge) return undefined;
  const owners = new Set(all.map((pod) => controllerOf(pod)?.uid));
  const replaced = [...owners]
    .map((uid) => replacedIn(all.filter((pod) => controllerOf(pod)?.uid === uid)))
    .reduce((sum, each) => sum + each, 0);
  return replaced === 0 ? undefined : { replaced, pods, terminating, replicas, maxSurge };
}

/** `10 Pods + 4 terminating exceed 10 replicas + maxSurge 2: …`, without a full stop. */
export function describeReplacedPods(found: ReplacedPods): string {
  const { replaced, pods, terminating, replicas, maxSurge } = found;
  const which = replaced === 1 ? "a Pod" : `${replaced} Pods`;
  return (
    `${pods} ${pods === 1 ? "Pod" : "Pods"} + ${terminating} terminating exceed ` +
    `${replicas} ${replicas === 1 ? "replica" : "replicas"} + maxSurge ${maxSurge}: ReplicaSets have replaced ` +
    `${which} that somebody else deleted, which TerminationComplete does not delay; the Deployment adds none until there is room`
  );
}

/** How many terminating Pods of a ReplicaSet have an active one that was created when they were being deleted. */
function replacedIn(pods: readonly Pod[]): number {
  const deletions = pods.filter(isTerminating).flatMap((pod) => deletionBeganAt(pod) ?? []);
  const first = Math.min(...deletions);
  const isYounger = ({ metadata }: Pod) => (parseTime(metadata.creationTimestamp) ?? 0) >= first;
  return Math.min(deletions.length, pods.filter((pod) => isActive(pod) && isYounger(pod)).length);
}
