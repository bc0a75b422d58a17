import type { Pod } from "../../api/generated/core-v1.ts";
import type { Instant } from "../../api/time.ts";
import type { KeepingRule } from "./daemon-pods.ts";
import type { NodeRefusal } from "./node-eligibility.ts";

/** How much of a budget is used. */
export interface BudgetUse {
  readonly limit: number;
  readonly used: number;
}

/** Why a Pod is created on a node. */
export type CreationReason =
  | { readonly kind: "missing" }
  /** Next to an old Pod that is available, within maxSurge. */
  | { readonly kind: "surge"; readonly old: string; readonly budget: BudgetUse }
  /** Next to an old Pod that is not available, whatever maxSurge is. */
  | { readonly kind: "replace-unavailable"; readonly old: string };

/** Why a Pod of a node is deleted. */
export type DeletionReason =
  | { readonly kind: "not-eligible"; readonly refusal: NodeRefusal }
  | { readonly kind: "duplicate"; readonly kept: string; readonly rule: KeepingRule }
  | { readonly kind: "failed" }
  | { readonly kind: "succeeded" }
  /** Its node does not exist, and it was never bound to it. */
  | { readonly kind: "no-node" }
  /** An available Pod of an earlier revision, within maxUnavailable. */
  | { readonly kind: "outdated"; readonly budget: BudgetUse }
  | { readonly kind: "outdated-unavailable" }
  /** The new Pod beside it is available. */
  | { readonly kind: "superseded"; readonly by: string }
  /** A new Pod is beside it already, and it is not Ready. */
  | { readonly kind: "old-not-ready"; readonly beside: string }
  /** An old Pod on a node that gets no new one, once enough others are available. */
  | {
      readonly kind: "sunset";
      readonly available: number;
      readonly desired: number;
      readonly refusal: NodeRefusal;
    };

/** Why nothing happens on a node that needs a change. */
export type WaitReason =
  | { readonly kind: "terminating"; readonly pod: string }
  | { readonly kind: "back-off"; readonly pod: string; readonly until: Instant }
  | { readonly kind: "budget"; readonly pod: string; readonly budget: BudgetUse }
  | { readonly kind: "surge-budget"; readonly pod: string; readonly budget: BudgetUse }
  | { readonly kind: "new-not-available"; readonly pod: string; readonly until?: Instant };

/** A Pod to create. */
export interface PodCreation {
  readonly node: string;
  readonly because: CreationReason;
}

/** A Pod to delete. */
export interface PodDeletion {
  readonly node: string;
  readonly pod: Pod;
  readonly because: DeletionReason;
}

/** A node that has to wait. */
export interface NodeWait {
  readonly node: string;
  readonly because: WaitReason;
}

/** What happens to the Pods of a DaemonSet, and what does not yet. */
export interface NodeActions {
  readonly creations: readonly PodCreation[];
  readonly deletions: readonly PodDeletion[];
  readonly waits: readonly NodeWait[];
}

/** Collects actions node by node. */
export interface CollectedActions extends NodeActions {
  readonly creations: PodCreation[];
  readonly deletions: PodDeletion[];
  readonly waits: NodeWait[];
}

/** Starts without actions. */
export function noActions(): CollectedActions {
  return { creations: [], deletions: [], waits: [] };
}
