import type { DaemonSet } from "../../api/generated/apps-v1.ts";
import { formatMicroTime, type Instant } from "../../api/time.ts";
import { daemonView, isUpdated } from "../daemon/daemon-view.ts";
import {
  type DaemonPlan,
  type DaemonState,
  idleReason,
  type Idle,
  planDaemonSet,
} from "../daemon/plan-daemon-set.ts";
import { isRollingUpdate, updateBudget } from "../daemon/update-budget.ts";
import { gatherDaemon } from "../gather/gather-daemon.ts";
import type { ClusterObjects } from "./cluster-objects.ts";
import {
  daemonCreationReason,
  daemonDeletionReason,
  daemonWaitReason,
  refusalText,
} from "./daemon-reason.ts";
import { isNamed, type ExplainedObject } from "./object-reference.ts";

/** What happens next to a DaemonSet, node by node, as plain JSON. */
export interface DaemonSetExplanation {
  readonly kind: "DaemonSetExplanation";
  readonly time: string;
  readonly workload: ExplainedObject;
  /** Why nothing is done about it at all. */
  readonly idle?: Idle;
  readonly strategy: "RollingUpdate" | "OnDelete";
  readonly maxUnavailable: number;
  readonly maxSurge: number;
  /** How many nodes should run a Pod, and on how many one is available and of the current revision. */
  readonly desired: number;
  readonly available: number;
  readonly updated: number;
  /** Every node, those where something happens or waits first. */
  readonly nodes: readonly DaemonNodeExplanation[];
}

/** A node, its Pods, and what happens there next. */
export interface DaemonNodeExplanation {
  readonly node: string;
  readonly verdict: "runs" | "keeps" | "excluded" | "lost";
  readonly pods: readonly { readonly name: string; readonly isUpdated: boolean }[];
  /** What happens now; absent: nothing. */
  readonly next?: "create" | "delete" | "wait";
  /** Why that is done, why it waits, or why the node has no Pod. */
  readonly because: string;
}

/** Explains a DaemonSet; `undefined` when it is not among the objects. */
export function explainDaemonSet(
  objects: ClusterObjects,
  { workload, now }: { readonly workload: ExplainedObject; readonly now: Instant },
): DaemonSetExplanation | undefined {
  const daemonSet = objects.daemonSets.find((each) => isNamed(each, workload));
  if (daemonSet === undefined) return undefined;
  const idle = idleReason(daemonSet);
  const state = gatherDaemon(daemonSet, objects, now);
  const plan = planDaemonSet(state);
  const { desiredNumberScheduled: desired, numberAvailable, updatedNumberScheduled } = plan.status;
  return {
    kind: "DaemonSetExplanation",
    time: formatMicroTime(now),
    workload,
    ...(idle !== undefined && { idle }),
    strategy: isRollingUpdate(daemonSet) ? "RollingUpdate" : "OnDelete",
    ...updateBudget(daemonSet, desired),
    desired,
    available: numberAvailable ?? 0,
    updated: updatedNumberScheduled ?? 0,
    nodes: nodesOf(state, plan),
  };
}

/** What a plan does or waits for, by node. */
type Steps = ReadonlyMap<string, Required<Pick<DaemonNodeExplanation, "next" | "because">>>;

function nodesOf(state: DaemonState, plan: DaemonPlan): readonly DaemonNodeExplanation[] {
  const view = daemonView(state, plan.hash);
  const steps = stepsOf(plan);
  const podsOf = (pods: (typeof view.lost)[number]["pods"]) =>
    pods.map((pod) => ({ name: pod.metadata.name, isUpdated: isUpdated(pod, plan.hash) }));
  const known = view.nodes.map(({ name, eligibility, pods }): DaemonNodeExplanation => ({
    node: name,
    verdict: eligibility.kind,
    pods: podsOf(pods),
    because:
      eligibility.kind === "runs"
        ? restReason(state.daemonSet, podsOf(pods))
        : refusalText(eligibility.because),
    ...steps.get(name),
  }));
  const lost = view.lost.map(({ name, pods }): DaemonNodeExplanation => ({
    node: name,
    verdict: "lost",
    pods: podsOf(pods),
    because: "the node does not exist",
    ...steps.get(name),
  }));
  const isBusy = ({ next }: DaemonNodeExplanation) => Number(next === undefined);
  return [...known, ...lost].sort((one, other) => isBusy(one) - isBusy(other));
}

/** Why nothing happens on a node that should run a Pod. */
function restReason(daemonSet: DaemonSet, pods: DaemonNodeExplanation["pods"]): string {
  if (pods.length === 0) return "it gets a Pod in one of the next syncs";
  if (pods.every((pod) => pod.isUpdated)) return "";
  return isRollingUpdate(daemonSet)
    ? "an earlier revision, replaced once every node has its Pod"
    : "an earlier revision, replaced once it is deleted (OnDelete)";
}

function stepsOf({ creations, deletions, waits }: DaemonPlan): Steps {
  const steps = new Map<string, Required<Pick<DaemonNodeExplanation, "next" | "because">>>();
  for (const { node, because } of waits)
    steps.set(node, { next: "wait", because: daemonWaitReason(because) });
  for (const deletion of deletions)
    steps.set(deletion.node, { next: "delete", because: daemonDeletionReason(deletion) });
  for (const { node, because } of creations)
    steps.set(node, { next: "create", because: daemonCreationReason(because) });
  return steps;
}
