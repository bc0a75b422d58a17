import type { Action } from "./action.ts";
import type { Fleet } from "./fleet.ts";
import { silentAbout } from "./terminating.ts";

/** Why a pass has to be tried again later: ReplicaSets that do not say how many of their Pods are terminating. */
export interface TerminatingUnknown {
  readonly kind: "terminating-unknown";
  readonly replicaSets: readonly string[];
}

/** What comes of one step of a pass: something to do, or a reason why nothing can be decided yet. */
export type Step =
  | { readonly kind: "go"; readonly actions: readonly Action[] }
  | { readonly kind: "wait"; readonly because: TerminatingUnknown };

/** A step that can be taken, perhaps with nothing to do. */
export function go(actions: readonly Action[] = []): Step {
  return { kind: "go", actions };
}

/** A step that needs the number of terminating Pods, which some ReplicaSet does not report. */
export function waitForReports(fleet: Fleet): Step {
  return { kind: "wait", because: terminatingUnknown(fleet) };
}

/** Names the ReplicaSets that do not say how many of their Pods are terminating. */
export function terminatingUnknown({ replicaSets }: Fleet): TerminatingUnknown {
  const names = silentAbout(replicaSets).map((replicaSet) => replicaSet.metadata.name);
  return { kind: "terminating-unknown", replicaSets: names };
}
