import type { Node, Taint } from "../../../api/generated/core-v1.ts";
import type { Labels } from "../../../api/labels/label-selector.ts";
import { parseQuantity, wholeUnits, zero } from "../../../api/quantity/quantity.ts";
import { type ResourceAmounts, amountsOf, quantitiesOf } from "./amounts.ts";
import type { HostPort } from "./host-port.ts";
import type { PodInfo } from "./pod-info.ts";
import { itemsOf, numberOf, stringOf, textsOf, labelOf } from "./reading.ts";
import { formerRegionLabel, formerZoneLabel, regionLabel, zoneLabel } from "../../../api/well-known.ts";

/** What placement reads of a node and the Pods on it. */
export interface NodeInfo extends NodeDescription {
  /** The index of the node in the columns of its view. */
  readonly slot: number;
  /** Every Pod on the node, assumed ones included, without those in a terminal phase. */
  readonly pods: readonly PodInfo[];
  /** The Pods with affinity or anti-affinity: most clusters have few. */
  readonly podsWithAffinity: readonly PodInfo[];
  /** The sum of the requests of its Pods. */
  readonly requested: ResourceAmounts;
  readonly nonZeroRequested: ResourceAmounts;
  /** The host ports of its Pods. */
  readonly hostPorts: readonly HostPort[];
}

/** What placement reads of a node without its Pods. */
export interface NodeDescription {
  readonly node: Node;
  readonly name: string;
  readonly labels: Labels;
  readonly taints: readonly Taint[];
  readonly isUnschedulable: boolean;
  readonly allocatable: ResourceAmounts;
  readonly allowedPods: number;
  /** The sizes of its images in bytes, by every name of an image. */
  readonly images: ReadonlyMap<string, number>;
}

/** Reads a node; malformed members count as absent. */
export function describeNode(node: Node): NodeDescription {
  const allocatable = node.status?.allocatable;
  return {
    node,
    name: stringOf(node.metadata?.name),
    labels: node.metadata?.labels,
    taints: itemsOf(node.spec?.taints),
    isUnschedulable: node.spec?.unschedulable === true,
    allocatable: amountsOf(quantitiesOf(allocatable)),
    allowedPods: podLimit(allocatable?.["pods"]),
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

/** The region and zone of a node in one string (upstream: GetZoneKey), or "". Deprecated labels take precedence. */
export function zoneKeyOf(labels: Labels): string {
  const region = either(labels, formerRegionLabel, regionLabel);
  const zone = either(labels, formerZoneLabel, zoneLabel);
  // No label value contains a NUL, so different pairs give different keys.
  return region === "" && zone === "" ? "" : `${region}:\0:${zone}`;
}

function either(labels: Labels, older: string, newer: string): string {
  return labelOf(labels, older) ?? labelOf(labels, newer) ?? "";
}
