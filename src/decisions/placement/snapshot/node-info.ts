import type { Node, Taint } from "../../../api/generated/core-v1.ts";
import type { Labels } from "../../../api/labels/label-selector.ts";
import { parseQuantity, wholeUnits, zero } from "../../../api/quantity/quantity.ts";
import { type Amounts, amountsOf, quantitiesOf, totalOf } from "./amounts.ts";
import type { HostPort } from "./host-port.ts";
import { hasAffinity, type PodInfo } from "./pod-info.ts";
import { itemsOf, numberOf, textOf, textsOf } from "./reading.ts";

/** What placement has to know about a node and the Pods on it, read once per change. */
export interface NodeInfo {
  readonly node: Node;
  readonly name: string;
  readonly labels: Labels;
  readonly taints: readonly Taint[];
  readonly isUnschedulable: boolean;
  /** Every Pod that takes up room, assumed ones included; those that ended do not. */
  readonly pods: readonly PodInfo[];
  /** Those of them that want others near or far: most clusters have few. */
  readonly podsWithAffinity: readonly PodInfo[];
  readonly allocatable: Amounts;
  readonly allowedPods: number;
  /** What its Pods request together. */
  readonly requested: Amounts;
  readonly nonZeroRequested: Amounts;
  /** The ports its Pods have taken. */
  readonly hostPorts: readonly HostPort[];
  /** The images it has, by every name, and their sizes in bytes. */
  readonly images: ReadonlyMap<string, number>;
}

/** Reads a node and sums up its Pods; whatever it is, there is an answer. */
export function nodeInfo(node: Node, pods: readonly PodInfo[]): NodeInfo {
  const allocatable = node.status?.allocatable;
  return {
    node,
    name: textOf(node.metadata?.name),
    labels: node.metadata?.labels,
    taints: itemsOf(node.spec?.taints),
    isUnschedulable: node.spec?.unschedulable === true,
    pods,
    podsWithAffinity: pods.filter(hasAffinity),
    allocatable: amountsOf(quantitiesOf(allocatable)),
    allowedPods: podLimit(allocatable?.["pods"]),
    requested: totalOf(pods.map(({ request }) => request)),
    nonZeroRequested: totalOf(pods.map(({ nonZeroRequest }) => nonZeroRequest)),
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
