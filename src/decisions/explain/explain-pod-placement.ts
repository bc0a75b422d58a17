import type { Pod } from "../../api/generated/core-v1.ts";
import { formatMicroTime, type Instant } from "../../api/time.ts";
import { gatherPlacement, type PlacementState } from "../gather/gather-placement.ts";
import { explainPlacement, type PlacementExplanation } from "../placement/explain-placement.ts";
import { feasibleNodesToFind } from "../placement/find-feasible-nodes.ts";
import { type Placement, placePod } from "../placement/place-pod.ts";
import type { PostFilterResult } from "../placement/plugin.ts";
import { runPostFilter } from "../placement/run-post-filter.ts";
import { podInfo, type PodInfo } from "../placement/objects/pod-info.ts";
import type { ClusterView } from "../placement/view/cluster-view.ts";
import { clusterViewOf, type PlacementObjects } from "../placement/view/list-view.ts";
import { claimsOfPod } from "../volumes/pod-claims.ts";
import type { AssumedScheduler } from "./assumed-scheduler.ts";
import type { ClusterObjects } from "./cluster-objects.ts";
import { describeConstraint, failedSchedulingMessage, describePreemption } from "./placement-reason.ts";

/** What a placement is explained for. */
export interface PlacementQuestion {
  readonly pod: Pod;
  /** Whether the Pod does not exist. */
  readonly isHypothetical: boolean;
  readonly scheduler: AssumedScheduler;
  /** How the configuration of the scheduler is known, as part of a sentence. */
  readonly configuration: string;
  readonly now: Instant;
}

/** Where a Pod would be placed now, and the verdict on every node, as plain JSON. */
export interface PodPlacementExplanation extends PlacementExplanation {
  readonly kind: "PlacementExplanation";
  readonly time: string;
  readonly isHypothetical: boolean;
  /** The node that the Pod has. */
  readonly currentNode?: string;
  /** The nodes that the scheduler takes, by lot where there are several; empty when there is none. */
  readonly choices: readonly string[];
  /** Why that node, or why none. */
  readonly because: string;
  /** What is done to make room, for a Pod without a node. */
  readonly preemption?: string;
  /** The topology spread constraints as sentences. */
  readonly spread: readonly string[];
  readonly scheduler: {
    readonly name: string;
    readonly configuration: string;
    readonly filters: readonly string[];
    readonly scorers: readonly { readonly plugin: string; readonly weight: number }[];
  };
  readonly notes: readonly string[];
}

/** Explains where a Pod would be placed if the scheduler looked at it now; its own present place is left out. */
export function explainPodPlacement(
  objects: ClusterObjects,
  question: PlacementQuestion,
): PodPlacementExplanation {
  const { pod, scheduler, now } = question;
  const state = gatherPlacement(pod, objects);
  const attempt = attemptOf(state, { cluster: clusterViewOf(withKnownClaims(state.objects)), scheduler });
  const { placement, preemption } = attempt;
  const explanation = explainPlacement(placement);
  const currentNode = pod.spec.nodeName ?? "";
  return {
    kind: "PlacementExplanation",
    time: formatMicroTime(now),
    isHypothetical: question.isHypothetical,
    ...(currentNode === "" ? {} : { currentNode }),
    choices: choicesOf(placement),
    because: reasonOf(placement, attempt.gatedBy),
    ...(preemption === undefined ? {} : { preemption: describePreemption(preemption) }),
    spread: explanation.constraints.map((each) => describeConstraint(each, explanation.selector)),
    scheduler: schedulerRecord(question),
    ...explanation,
    notes: notesOf(question, placement, objects),
  };
}

/** The objects without claims if none could be read: then where volumes are is not known. */
function withKnownClaims({ persistentVolumeClaims, ...objects }: ClusterObjects): PlacementObjects {
  return persistentVolumeClaims.length === 0 ? objects : { ...objects, persistentVolumeClaims };
}

