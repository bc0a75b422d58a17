import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import { countOf, podsOf, terminatingOf } from "./counts.ts";
import type { RolloutState } from "./state.ts";

/** The Pods of one ReplicaSet as they were counted, without those that have succeeded or failed. */
export interface CountedPods {
  readonly running: number;
  readonly terminating: number;
}

/**
 * The state in which a ReplicaSet that does not report how many of its Pods are terminating has the number that was
 * counted: an API server before Kubernetes 1.33, or one with its gate off, does not store what the ReplicaSet reports.
 */
export function withCountedPods(state: RolloutState): RolloutState {
  if (state.counted === undefined) return state;
  return { ...state, replicaSets: state.replicaSets.map((each) => withCount(each, state.counted)) };
}

/** Whether the number of terminating Pods is counted, at least in part: then the Deployment does not report it either. */
export function isCounted({ counted, replicaSets }: Pick<RolloutState, "counted" | "replicaSets">): boolean {
  return replicaSets.some(({ metadata }) => counted?.[metadata.uid] !== undefined);
}

/**
 * Returns how many Pods of a ReplicaSet were seen terminating that it does not report as such yet: another client has
 * just deleted them, and the ReplicaSet replaces them.
 */
export function unreportedTerminating(
  replicaSet: ReplicaSet,
  { seenTerminating }: Pick<RolloutState, "seenTerminating">,
): number {
  const seen = countOf(seenTerminating?.[replicaSet.metadata.uid]);
  return Math.max(seen - (terminatingOf(replicaSet) ?? seen), 0);
}

function withCount(replicaSet: ReplicaSet, counted: RolloutState["counted"]): ReplicaSet {
  const pods = counted?.[replicaSet.metadata.uid];
  if (pods === undefined || terminatingOf(replicaSet) !== undefined) return replicaSet;
  const [running, terminating] = [countOf(pods.running), countOf(pods.terminating)];
  // A Pod that the status counts no more is being deleted, even if the Pod that was read does not say so yet.
  const terminatingReplicas = Math.max(terminating, running + terminating - podsOf(replicaSet));
  return { ...replicaSet, status: { replicas: 0, ...replicaSet.status, terminatingReplicas } };
}
