import type { RolloutAction } from "./action.ts";
import type { Revisions } from "./fleet.ts";
import { withoutTerminatingCount } from "./terminating.ts";

/** Why a pass has to be tried again later: ReplicaSets that do not say how many of their Pods are terminating. */
export interface TerminatingUnknown {
  readonly kind: "terminating-unknown";
  readonly replicaSets: readonly string[];
}

/** What comes of one step of a pass: something to do, or a reason why nothing can be decided yet. */
export type StageResult =
  | { readonly kind: "go"; readonly actions: readonly RolloutAction[] }
  | { readonly kind: "wait"; readonly because: TerminatingUnknown };

/** A step that can be taken, perhaps with nothing to do. */
export function proceed(actions: readonly RolloutAction[] = []): StageResult {
  return { kind: "go", actions };
}

/** A step that needs the number of terminating Pods, which some ReplicaSet does not report. */
export function waitForTerminatingCount(fleet: Revisions): StageResult {
  return { kind: "wait", because: terminatingUnknown(fleet) };
}

/** Names the ReplicaSets that do not say how many of their Pods are terminating. */
export function terminatingUnknown({ replicaSets }: Revisions): TerminatingUnknown {
  const names = withoutTerminatingCount(replicaSets).map((replicaSet) => replicaSet.metadata.name);
  return { kind: "terminating-unknown", replicaSets: names };
}