interface Scene {
  readonly cluster: ClusterView;
  readonly scheduler: AssumedScheduler;
}

interface Attempt {
  readonly placement: Placement;
  readonly preemption?: PostFilterResult | undefined;
  readonly gatedBy?: string | undefined;
}

function attemptOf({ pod, objects }: PlacementState<ClusterObjects>, { cluster, scheduler }: Scene): Attempt {
  const { pluginSet, postFilter } = scheduler;
  const nominatedPods = nominatedOn(objects.pods);
  const nominatedNode = pod.status?.nominatedNodeName;
  const draw = () => 1; // keeps the first of equals; all are listed
  const placement = placePod(pod, cluster, {
    pluginSet,
    draw,
    percentageOfNodesToScore: 100, // the verdict on every node is wanted
    nominatedPods,
    ...(nominatedNode !== undefined && { nominatedNode }),
  });
  const gatedBy = scheduler.gatedBy(podInfo(pod));
  if (gatedBy !== undefined) return { placement, gatedBy };
  const budgetsIn = (namespace: string) =>
    objects.podDisruptionBudgets.filter(({ metadata }) => metadata.namespace === namespace);
  const options = { postFilter, pluginSet, nominatedPods, nominatedNode, budgetsIn, draw: () => 0 };
  const steps = runPostFilter(placement, cluster, options);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return { placement, preemption: step.value };
  }
}

/** The Pods that wait for room on a node. */
function nominatedOn(pods: readonly Pod[]): (node: string) => readonly PodInfo[] {
  const waiting = pods.filter(
    ({ spec, status }) => (spec.nodeName ?? "") === "" && (status?.nominatedNodeName ?? "") !== "",
  );
  return (node) => waiting.filter(({ status }) => status?.nominatedNodeName === node).map(podInfo);
}

function choicesOf({ outcome }: Placement): readonly string[] {
  if (outcome.kind !== "placed") return [];
  return outcome.by.kind === "score" && outcome.by.best.length > 0 ? outcome.by.best : [outcome.node];
}

function reasonOf(placement: Placement, gatedBy: string | undefined): string {
  if (gatedBy !== undefined) return `the Pod is not scheduled yet: ${gatedBy} holds it back`;
  const failure = failedSchedulingMessage(placement);
  if (failure !== undefined) return failure;
  const { outcome, feasible } = placement;
  if (outcome.kind !== "placed") return "no node";
  switch (outcome.by.kind) {
    case "nomination":
      return "it was nominated to this node before, and still fits";
    case "only-node":
      return "no other node fits";
    case "score":
      return `${outcome.by.total} points, the most of ${feasible.length} nodes that fit`;
  }
}

function schedulerRecord({
  scheduler,
  configuration,
}: PlacementQuestion): PodPlacementExplanation["scheduler"] {
  const { filters, scorers } = scheduler.pluginSet;
  return {
    name: scheduler.name,
    configuration,
    filters: filters.filter(({ preFilter }) => preFilter !== undefined).map(({ name }) => name),
    scorers: scorers
      .filter(({ plugin }) => plugin.preScore !== undefined)
      .map(({ plugin, weight }) => ({ plugin: plugin.name, weight })),
  };
}

function notesOf(
  { pod, scheduler }: PlacementQuestion,
  { feasible, nodes }: Placement,
  { persistentVolumeClaims }: ClusterObjects,
): readonly string[] {
  const wanted = feasibleNodesToFind(nodes, scheduler.percentageOfNodesToScore);
  const isUnknown = claimsOfPod(pod).length > 0 && persistentVolumeClaims.length === 0;
  return [
    ...(feasible.length > wanted
      ? [
          `The scheduler stops at ${wanted} nodes that fit, wherever it begins, and compares only those: ` +
            `of ${feasible.length} it may miss the best.`,
        ]
      : []),
    ...(isUnknown
      ? ["The Pod has volumes, and no claims are known: where those can be reached is not looked at."]
      : []),
  ];
}
