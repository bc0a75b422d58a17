import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { controllerOf } from "../../api/owner-references.ts";
import { isActive, isReady, isTerminal } from "../../api/pod-state.ts";
import type { Instant } from "../../api/time.ts";
import type { StoreEvent } from "../../cluster/store/store.ts";
import type { ClusterObjects } from "../../decisions/explain/cluster-objects.ts";
import { workloadKey } from "../tracking/workload-progress.ts";

/** The owner of Pods as users know it: a Deployment rather than its ReplicaSets; a Pod without an owner is its own. */
export interface Workload {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** A number of Pods, and when there were so many for the first time. */
export interface Extreme {
  readonly pods: number;
  readonly at: Instant;
}

/** How many Pods a workload had at worst and at most. */
export interface Extremes {
  readonly lowestReady: Extreme;
  readonly mostPods: Extreme;
}

interface PodState {
  readonly workload: string;
  readonly isReady: boolean;
  readonly exists: boolean;
}

interface Counts {
  ready: number;
  pods: number;
  lowestReady: Extreme;
  mostPods: Extreme;
}

/** Counts the Pods of each workload while a cluster is simulated. */
export class WorkloadCounts {
  readonly #pods = new Map<string, PodState>();
  readonly #counts = new Map<string, Counts>();
  readonly #replicaSetOwners = new Map<string, Workload>();

  constructor({ pods, replicaSets }: ClusterObjects, at: Instant) {
    for (const replicaSet of replicaSets) this.#learnOwner(replicaSet);
    for (const pod of pods) this.#setState(pod, pod.metadata.uid, at);
    for (const [key, { ready, pods: count }] of this.#counts)
      this.#counts.set(key, {
        ready,
        pods: count,
        lowestReady: { pods: ready, at },
        mostPods: { pods: count, at },
      });
  }

  /** Hears a commit at an instant. */
  committed(collection: string, { type, record }: StoreEvent, at: Instant): void {
    if (collection === "replicasets.apps") this.#learnOwner(record.object as unknown as ReplicaSet);
    if (collection !== "pods") return;
    const pod = record.object as unknown as Pod;
    this.#setState(type === "DELETED" ? undefined : pod, pod.metadata.uid, at);
  }

  /** The workload that a Pod belongs to. */
  workloadOf(pod: Pod): Workload {
    const { namespace = "", name } = pod.metadata;
    const owner = controllerOf(pod);
    if (owner === undefined) return { kind: "Pod", namespace, name };
    return this.#replicaSetOwners.get(owner.uid) ?? { kind: owner.kind, namespace, name: owner.name };
  }

  /** The extremes of a workload; `undefined` when it never had a Pod. */
  extremesOf(workload: Workload): Extremes | undefined {
    return this.#counts.get(workloadKey(workload.kind, workload));
  }

  #learnOwner(replicaSet: ReplicaSet): void {
    const { uid, namespace = "", name } = replicaSet.metadata;
    const { kind = "ReplicaSet", name: owner = name } = controllerOf(replicaSet) ?? {};
    this.#replicaSetOwners.set(uid, { kind, namespace, name: owner });
  }

  #setState(pod: Pod | undefined, uid: string, at: Instant): void {
    const before = this.#pods.get(uid);
    const owner = pod && this.workloadOf(pod);
    const workload = owner === undefined ? before?.workload : workloadKey(owner.kind, owner);
    if (workload === undefined) return;
    const state = {
      workload,
      isReady: pod !== undefined && isReady(pod) && isActive(pod),
      exists: pod !== undefined && !isTerminal(pod),
    };
    this.#pods.set(uid, state);
    this.#count(before, -1, at);
    this.#count(state, 1, at);
  }

  #count(state: PodState | undefined, step: 1 | -1, at: Instant): void {
    if (state === undefined) return;
    const zero = { pods: 0, at };
    const counts = this.#counts.get(state.workload) ?? {
      ready: 0,
      pods: 0,
      lowestReady: zero,
      mostPods: zero,
    };
    this.#counts.set(state.workload, counts);
    counts.ready += state.isReady ? step : 0;
    counts.pods += state.exists ? step : 0;
    // A Pod that only changes is taken out and put in again: only the state after that was ever there.
    if (step === -1) return;
    if (counts.ready < counts.lowestReady.pods) counts.lowestReady = { pods: counts.ready, at };
    if (counts.pods > counts.mostPods.pods) counts.mostPods = { pods: counts.pods, at };
  }
}
