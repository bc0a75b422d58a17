import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import { withoutTerminatingCount } from "./counts.ts";

/** ReplicaSets do not report how many of their Pods are terminating. */
export interface TerminatingUnknown {
  readonly kind: "terminating-unknown";
  readonly replicaSets: readonly string[];
}

/** What keeps a revision from its desired size, or the rollout from completing, with the numbers that prove it. */
export type Limit =
  /** Nothing: the revision has its desired size. */
  | { readonly kind: "none" }
  /** Nothing: all revisions have their sizes, and the rollout is complete. */
  | { readonly kind: "complete" }
  /** Nothing: the next pass changes its size. */
  | { readonly kind: "next-pass" }
  | { readonly kind: "paused" }
  /** There are as many Pods as `replicas + maxSurge` allow. */
  | { readonly kind: "surge"; readonly pods: number; readonly replicas: number; readonly maxSurge: number }
  /** There are fewer Pods than that, but together with the terminating ones there are as many. */
  | {
      readonly kind: "terminating";
      readonly pods: number;
      readonly terminating: number;
      readonly replicas: number;
      readonly maxSurge: number;
    }
  | TerminatingUnknown
  /** No more Pods may be unavailable than `maxUnavailable`. */
  | {
      readonly kind: "unavailable";
      readonly available: number;
      readonly replicas: number;
      readonly maxUnavailable: number;
    }
  /** ReplicaSets have yet to report on their size. */
  | { readonly kind: "unreported"; readonly replicaSets: readonly string[] }
  /** It has its size, but keeps Pods beyond it that are protected. */
  | { readonly kind: "protected"; readonly pods: number; readonly message: string }
  /** `Recreate` waits until no Pod of the old revisions is left. */
  | {
      readonly kind: "old-pods";
      readonly running: number;
      readonly terminating: number;
      readonly unreported: number;
    }
  /** All Pods exist, but not all are available; after the deadline the rollout is reported as failed to progress. */
  | {
      readonly kind: "progress-deadline";
      readonly available: number;
      readonly replicas: number;
      readonly deadlineSeconds: number;
      readonly exceeded: boolean;
    }
  /** All Pods exist, but not all are available, and there is no deadline. */
  | { readonly kind: "availability"; readonly available: number; readonly replicas: number }
  /** All Pods are available; `TerminationComplete` still waits for the last old Pods to terminate. */
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
