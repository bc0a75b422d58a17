import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import { withoutTerminatingCount } from "./counts.ts";

/** ReplicaSets do not report how many of their Pods are terminating. */
export interface TerminatingUnknown {
  readonly kind: "terminating-unknown";
  readonly replicaSets: readonly string[];
}

/** What keeps a revision from the size it is on its way to, or from being done, with the numbers that say so. */
export type Limit =
  /** It has the size it is to have. */
  | { readonly kind: "none" }
  /** So have all, and the rollout is done. */
  | { readonly kind: "complete" }
  /** Nothing: it goes on in the next pass. */
  | { readonly kind: "next-pass" }
  | { readonly kind: "paused" }
  /** There are as many Pods as `replicas + maxSurge` allow. */
  | { readonly kind: "surge"; readonly pods: number; readonly replicas: number; readonly maxSurge: number }
  /** There would be room, but terminating Pods still hold it. */
  | {
      readonly kind: "terminating";
      readonly pods: number;
      readonly terminating: number;
      readonly replicas: number;
      readonly maxSurge: number;
    }
  | TerminatingUnknown
  /** No more Pods may be missing than `maxUnavailable`. */
  | {
      readonly kind: "unavailable";
      readonly available: number;
      readonly replicas: number;
      readonly maxUnavailable: number;
    }
  /** ReplicaSets have yet to report on their size. */
  | { readonly kind: "unreported"; readonly replicaSets: readonly string[] }
  /** `Recreate` waits until nothing of the old revisions is left. */
  | {
      readonly kind: "old-pods";
      readonly running: number;
      readonly terminating: number;
      readonly unreported: number;
    }
  /** All Pods are there, but not all are available; after the deadline the rollout counts as stuck. */
  | {
      readonly kind: "progress-deadline";
      readonly available: number;
      readonly replicas: number;
      readonly deadlineSeconds: number;
      readonly exceeded: boolean;
    }
  /** The same without a deadline. */
  | { readonly kind: "availability"; readonly available: number; readonly replicas: number }
  /** All is in place; `TerminationComplete` still waits for the last Pods to end. */
  | { readonly kind: "draining"; readonly terminating: number };

/** A revision of a Deployment, its size, and what limits it. */
export interface RevisionLimit {
  readonly role: "new" | "old";
  /** Absent while the ReplicaSet has yet to be created. */
  readonly replicaSet?: string;
  readonly revision?: string;
  readonly size: number;
  readonly limit: Limit;
}

/** The limit by ReplicaSets that have yet to report on their size. */
export function unreported(replicaSets: readonly ReplicaSet[]): Limit {
  return { kind: "unreported", replicaSets: namesOf(replicaSets) };
}

/** The limit by those of the ReplicaSets that do not report how many of their Pods are terminating. */
export function terminatingUnknown(replicaSets: readonly ReplicaSet[]): TerminatingUnknown {
  return { kind: "terminating-unknown", replicaSets: namesOf(withoutTerminatingCount(replicaSets)) };
}

function namesOf(replicaSets: readonly ReplicaSet[]): readonly string[] {
  return replicaSets.map(({ metadata }) => metadata.name);
}
