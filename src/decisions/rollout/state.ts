import type { FeatureGates } from "../../api/feature-gates.ts";
import type { Deployment, ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import type { Instant } from "../../api/time.ts";
import type { CountedPods } from "./counted-pods.ts";

/** The input of one pass over a Deployment. */
export interface RolloutState {
  readonly deployment: Deployment;
  /** The ReplicaSets the Deployment has claimed, in any order. */
  readonly replicaSets: readonly ReplicaSet[];
  /** The Pods those ReplicaSets control. Only `Recreate` without a replacement policy counts them. */
  readonly pods?: readonly Pod[];
  /** By UID, the Pods of the ReplicaSets whose status does not say how many are terminating. */
  readonly counted?: Readonly<Record<string, CountedPods>>;
  /**
   * By the UID of their ReplicaSet, how many Pods were seen terminating: reports may be older. Only under
   * `TerminationComplete`.
   */
  readonly seenTerminating?: Readonly<Record<string, number>>;
  /** By the UID of their ReplicaSet, how many active Pods say themselves that they are protected. Only with the gate. */
  readonly protectedPods?: Readonly<Record<string, number>>;
  readonly gates: FeatureGates;
  readonly now: Instant;
}
