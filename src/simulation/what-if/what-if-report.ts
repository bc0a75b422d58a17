import type { Instant } from "../../api/time.ts";
import type { ClusterObjects } from "../../decisions/explain/cluster-objects.ts";
import type { Change } from "./change.ts";
import type { RefusedEvictions } from "./drain-node.ts";
import type { PodHistories } from "./pod-histories.ts";
import type { Workload, WorkloadCounts } from "./workload-counts.ts";
import type { ZoneCounts } from "./zones.ts";

/** What comes of changes to a cluster, as plain JSON. */
export interface WhatIfReport {
  /** What was changed, as sentences. */
  readonly changes: readonly string[];
  readonly takenAt: string;
  /** Whether nothing happened any more at the end. */
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

export interface WorkloadReport extends Workload {
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
  readonly zones: ZoneCounts;
  /** Between the fullest and the emptiest zone. */
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
  readonly problem: "not-ready" | "not-created" | "not-evicted";
  readonly because: string;
}

/** What a simulation left behind. */
export interface WhatIfRun {
  readonly changes: readonly Change[];
  /** Of its drains. */
  readonly refusedEvictions: RefusedEvictions;
  readonly takenAt: Instant;
  readonly before: ClusterObjects;
  readonly after: ClusterObjects;
  readonly histories: PodHistories;
  readonly counts: WorkloadCounts;
  readonly isStable: boolean;
  readonly endedAt: Instant;
  readonly assumptions: readonly string[];
}
