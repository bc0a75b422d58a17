import { compareText } from "../../api/compare-text.ts";
import { isAvailable } from "../../api/pod-state.ts";
import { type CollectedActions, type DeletionReason, type NodeActions, noActions } from "./daemon-action.ts";
import type { DaemonNode, DaemonView, LostNode } from "./daemon-view.ts";
import type { NodeRefusal } from "./node-eligibility.ts";
import {
  type ReplaceablePod,
  podsOfRevisions,
  splitByBudget,
  waitForAvailability,
} from "./pods-of-revisions.ts";

/** An old Pod on a node that gets no new one. */
interface Sunset extends ReplaceablePod {
  readonly refusal: NodeRefusal;
}

/** What is counted while nodes are visited. */
interface SurgePass {
  readonly view: DaemonView;
  readonly actions: CollectedActions;
  readonly candidates: ReplaceablePod[];
  readonly sunset: Sunset[];
  /** Nodes that have a new Pod beside the old one, which is not available yet. */
  surging: number;
  /** Nodes with an available Pod. */
  available: number;
}

/** Creates new Pods next to old ones, and deletes the old ones once the new ones are available. */
export function rollWithSurge(view: DaemonView, maxSurge: number): NodeActions {
  const actions = noActions();
  const pass: SurgePass = { view, actions, candidates: [], sunset: [], surging: 0, available: 0 };
  for (const node of view.nodes) visit(node, pass);
  for (const node of view.lost) visit(node, pass);
  endSunset(pass);
  const budget = { limit: maxSurge, used: pass.surging };
  const { allowed, held } = splitByBudget(pass.candidates, budget);
  for (const { node, pod } of allowed)
    actions.creations.push({ node, because: { kind: "surge", old: pod.metadata.name, budget } });
  for (const { node, pod } of held)
    actions.waits.push({ node, because: { kind: "surge-budget", pod: pod.metadata.name, budget } });
  actions.creations.sort((one, other) => compareText(one.node, other.node));
  actions.deletions.sort((one, other) => compareText(one.node, other.node));
  return actions;
}

function visit(node: DaemonNode | LostNode, pass: SurgePass): void {
  const { view, actions } = pass;
  const found = podsOfRevisions(node, view.hash);
  if (found.kind === "none") return;
  if (found.kind === "crowded") {
    pass.surging++;
    return;
  }
  const isNowAvailable = (pod: ReplaceablePod["pod"]) => isAvailable(pod, view.minReadySeconds, view.now);
  if (isNowAvailable(found.kind === "both" ? found.old : found.pod)) pass.available++;
  const { name } = node;
  if (found.kind === "old") visitOld(node, found.pod, pass);
  else if (found.kind === "both" && isNowAvailable(found.pod))
    actions.deletions.push({
      node: name,
      pod: found.old,
      because: { kind: "superseded", by: found.pod.metadata.name },
    });
  else if (found.kind === "both") {
    pass.surging++;
    actions.waits.push({ node: name, because: waitForAvailability(found.pod, view) });
  }
}

function visitOld(node: DaemonNode | LostNode, pod: ReplaceablePod["pod"], pass: SurgePass): void {
  // The Pod garbage collector deletes the Pods of a node that does not exist.
  if (!("eligibility" in node)) return;
  const { view, actions, candidates, sunset } = pass;
  const { name, eligibility } = node;
  const isNowAvailable = isAvailable(pod, view.minReadySeconds, view.now);
  if (eligibility.kind === "runs") {
    const because = { kind: "replace-unavailable", old: pod.metadata.name } as const;
    if (isNowAvailable) candidates.push({ node: name, pod });
    else actions.creations.push({ node: name, because });
  } else if (isNowAvailable) sunset.push({ node: name, pod, refusal: eligibility.because });
  else {
    const because: DeletionReason = { kind: "not-eligible", refusal: eligibility.because };
    actions.deletions.push({ node: name, pod, because });
  }
}

/** Deletes old Pods of nodes that get no new ones, as far as enough other nodes are available. */
function endSunset({ view: { desired }, actions, sunset, available }: SurgePass): void {
  const { allowed } = splitByBudget(sunset, { limit: available, used: desired });
  for (const { node, pod, refusal } of allowed)
    actions.deletions.push({ node, pod, because: { kind: "sunset", available, desired, refusal } });
}
