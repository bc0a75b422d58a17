import type { DaemonSet, DaemonSetStatus } from "../../api/generated/apps-v1.ts";
import { isAvailable, isReady, readySince } from "../../api/pod-state.ts";
import { semanticEqual } from "../../api/schema/semantic-equality.ts";
import type { Instant } from "../../api/time.ts";
import { type DaemonNode, type DaemonView, isUpdated } from "./daemon-view.ts";

/** What a DaemonSet reports: counts of nodes, by the Pod of each that is kept; conditions of other writers stay. */
export function daemonSetStatus(view: DaemonView, isExpecting: boolean): DaemonSetStatus {
  const { daemonSet, desired } = view;
  const { nodes, ready, available, updated, misscheduled } = countNodes(view);
  const { status, metadata } = daemonSet;
  const { conditions, collisionCount } = status ?? {};
  return {
    currentNumberScheduled: nodes,
    numberMisscheduled: misscheduled,
    desiredNumberScheduled: desired,
    numberReady: ready,
    ...nonZero({
      observedGeneration: (isExpecting ? status?.observedGeneration : metadata.generation) ?? 0,
      updatedNumberScheduled: updated,
      numberAvailable: available,
      numberUnavailable: desired - available,
    }),
    ...(collisionCount !== undefined && { collisionCount }),
    ...(conditions !== undefined && { conditions }),
  };
}

/** Counters as Go encodes those that may be left out. */
function nonZero(counts: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0));
}

/** Whether a status is stored already. */
export function isReportedStatus({ status: reported }: DaemonSet, status: DaemonSetStatus): boolean {
  if (reported === undefined || reported === null) return false;
  return semanticEqual("apps.v1.DaemonSetStatus", reported, status);
}

/** When a Pod that is Ready becomes available next, for which there is no event. */
export function nextAvailabilityAt({ nodes, minReadySeconds, now }: DaemonView): Instant | undefined {
  if (minReadySeconds === 0) return undefined;
  let next = Infinity;
  for (const { pods } of nodes) {
    for (const pod of pods) {
      const since = readySince(pod);
      const at = since === undefined ? Infinity : since + minReadySeconds * 1000;
      if (at > now && at < next) next = at;
    }
  }
  return next === Infinity ? undefined : next;
}

interface NodeCounts {
  /** Nodes that should run a Pod and have one. */
  nodes: number;
  ready: number;
  available: number;
  updated: number;
  /** Nodes that should not run a Pod and have one. */
  misscheduled: number;
}

function countNodes(view: DaemonView): NodeCounts {
  const counts: NodeCounts = { nodes: 0, ready: 0, available: 0, updated: 0, misscheduled: 0 };
  for (const node of view.nodes) countNode(node, view, counts);
  return counts;
}

function countNode({ eligibility, pods }: DaemonNode, view: DaemonView, counts: NodeCounts): void {
  const [first] = pods;
  if (first === undefined) return;
  if (eligibility.kind !== "runs") {
    counts.misscheduled++;
    return;
  }
  counts.nodes++;
  if (isReady(first)) counts.ready++;
  if (isAvailable(first, view.minReadySeconds, view.now)) counts.available++;
  if (isUpdated(first, view.hash)) counts.updated++;
}
