import type { DaemonNodeExplanation, DaemonSetExplanation } from "./explain-daemon-set.ts";
import { countText, joinParagraphs, plain, type TextOptions, textTable } from "./text-table.ts";

/** Limits the nodes that are listed, unless the user asks for all. */
const mostNodes = 50;

/** A DaemonSet for people: what its rollout waits for, and every node with its Pods. */
export function daemonSetText(
  explanation: DaemonSetExplanation,
  { isWide = false, paint = plain }: TextOptions = {},
): string {
  const { workload, nodes } = explanation;
  const listed = isWide ? nodes : nodes.slice(0, mostNodes);
  const hidden = nodes.length - listed.length;
  return joinParagraphs([
    [
      paint("heading", `DaemonSet ${workload.namespace}/${workload.name}: ${daemonSummary(explanation)}.`),
      daemonBudgetSentence(explanation),
    ],
    nodes.length === 0 ? [] : textTable(["NODE", "PODS", "NEXT", "WHY"], listed.map(rowOf), paint),
    hidden > 0 ? [`… and ${countText(hidden, "more node")}; -o wide shows all.`] : [],
  ]);
}

/** The state of a rollout in a few words. */
export function daemonSummary({
  idle,
  desired,
  available,
  updated,
  nodes,
  strategy,
}: DaemonSetExplanation): string {
  if (idle === "selects-everything") return "nothing happens, since its selector selects every Pod";
  if (idle === "being-deleted") return "it is being deleted";
  const waiting = nodes.find(({ next }) => next === "wait");
  if (updated === desired && available === desired) return "rolled out, nothing is left to do";
  if (nodes.some(({ next }) => next === "create" || next === "delete")) return "in progress";
  if (waiting !== undefined) return `waiting, held back by ${heldBackBy(nodes) ?? waiting.node}`;
  return strategy === "OnDelete" ? "waiting for Pods to be deleted (OnDelete)" : "waiting";
}

/** The first node that waits for something other than the budget, and so holds others back. */
function heldBackBy(nodes: readonly DaemonNodeExplanation[]): string | undefined {
  return nodes.find(({ next, because }) => next === "wait" && !/^(surge-)?budget:/.test(because))?.node;
}

/** How many nodes should run a Pod and do, and how many may change at once. */
export function daemonBudgetSentence({
  strategy,
  desired,
  available,
  updated,
  ...budget
}: DaemonSetExplanation): string {
  const counts = `${countText(desired, "node")} should run a Pod, ${available} available, ${updated} at the current revision`;
  if (strategy === "OnDelete") return `${counts}.`;
  const { maxSurge, maxUnavailable } = budget;
  return maxSurge > 0
    ? `${counts}; ${countText(maxSurge, "node")} may have a second Pod (maxSurge ${maxSurge}).`
    : `${counts}; ${countText(maxUnavailable, "node")} may be without one (maxUnavailable ${maxUnavailable}).`;
}

function rowOf({ node, pods, next, verdict, because }: DaemonNodeExplanation): readonly string[] {
  const names = pods.map(({ name, isUpdated }) => (isUpdated ? name : `${name} (old)`));
  const none = verdict === "runs" ? "-" : "none";
  return [
    node,
    names.length === 0 ? "-" : names.join(", "),
    next ?? (verdict === "runs" ? "-" : none),
    because,
  ];
}
