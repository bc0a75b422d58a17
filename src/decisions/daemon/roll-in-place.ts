import { compareText } from "../../api/compare-text.ts";
import { isAvailable } from "../../api/pod-state.ts";
import { type CollectedActions, type NodeActions, noActions } from "./daemon-action.ts";
import type { DaemonNode, DaemonView, LostNode } from "./daemon-view.ts";
import {
  type ReplaceablePod,
  podsOfRevisions,
  splitByBudget,
  waitForAvailability,
} from "./pods-of-revisions.ts";

/** Deletes old Pods, so that new ones are created in their place. */
export function rollInPlace(view: DaemonView, maxUnavailable: number): NodeActions {
  const actions = noActions();
  const candidates: ReplaceablePod[] = [];
  let unavailable = 0;
  for (const node of [...view.nodes, ...view.lost]) {
    if (node.pods.length === 0 && !runsHere(node)) continue;
    const outcome = rollNode(node, view, actions);
    if (outcome === "unavailable") unavailable++;
    else if (outcome !== "settled") candidates.push(outcome);
  }
  actions.deletions.sort((one, other) => compareText(one.node, other.node));
  const budget = { limit: maxUnavailable, used: unavailable };
  const { allowed, held } = splitByBudget(candidates, budget);
  for (const { node, pod } of allowed)
    actions.deletions.push({ node, pod, because: { kind: "outdated", budget } });
  for (const { node, pod } of held)
    actions.waits.push({ node, because: { kind: "budget", pod: pod.metadata.name, budget } });
  return actions;
}

function runsHere(node: DaemonNode | LostNode): boolean {
  return "eligibility" in node && node.eligibility.kind === "runs";
}

/** Whether a node counts against the budget, needs nothing, or has an old Pod that may be replaced within the budget. */
function rollNode(
  node: LostNode,
  view: DaemonView,
  actions: CollectedActions,
): "unavailable" | "settled" | ReplaceablePod {
  const found = podsOfRevisions(node, view.hash);
  if (found.kind !== "new" && found.kind !== "old") return "unavailable";
  const { pod } = found;
  if (isAvailable(pod, view.minReadySeconds, view.now))
    return found.kind === "new" ? "settled" : { node: node.name, pod };
  if (found.kind === "new") actions.waits.push({ node: node.name, because: waitForAvailability(pod, view) });
  else actions.deletions.push({ node: node.name, pod, because: { kind: "outdated-unavailable" } });
  return "unavailable";
}
