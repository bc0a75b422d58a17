import { compareText } from "../../api/compare-text.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { isBeingDeleted } from "../../api/object.ts";
import { isAvailable, isReady } from "../../api/pod-state.ts";
import { type CollectedActions, type NodeActions, noActions } from "./daemon-action.ts";
import { hasNode, keepingRule } from "./daemon-pods.ts";
import { type DaemonNode, type DaemonView, isUpdated } from "./daemon-view.ts";
import { backsOffUntil, type FailedPodBackoffs } from "./failed-pod-backoff.ts";
import type { NodeRefusal } from "./node-eligibility.ts";
import { allowsSurge } from "./update-budget.ts";

/** One pass over the nodes. */
interface Pass {
  readonly view: DaemonView;
  readonly backoffs: FailedPodBackoffs;
  readonly surges: boolean;
  readonly actions: CollectedActions;
}

/** Decides which nodes get a Pod and which Pods go, whatever their revision is, in the order of the nodes' names. */
// upstream: podsShouldBeOnNode
export function manageNodes(view: DaemonView, backoffs: FailedPodBackoffs): NodeActions {
  const actions = noActions();
  const pass: Pass = { view, backoffs, surges: allowsSurge(view.daemonSet), actions };
  for (const node of view.nodes) manageNode(node, pass);
  for (const { name, pods } of view.lost) {
    // The Pod garbage collector deletes those that are bound.
    const unbound = pods.filter((pod) => !hasNode(pod) && !isBeingDeleted(pod));
    for (const pod of unbound) actions.deletions.push({ node: name, pod, because: { kind: "no-node" } });
  }
  actions.creations.sort((one, other) => compareText(one.node, other.node));
  actions.deletions.sort((one, other) => compareText(one.node, other.node));
  return actions;
}

function manageNode(node: DaemonNode, pass: Pass): void {
  const { eligibility, pods } = node;
  if (eligibility.kind === "excluded") removeAll(node, eligibility.because, pass);
  else if (pods.length > 0) manageRunning(node, removeEnded(node, pass), pass);
  else if (eligibility.kind === "runs") create(node, pass);
}

function create({ name }: DaemonNode, { actions }: Pass): void {
  actions.creations.push({ node: name, because: { kind: "missing" } });
}

function removeAll({ name, pods }: DaemonNode, refusal: NodeRefusal, { actions }: Pass): void {
  const because = { kind: "not-eligible", refusal } as const;
  for (const pod of pods) if (!isBeingDeleted(pod)) actions.deletions.push({ node: name, pod, because });
}

/** The Pods of a node that run or will run, and whether a failed one is kept for a while. */
interface Remaining {
  readonly running: readonly Pod[];
  readonly isBackingOff: boolean;
}

function removeEnded({ name, pods }: DaemonNode, { view, backoffs, actions }: Pass): Remaining {
  const running: Pod[] = [];
  let isBackingOff = false;
  for (const pod of pods) {
    if (isBeingDeleted(pod)) continue;
    const phase = pod.status?.phase;
    const until = phase === "Failed" ? backsOffUntil(backoffs, name, view.now) : undefined;
    if (until !== undefined) {
      isBackingOff = true;
      actions.waits.push({ node: name, because: { kind: "back-off", pod: pod.metadata.name, until } });
    } else if (phase === "Failed" || phase === "Succeeded") {
      const because = { kind: phase === "Failed" ? "failed" : "succeeded" } as const;
      actions.deletions.push({ node: name, pod, because });
    } else running.push(pod);
  }
  return { running, isBackingOff };
}

function manageRunning(node: DaemonNode, remaining: Remaining, pass: Pass): void {
  const { running, isBackingOff } = remaining;
  const [first, ...others] = running;
  if (first !== undefined) {
    if (others.length > 0 && pass.surges) manageSurge(node, running, pass);
    else for (const pod of others) removeDuplicate(node, { pod, kept: first }, pass);
    return;
  }
  // While a failed Pod is kept for its backoff, a new one would fail as well.
  if (pass.surges && node.eligibility.kind === "runs" && !isBackingOff) return create(node, pass);
  const terminating = node.pods.find(isBeingDeleted)?.metadata.name;
  if (terminating !== undefined)
    pass.actions.waits.push({ node: node.name, because: { kind: "terminating", pod: terminating } });
}

function removeDuplicate(
  { name }: DaemonNode,
  { pod, kept }: { readonly pod: Pod; readonly kept: Pod },
  { actions }: Pass,
): void {
  const because = { kind: "duplicate", kept: kept.metadata.name, rule: keepingRule(kept, pod) } as const;
  actions.deletions.push({ node: name, pod, because });
}

/** Keeps the first new and the first old Pod; the old one only until it is worth less than the new one. */
function manageSurge(node: DaemonNode, running: readonly Pod[], pass: Pass): void {
  const { view, actions } = pass;
  const isNew = (pod: Pod) => isUpdated(pod, view.hash);
  const newest = running.find(isNew);
  const old = running.find((pod) => !isNew(pod));
  for (const pod of running) {
    const kept = isNew(pod) ? newest : old;
    if (kept !== undefined && kept !== pod) removeDuplicate(node, { pod, kept }, pass);
  }
  if (newest === undefined || old === undefined) return;
  const { name } = newest.metadata;
  if (!isReady(old))
    actions.deletions.push({ node: node.name, pod: old, because: { kind: "old-not-ready", beside: name } });
  else if (isAvailable(newest, view.minReadySeconds, view.now))
    actions.deletions.push({ node: node.name, pod: old, because: { kind: "superseded", by: name } });
}
