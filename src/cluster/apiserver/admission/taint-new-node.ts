import { notReadyTaint } from "../../../api/well-known.ts";
import { isConditionTrue } from "../../../api/conditions.ts";
import type { Node } from "../../../api/generated/core-v1.ts";
import type { Sent } from "../../../api/sent.ts";

const notReady = { key: notReadyTaint, effect: "NoSchedule" };

/**
 * Returns a new Node with the taint that keeps Pods away until it is ready (upstream: TaintNodesByCondition). A Node that
 * is created ready has none: the node lifecycle controller would remove it at once.
 */
export function taintNewNode(node: Sent<Node>): Sent<Node> {
  const { taints = [] } = node.spec ?? {};
  const isReady = isConditionTrue(
    (node.status?.conditions ?? []).map(({ type = "", status = "" }) => ({ type, status })),
    "Ready",
  );
  const isTainted = taints.some(({ key, effect }) => key === notReady.key && effect === notReady.effect);
  return isReady || isTainted ? node : { ...node, spec: { ...node.spec, taints: [...taints, notReady] } };
}
