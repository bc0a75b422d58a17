import type { FeatureGates } from "../../api/feature-gates.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import type { StoredObject } from "../../api/object.ts";
import { controllerOf } from "../../api/owner-references.ts";
import { isBeingDeleted } from "../../api/object.ts";
import { isActive, isReady, isTerminal } from "../../api/pod-state.ts";
import { qualifiedName } from "../../api/resource.ts";
import {
  daemonSets,
  deployments,
  jobs,
  nodes,
  pods,
  replicaSets,
  replicationControllers,
  statefulSets,
} from "../../api/resources.ts";
import type { Instant } from "../../api/time.ts";
import { zoneLabel } from "../../api/well-known.ts";
import type { StoreEvent } from "../../cluster/store/store.ts";
import { NodeDomains } from "./node-domains.ts";
import { type PodShare, type TalliedPodState, talliedPodStateOf, PodTally } from "./pod-tally.ts";
import {
  type WorkloadChange,
  progressOf,
  type WorkloadProgress,
  workloadResultKey,
} from "./workload-progress.ts";

/** A Pod that exists, the workloads it belongs to, nearest first, and what it adds to which tallies. */
export interface ObservedPod {
  readonly pod: Pod;
  /** `ReplicaSet default/web-5d`, `Deployment default/web`. */
  readonly workloads: readonly string[];
  /** When it was first seen. */
  readonly createdAt: Instant;
  /** When it last became ready; absent while it is not. */
  readonly readyAt: Instant | undefined;
  readonly share: PodShare | undefined;
  readonly tallies: readonly PodTally[];
}

/** Which Pods a tally counts. */
export type PodScope = (pod: Pod, workloads: readonly string[]) => boolean;

/** A change of a Pod. */
export interface PodChange {
  readonly tracked: ObservedPod;
  readonly kind: "created" | "deletion-began" | "bound" | "ended" | "changed" | "gone";
  /** Its state before; absent for a new Pod and for one that has ended. */
  readonly stateBefore: TalliedPodState | undefined;
}

export interface ClusterTrackerOptions {
  readonly now: () => Instant;
  readonly gates: () => FeatureGates;
  /** Topology keys that are followed besides zones. */
  readonly topologyKeys?: readonly string[];
  /** Whether a Pod without an owner is a workload of its own, `Pod default/web`. */
  readonly hasBarePods?: boolean;
}

const workloadCollections = new Map(
  [deployments, replicaSets, replicationControllers, statefulSets, daemonSets, jobs].map((resource) => [
    qualifiedName(resource),
    resource.kind,
  ]),
);

/** Follows the commits of a cluster: its Pods by state, zone and workload, and how far its workloads are. */
export class ClusterTracker {
  readonly #options: ClusterTrackerOptions;
  readonly #nodes: NodeDomains;
  readonly #pods = new Map<string, ObservedPod>();
  /** By name alone; of Pods with one name in several namespaces, the youngest. */
  readonly #podsByName = new Map<string, Pod>();
  /** The owner of a ReplicaSet or Job, by its UID. */
  readonly #owners = new Map<string, readonly string[]>();
  readonly #scopes: { readonly selects: PodScope; readonly tally: PodTally }[] = [];
  readonly #workloadTallies = new Map<string, PodTally>();
  readonly #progress = new Map<string, WorkloadProgress>();
  readonly #generations = new Map<string, number>();
  readonly completions: WorkloadChange[] = [];
  readonly all: PodTally;

  constructor(options: ClusterTrackerOptions) {
    this.#options = options;
    this.#nodes = new NodeDomains(options.topologyKeys ?? []);
    this.all = this.addScope(() => true);
  }

