import { findCondition } from "../../../api/conditions.ts";
import type { Node, NodeCondition, NodeStatus } from "../../../api/generated/core-v1.ts";
import type { Instant } from "../../../api/time.ts";
import type { NodeBehaviour } from "../behaviour/node-behaviour.ts";
import { healthyConditions, registeredStatus } from "./simulated-node.ts";

/** What the kubelet knows about its node. */
export interface KubeletNode {
  readonly node: Node;
  readonly behaviour: NodeBehaviour;
  /** Whether a node that flaps is down now. */
  readonly isFlappedDown: boolean;
  /** Whether this kubelet reported that the node is not ready. */
  readonly wasMarked: boolean;
  readonly now: Instant;
}

/** Returns why its kubelet reports a node as not ready. */
export function whyNotReady({ behaviour, isFlappedDown }: Pick<KubeletNode, "behaviour" | "isFlappedDown">) {
  if (behaviour.shutdown) return { reason: "KubeletNotReady", message: "node is shutting down" };
  if (behaviour.notReady !== undefined) return behaviour.notReady;
  return isFlappedDown ? { reason: "KubeletNotReady", message: "the simulated node flaps" } : undefined;
}

/**
 * Returns what the kubelet has to report about its node; `undefined` when everything is reported. A condition that
 * another client has set to False or True stays, so that users can act as the kubelet; one that is Unknown or missing
 * does not.
 */
export function nodeReport(view: KubeletNode): Partial<NodeStatus> | undefined {
  const { node, now } = view;
  const stored = node.status?.conditions;
  if (findCondition(stored, "Ready") === undefined) return registeredStatus(node, now);
  const wanted = healthyConditions(now).map((condition) =>
    condition.type === "Ready" ? readyCondition(condition, view) : condition,
  );
  const changed = wanted.filter((condition) =>
    isOutdated(findCondition(stored, condition.type), condition, view),
  );
  return changed.length === 0 ? undefined : { conditions: changed };
}

function readyCondition(healthy: NodeCondition, view: KubeletNode): NodeCondition {
  const why = whyNotReady(view);
  return why === undefined ? healthy : { ...healthy, ...why, status: "False" };
}

function isOutdated(stored: NodeCondition | undefined, wanted: NodeCondition, view: KubeletNode): boolean {
  if (stored === undefined || stored.status === "Unknown") return stored !== undefined;
  if (wanted.type !== "Ready" || stored.status === wanted.status) return false;
  return wanted.status === "False" || view.wasMarked || stored.reason === "KubeletNotReady";
}
