import type { Node, Taint } from "../../../api/generated/core-v1.ts";
import type { Labels } from "../../../api/labels/label-selector.ts";
import type { ResourceAmounts } from "../../../decisions/placement/objects/amounts.ts";
import type { HostPort } from "../../../decisions/placement/objects/host-port.ts";
import type { LabelClass } from "./label-classes.ts";
import { describeNode, type NodeInfo } from "../../../decisions/placement/objects/node-info.ts";
import { hasAffinity, type PodInfo } from "../../../decisions/placement/objects/pod-info.ts";
import type { ResourceColumns } from "./resource-columns.ts";

const unknownNode: Node = { metadata: { name: "", uid: "", resourceVersion: "" }, spec: {} };

/** A node of a cluster with its Pods, kept up to date Pod by Pod. What is summed up over Pods is in columns. */
export class LiveNode implements NodeInfo {
  readonly slot: number;
  /** False while only Pods name the node: it is deleted, or has not been seen yet. */
  isPresent = false;
  node: Node = unknownNode;
  name = "";
  labels: Labels;
  taints: readonly Taint[] = [];
  isUnschedulable = false;
  allocatable: ResourceAmounts = new Map();
  allowedPods = 0;
  images: ReadonlyMap<string, number> = new Map();
  readonly pods: PodInfo[] = [];
  /** The label class of each Pod, in the order of the Pods; none for a terminating Pod, which is not counted. */
  readonly classes: (LabelClass | undefined)[] = [];
  readonly podsWithAffinity: PodInfo[] = [];
  readonly hostPorts: HostPort[] = [];
  readonly #resources: ResourceColumns;

  constructor(slot: number, resources: ResourceColumns) {
    this.slot = slot;
    this.#resources = resources;
  }

  get requested(): ResourceAmounts {
    return this.#resources.amountsAt(this.slot, "requested");
  }

  get nonZeroRequested(): ResourceAmounts {
    return this.#resources.amountsAt(this.slot, "nonZeroRequested");
  }

  /** Takes over what the API server says about the node. */
  describe(node: Node): void {
    Object.assign(this, describeNode(node));
    this.isPresent = true;
  }

  add(pod: PodInfo, labelClass: LabelClass | undefined): void {
    this.pods.push(pod);
    this.classes.push(labelClass);
    if (hasAffinity(pod)) this.podsWithAffinity.push(pod);
    this.hostPorts.push(...pod.hostPorts);
  }

  /** Removes a Pod and returns its label class; the others keep their order. */
  removeAt(index: number): LabelClass | undefined {
    const [pod] = this.pods.splice(index, 1);
    const [labelClass] = this.classes.splice(index, 1);
    if (pod === undefined) return undefined;
    if (hasAffinity(pod)) this.podsWithAffinity.splice(this.podsWithAffinity.indexOf(pod), 1);
    if (pod.hostPorts.length > 0)
      this.hostPorts.splice(0, Infinity, ...this.pods.flatMap(({ hostPorts }) => hostPorts));
    return labelClass;
  }

  /** Puts a Pod in the place of another; false when that one is not on the node. */
  replace(before: PodInfo, after: PodInfo): boolean {
    const index = this.pods.indexOf(before);
    if (index < 0) return false;
    this.pods[index] = after;
    const withAffinity = this.podsWithAffinity.indexOf(before);
    if (withAffinity >= 0) this.podsWithAffinity[withAffinity] = after;
    return true;
  }

  /** Brings its Pods into the order they had before some were removed and added again. */
  reorder(pods: readonly PodInfo[]): void {
    const classOf = new Map(this.pods.map((pod, index) => [pod, this.classes[index]]));
    this.pods.splice(0, Infinity, ...pods);
    this.classes.splice(0, Infinity, ...pods.map((pod) => classOf.get(pod)));
    this.podsWithAffinity.splice(0, Infinity, ...pods.filter(hasAffinity));
    this.hostPorts.splice(0, Infinity, ...pods.flatMap(({ hostPorts }) => hostPorts));
  }
}
