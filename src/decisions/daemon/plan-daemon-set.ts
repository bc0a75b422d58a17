import type { ControllerRevision, DaemonSet, DaemonSetStatus } from "../../api/generated/apps-v1.ts";
import { isBeingDeleted } from "../../api/object.ts";
import type { Instant } from "../../api/time.ts";
import { type NodeActions, noActions } from "./daemon-action.ts";
import {
  daemonRevisions,
  relabelledPods,
  type DaemonRevisionAction,
  revisionsBeyondLimit,
} from "./daemon-revisions.ts";
import { daemonSetStatus, nextAvailabilityAt } from "./daemon-status.ts";
import { daemonView, type DaemonView, hasName, type DaemonViewSources } from "./daemon-view.ts";
import { currentBackoffs, type FailedPodBackoffs, withDeletedPods } from "./failed-pod-backoff.ts";
import { manageNodes } from "./manage-nodes.ts";
import { rollInPlace } from "./roll-in-place.ts";
import { rollWithSurge } from "./roll-with-surge.ts";
import { isRollingUpdate, updateBudget } from "./update-budget.ts";

/** All that a plan for a DaemonSet depends on. */
export interface DaemonState extends DaemonViewSources {
  /** The revisions it controls. */
  readonly revisions: readonly ControllerRevision[];
  /** Whether Pods that were created or deleted are missing in `pods`: then none are created or deleted. */
  readonly isExpecting: boolean;
  /** Absent: none. */
  readonly backoffs?: FailedPodBackoffs | undefined;
}

/** Why a DaemonSet is left alone: its selector selects every Pod, or it is being deleted. */
export type Idle = "selects-everything" | "being-deleted";

/** One sync of a DaemonSet: the history first, then Pods, then what is left of the history, then the status. */
export interface DaemonPlan extends NodeActions {
  /** Which pass decided about the Pods. */
  readonly kind: "expecting" | "manage" | "update" | "none";
  /** The hash of the current revision, once `revisions` are applied. */
  readonly hash: string;
  readonly revisions: readonly DaemonRevisionAction[];
  /** Deleted at the end, unless Pods could not be created or deleted. */
  readonly surplusRevisions: readonly ControllerRevision[];
  /** Written even if something before failed. */
  readonly status: DaemonSetStatus;
  /** For the next plan, once failed Pods are deleted. */
  readonly backoffs: FailedPodBackoffs;
  /** When to plan again even if nothing changes. */
  readonly recheckAt?: Instant;
}

/** Limits the Pods that one sync creates, and those that it deletes. */
// upstream: BurstReplicas of the DaemonSet controller
export const daemonBurst = 250;

/** Why a DaemonSet is left alone; `undefined` when it is not. */
export function idleReason(daemonSet: DaemonSet): Idle | undefined {
  const { matchLabels, matchExpressions } = daemonSet.spec?.selector ?? {};
  if (Object.keys(matchLabels ?? {}).length + (matchExpressions ?? []).length === 0)
    return "selects-everything";
  return isBeingDeleted(daemonSet) ? "being-deleted" : undefined;
}

/** Plans one sync of a DaemonSet that is not idle. A function of the state alone. */
export function planDaemonSet(state: DaemonState): DaemonPlan {
  const { daemonSet, now, isExpecting } = state;
  const known = state.pods.filter(hasName);
  const history = daemonRevisions(daemonSet, state.revisions.filter(hasName), known);
  const pods = relabelledPods(known, history.actions);
  const view = daemonView({ ...state, pods }, history.hash);
  const backoffs = currentBackoffs(state.backoffs, daemonSet.status?.observedGeneration ?? 0, now);
  const { kind, creations, deletions, waits } = planPods(view, backoffs, isExpecting);
  const failed = deletions.filter(({ because }) => because.kind === "failed").map(({ node }) => node);
  const recheckAt = Math.min(nextAvailabilityAt(view) ?? Infinity, firstBackOffEnd(waits));
  return {
    kind,
    hash: history.hash,
    revisions: history.actions,
    creations,
    deletions,
    waits,
    surplusRevisions: isExpecting ? [] : revisionsBeyondLimit(history.old, daemonSet, pods),
    status: daemonSetStatus(view, isExpecting),
    backoffs: withDeletedPods(backoffs, failed, now),
    ...(recheckAt !== Infinity && { recheckAt }),
  };
}

type PodPlan = NodeActions & Pick<DaemonPlan, "kind">;

/** Old Pods are replaced only when all nodes are as they should be otherwise. */
function planPods(view: DaemonView, backoffs: FailedPodBackoffs, isExpecting: boolean): PodPlan {
  if (isExpecting) return { kind: "expecting", ...noActions() };
  const managed = manageNodes(view, backoffs);
  if (managed.creations.length + managed.deletions.length > 0)
    return { kind: "manage", ...withinBurst(managed) };
  if (!isRollingUpdate(view.daemonSet)) return { kind: "none", ...managed };
  const { maxSurge, maxUnavailable } = updateBudget(view.daemonSet, view.desired);
  const rolled = maxSurge > 0 ? rollWithSurge(view, maxSurge) : rollInPlace(view, maxUnavailable);
  const { creations, deletions } = withinBurst(rolled);
  const kind = creations.length + deletions.length > 0 ? "update" : "none";
  return { kind, creations, deletions, waits: [...managed.waits, ...rolled.waits] };
}

function withinBurst({ creations, deletions, waits }: NodeActions): NodeActions {
  return { creations: creations.slice(0, daemonBurst), deletions: deletions.slice(0, daemonBurst), waits };
}

function firstBackOffEnd(waits: NodeActions["waits"]): Instant {
  const end = (earliest: Instant, { because }: NodeActions["waits"][number]) =>
    because.kind === "back-off" ? Math.min(earliest, because.until) : earliest;
  return waits.reduce(end, Infinity);
}