  /** Counts the Pods of a scope from now on. */
  addScope(selects: PodScope): PodTally {
    const tally = new PodTally(this.#options.now());
    this.#scopes.push({ selects, tally });
    return tally;
  }

  /** The Pods that exist. */
  pods(): Iterable<ObservedPod> {
    return this.#pods.values();
  }

  /** Returns the Pod with a name, in any namespace: pod pickers get only the name. */
  podNamed(name: string): Pod | undefined {
    return this.#podsByName.get(name);
  }

  /** The Pods of each workload that no other owns. */
  get workloads(): ReadonlyMap<string, PodTally> {
    return this.#workloadTallies;
  }

  progress(workload: string): WorkloadProgress | undefined {
    return this.#progress.get(workload);
  }

  /** The domains that have nodes, in their order. */
  domains(key: string): readonly string[] {
    return this.#nodes.domains(key);
  }

  /** The zone of a node. */
  zoneOf(node: string | undefined): string | undefined {
    return this.#nodes.domainsOf(node).get(zoneLabel);
  }

  /** Restarts the extremes of all workloads from their current counts. */
  restartExtremes(): void {
    for (const tally of this.#workloadTallies.values()) tally.restartExtremes(this.#options.now());
  }

  /** Processes a commit; returns the change of a Pod, if it is one. */
  observe(collection: string, event: StoreEvent): PodChange | undefined {
    if (collection === qualifiedName(pods)) return this.#takePod(event);
    if (collection === qualifiedName(nodes)) this.#nodes.observe(event);
    const kind = workloadCollections.get(collection);
    if (kind !== undefined) this.#takeWorkload(kind, event);
    return undefined;
  }

  #takeWorkload(kind: string, { type, record }: StoreEvent): void {
    const object = record.object as unknown as StoredObject;
    const key = workloadResultKey(kind, object.metadata);
    const owner = controllerOf(object);
    const above =
      owner === undefined ? [] : [workloadResultKey(owner.kind, { ...object.metadata, name: owner.name })];
    const isNew = !this.#owners.has(object.metadata.uid);
    this.#owners.set(object.metadata.uid, [key, ...above]);
    if (isNew && above.length > 0) this.#adoptPods(object.metadata.uid, key);
    const progress = progressOf(kind, object, this.#options.gates());
    if (progress === undefined) return;
    if (type === "DELETED") {
      this.#progress.delete(key);
      this.#generations.delete(key);
      return;
    }
    this.#progress.set(key, progress);
    if (owner === undefined) this.#tallyOf(key);
    this.#followCompletion(progress, object.metadata.generation ?? 0);
  }

  /** Pods may be there before their ReplicaSet: those of a snapshot are. */
  #adoptPods(owner: string, key: string): void {
    this.#workloadTallies.delete(key);
    for (const [uid, before] of this.#pods) {
      if (controllerOf(before.pod)?.uid !== owner) continue;
      const workloads = this.#workloadsOf(before.pod);
      const tracked = { ...before, workloads, tallies: this.#talliesOf(before.pod, workloads) };
      this.#recount(before, tracked);
      this.#pods.set(uid, tracked);
    }
  }

  #followCompletion({ key, isComplete }: WorkloadProgress, generation: number): void {
    const now = this.#options.now();
    if (this.#generations.get(key) !== generation) {
      this.#generations.set(key, generation);
      this.completions.push({ workload: key, from: now });
    }
    if (!isComplete) return;
    for (let index = this.completions.length - 1; index >= 0; index--) {
      const completion = this.completions[index];
      if (completion?.workload !== key) continue;
      if (completion.until !== undefined) return;
      completion.until = now;
    }
  }

  #tallyOf(workload: string): PodTally {
    let tally = this.#workloadTallies.get(workload);
    if (tally === undefined) this.#workloadTallies.set(workload, (tally = new PodTally(this.#options.now())));
    return tally;
  }

  #takePod({ type, record, previous }: StoreEvent): PodChange {
    const pod = record.object as unknown as Pod;
    const { uid } = pod.metadata;
    const before = this.#pods.get(uid);
    const tracked = this.#trackedPod(type, pod, before);
    this.#recount(before, tracked);
    if (type === "DELETED") {
      this.#pods.delete(uid);
      this.#podsByName.delete(pod.metadata.name);
    } else {
      this.#pods.set(uid, tracked);
      this.#podsByName.set(pod.metadata.name, pod);
    }
    const kind = kindOfChange(type, pod, previous?.object as unknown as Pod | undefined);
    return { tracked, kind, stateBefore: before?.share?.state };
  }

  #trackedPod(type: StoreEvent["type"], pod: Pod, before: ObservedPod | undefined): ObservedPod {
    const now = this.#options.now();
    const { workloads = this.#workloadsOf(pod), createdAt = now, readyAt = now } = before ?? {};
    return {
      pod,
      workloads,
      createdAt,
      readyAt: isReady(pod) ? readyAt : undefined,
      share: type === "DELETED" ? undefined : this.#shareOf(pod),
      tallies: this.#talliesOf(pod, workloads),
    };
  }

  #recount(before: ObservedPod | undefined, { share, tallies }: ObservedPod): void {
    const now = this.#options.now();
    if (before?.share !== undefined) for (const tally of before.tallies) tally.subtract(before.share, now);
    if (share !== undefined) for (const tally of tallies) tally.add(share, now);
    for (const tally of before?.tallies ?? []) tally.noteExtremes(now);
    for (const tally of tallies) tally.noteExtremes(now);
  }

  #workloadsOf(pod: Pod): readonly string[] {
    const owner = controllerOf(pod);
    if (owner === undefined)
      return this.#options.hasBarePods === true ? [workloadResultKey("Pod", pod.metadata)] : [];
    return (
      this.#owners.get(owner.uid) ?? [workloadResultKey(owner.kind, { ...pod.metadata, name: owner.name })]
    );
  }

  #talliesOf(pod: Pod, workloads: readonly string[]): readonly PodTally[] {
    const scoped = this.#scopes.filter(({ selects }) => selects(pod, workloads)).map(({ tally }) => tally);
    const top = workloads.at(-1);
    return top === undefined ? scoped : [...scoped, this.#tallyOf(top)];
  }

  #shareOf(pod: Pod): PodShare | undefined {
    const state = talliedPodStateOf(pod);
    if (state === undefined) return undefined;
    const domains = this.#nodes.domainsOf(pod.spec.nodeName);
    return { state, isScheduled: pod.spec.nodeName !== undefined, domains };
  }
}

function kindOfChange(type: StoreEvent["type"], pod: Pod, previous: Pod | undefined): PodChange["kind"] {
  if (type === "DELETED") return previous !== undefined && isActive(previous) ? "deletion-began" : "gone";
  if (previous === undefined) return isBeingDeleted(pod) ? "deletion-began" : "created";
  const became = (is: (pod: Pod) => boolean) => is(pod) && !is(previous);
  if (became(isBeingDeleted)) return "deletion-began";
  if (became(isTerminal)) return "ended";
  return pod.spec.nodeName !== previous.spec.nodeName ? "bound" : "changed";
}
