import type { Instant } from "../../api/time.ts";
import type { ClusterObjects } from "../../decisions/explain/cluster-objects.ts";
import type { RefusedPart } from "../../user-actions/action-outcome.ts";
import type { ClusterTracker, ObservedPod } from "../tracking/cluster-tracker.ts";
import type { DecisionJournal } from "../tracking/decision-journal.ts";
import type { Departures } from "./departures.ts";
import type { WorkloadStates } from "./workload-reports.ts";

/** The predicted effect of changes to a cluster, as plain JSON. */
export interface WhatIfReport {
  /** What was changed, as sentences. */
  readonly changes: readonly string[];
  readonly takenAt: string;
  /** Whether the cluster became stable. */
  readonly stable: boolean;
  /** From the changes to the last thing that happened. */
  readonly tookSeconds: number;
  /** Every workload that has, or had, Pods. */
  readonly workloads: readonly WorkloadReport[];
  /** The Pods that went, in the order in which they did. */
  readonly went: readonly GonePod[];
  /** The Pods that were created and are still there. */
  readonly came: readonly NewPod[];
  /** The Pods that are not ready at the end, and Pods that could not be created. */
  readonly notReady: readonly UnreadyPod[];
  readonly assumptions: readonly string[];
}

/** A workload as users know it: a Deployment rather than its ReplicaSets; a Pod without an owner is its own. */
export interface WorkloadReport {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly before: WorkloadState;
  readonly after: WorkloadState;
  /** The fewest ready Pods on the way, and the most Pods, terminating ones included. */
  readonly lowestReady: { readonly pods: number; readonly afterSeconds: number };
  readonly mostPods: { readonly pods: number; readonly afterSeconds: number };
  /** Whether Pods of it came or went. */
  readonly isAffected: boolean;
}

export interface WorkloadState {
  /** How many Pods it should have; absent where only its own controller knows. */
  readonly wanted?: number;
  readonly pods: number;
  readonly ready: number;
  /** Active Pods by zone; a zone without Pods counts as well. */
  readonly zones: Readonly<Record<string, number>>;
  /** Between the fullest and the emptiest zone that has a ready node. */
  readonly skew: number;
}

/** A Pod and where it is. */
export interface PodPlace {
  readonly namespace: string;
  readonly pod: string;
  readonly node?: string;
  readonly zone?: string;
}

export interface GonePod extends PodPlace {
  readonly afterSeconds: number;
  readonly rule: string;
  readonly because: string;
}

export interface NewPod extends PodPlace {
  readonly afterSeconds: number;
  /** Absent when it is not ready. */
  readonly readyAfterSeconds?: number;
}

export interface UnreadyPod extends PodPlace {
  /** `not-gone`: it is not replaced before it is removed by hand. */
  readonly problem: "not-ready" | "not-gone" | "not-created" | "not-evicted";
  readonly because: string;
}

/** The final state of a simulation. */
export interface WhatIfRun {
  /** As ends of sentences that begin with "What if". */
  readonly changes: readonly string[];
  readonly drainedNodes: ReadonlySet<string>;
  readonly refusedEvictions: readonly RefusedPart[];
  readonly takenAt: Instant;
  readonly before: ClusterMoment;
  readonly after: ClusterMoment;
  readonly tracker: ClusterTracker;
  readonly journal: DecisionJournal;
  readonly departures: Departures;
  /** The Pods that were created and are still there. */
  readonly came: readonly ObservedPod[];
  readonly isStable: boolean;
  readonly endedAt: Instant;
  readonly assumptions: readonly string[];
}

/** A cluster at one moment. */
export interface ClusterMoment {
  readonly objects: ClusterObjects;
  readonly states: WorkloadStates;
}
