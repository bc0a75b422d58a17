import type { Node, Taint } from "../../../src/api/generated/core-v1.ts";
import type { Labels } from "../../../src/api/labels/label-selector.ts";
import { parseQuantity, wholeUnits, zero } from "../../../src/api/quantity/quantity.ts";
import {
  type ResourceAmounts,
  amountsOf,
  quantitiesOf,
  totalAmounts,
} from "../../../src/decisions/placement/objects/amounts.ts";
import type { HostPort } from "../../../src/decisions/placement/objects/host-port.ts";
import { hasAffinity, type PodInfo } from "./pod-info.ts";
import { itemsOf, numberOf, stringOf, textsOf } from "../../../src/decisions/placement/objects/reading.ts";

/** What placement reads of a node and the Pods on it, computed once per change. */
export interface NodeInfo {
  readonly node: Node;
  readonly name: string;
  readonly labels: Labels;
  readonly taints: readonly Taint[];
  readonly isUnschedulable: boolean;
  /** Every Pod on the node, assumed ones included, without those in a terminal phase. */
  readonly pods: readonly PodInfo[];
  /** The Pods with affinity or anti-affinity: most clusters have few. */
  readonly podsWithAffinity: readonly PodInfo[];
  readonly allocatable: ResourceAmounts;
  readonly allowedPods: number;
  /** The sum of the requests of its Pods. */
  readonly requested: ResourceAmounts;
  readonly nonZeroRequested: ResourceAmounts;
  /** The host ports of its Pods. */
  readonly hostPorts: readonly HostPort[];
  /** The sizes of its images in bytes, by every name of an image. */
  readonly images: ReadonlyMap<string, number>;
}

/** Computes the info of a node with its Pods; malformed members count as absent. */
export function nodeInfo(node: Node, pods: readonly PodInfo[]): NodeInfo {
  const allocatable = node.status?.allocatable;
  return {
    node,
    name: stringOf(node.metadata?.name),
    labels: node.metadata?.labels,
    taints: itemsOf(node.spec?.taints),
    isUnschedulable: node.spec?.unschedulable === true,
    pods,
    podsWithAffinity: pods.filter(hasAffinity),
    allocatable: amountsOf(quantitiesOf(allocatable)),
    allowedPods: podLimit(allocatable?.["pods"]),
    requested: totalAmounts(pods.map(({ request }) => request)),
    nonZeroRequested: totalAmounts(pods.map(({ nonZeroRequest }) => nonZeroRequest)),
    hostPorts: pods.flatMap(({ hostPorts }) => hostPorts),
    images: imagesOf(node),
  };
}

function podLimit(value: unknown): number {
  const quantity = typeof value === "string" || typeof value === "number" ? parseQuantity(value) : undefined;
  return wholeUnits(quantity ?? zero);
}

function imagesOf(node: Node): ReadonlyMap<string, number> {
  const images = new Map<string, number>();
  for (const { names, sizeBytes } of itemsOf(node.status?.images)) {
    for (const name of textsOf(names)) images.set(name, numberOf(sizeBytes, 0));
  }
  return images;
}
