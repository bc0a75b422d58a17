import type { Node, Pod } from "../../api/generated/core-v1.ts";
import { podInfo, type PodInfo, samePodInfo } from "../../decisions/placement/objects/pod-info.ts";
import type { ClusterView, ObjectLookups } from "../../decisions/placement/view/cluster-view.ts";
import { recount } from "./columns/recount.ts";
import { LiveView } from "./live-view.ts";
import { NodeCache } from "./node-cache.ts";

/** A Pod that takes up resources on a node. */
interface CachedPod {
  /** With the node it is assigned or assumed to be on. */
  readonly info: PodInfo;
  readonly node: string;
  /** The scheduler has chosen the node, and the API server has not confirmed it yet. */
  readonly isAssumed: boolean;
}

/**
 * The nodes and Pods of the cluster as the API server reports them, with the Pods that the scheduler assumes to be on
 * the nodes it has chosen. An assumed Pod stays until it is confirmed, forgotten or deleted; it does not expire.
 */
export class SchedulerCache {
  readonly #nodes = new NodeCache();
  readonly #pods = new Map<string, CachedPod>();
  #assumed = 0;
  /** The cluster as it is now. The object may be kept; what it shows changes with the cache. */
  readonly view: ClusterView;

  constructor(lookups: ObjectLookups) {
    this.view = new LiveView(this.#nodes, lookups);
  }

  get counts(): { readonly nodes: number; readonly pods: number; readonly assumed_pods: number } {
    return { nodes: this.#nodes.size, pods: this.#pods.size, assumed_pods: this.#assumed };
  }

  setNode(node: Node): void {
    this.#nodes.setNode(node);
  }

  removeNode(name: string): void {
    this.#nodes.removeNode(name);
  }

  /** Adds or updates a Pod that has a node; an assumed Pod is confirmed, whichever node it was assumed on. */
  setPod(pod: Pod): void {
    const known = this.#pods.get(pod.metadata.uid)?.info;
    const info = known === undefined ? podInfo(pod) : samePodInfo(known, pod);
    this.#put({ info, node: pod.spec.nodeName ?? "", isAssumed: false });
  }

  /** Removes a Pod and returns its last state. */
  removePod(uid: string): Pod | undefined {
    const known = this.#pods.get(uid);
    if (known === undefined) return undefined;
    this.#pods.delete(uid);
    if (known.isAssumed) this.#assumed--;
    this.#nodes.removePod(known.node, known.info);
    return known.info.pod;
  }

  /** Adds a Pod to a node before the API server has bound it; false when it is on a node already. */
  assume(pod: Pod, node: string): boolean {
    if (this.#pods.has(pod.metadata.uid)) return false;
    const assumed = { ...pod, spec: { ...pod.spec, nodeName: node } };
    this.#put({ info: samePodInfo(podInfo(pod), assumed), node, isAssumed: true });
    return true;
  }

  /** Removes an assumed Pod and returns it; a Pod that the API server has confirmed stays. */
  forget(uid: string): Pod | undefined {
    return this.isAssumed(uid) ? this.removePod(uid) : undefined;
  }

  isAssumed(uid: string): boolean {
    return this.#pods.get(uid)?.isAssumed === true;
  }

  has(uid: string): boolean {
    return this.#pods.has(uid);
  }

  #put(cached: CachedPod): void {
    const { info, node, isAssumed } = cached;
    const { uid } = info.pod.metadata;
    const before = this.#pods.get(uid);
    const isReplaced = before?.node === node && this.#nodes.replacePod(node, before.info, info);
    if (before !== undefined && !isReplaced) this.#nodes.removePod(before.node, before.info);
    this.#assumed += Number(isAssumed) - Number(before?.isAssumed === true);
    this.#pods.set(uid, cached);
    if (!isReplaced) this.#nodes.addPod(node, info);
  }

  /** Counts everything again; returns the first number that was wrong, if there is one. It takes long. */
  recount(): string | undefined {
    return recount(this.#nodes.columns);
  }
}
