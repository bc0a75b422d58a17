import type { Node, Pod } from "../../src/api/generated/core-v1.ts";
import { isTerminal } from "../../src/api/pod-state.ts";
import { resourceAmount } from "../../src/decisions/placement/objects/amounts.ts";
import { describeNode } from "../../src/decisions/placement/objects/node-info.ts";
import { podInfo } from "../../src/decisions/placement/objects/pod-info.ts";

/** What the Pods of a node request of one resource, against what it has for Pods. */
export interface Fill {
  readonly resource: "cpu" | "memory" | "pods";
  /** CPU in thousandths, memory in bytes. */
  readonly used: number;
  readonly capacity: number;
  /** Between 0 and 1; above it where the node has shrunk below its Pods. */
  readonly share: number;
}

/** How full a node is, by CPU, memory and Pods, as the scheduler counts. */
export function nodeFill(node: Node, pods: readonly Pod[]): readonly Fill[] {
  const { allocatable, allowedPods } = describeNode(node);
  const counted = pods.filter((pod) => !isTerminal(pod)).map((pod) => podInfo(pod));
  const requested = (resource: string) =>
    counted.reduce((sum, { request }) => sum + resourceAmount(request, resource), 0);
  return [
    fill("cpu", requested("cpu"), resourceAmount(allocatable, "cpu")),
    fill("memory", requested("memory"), resourceAmount(allocatable, "memory")),
    fill("pods", counted.length, allowedPods),
  ];
}

function fill(resource: Fill["resource"], used: number, capacity: number): Fill {
  return { resource, used, capacity, share: capacity === 0 ? 0 : used / capacity };
}

/** The fullest resource of a node. */
export function fullest(fills: readonly Fill[]): Fill | undefined {
  return fills.toSorted((a, b) => b.share - a.share)[0];
}

/** `cpu 2.5 of 8`, `memory 1.0Gi of 16Gi`, `pods 3 of 110`. */
export function fillText({ resource, used, capacity }: Fill): string {
  return `${resource} ${amountText(resource, used)} of ${amountText(resource, capacity)}`;
}

function amountText(resource: Fill["resource"], amount: number): string {
  if (resource === "pods") return String(amount);
  if (resource === "cpu") return String(Math.round(amount / 10) / 100);
  const gibibytes = amount / 2 ** 30;
  if (gibibytes >= 1) return `${Math.round(gibibytes * 10) / 10}Gi`;
  return `${Math.round(amount / 2 ** 20)}Mi`;
}
