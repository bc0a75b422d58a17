import type { DaemonSet } from "../../api/generated/apps-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import type { Instant } from "../../api/time.ts";
import { nodeOfDaemonPod } from "../daemon/daemon-pods.ts";
import { daemonPodDrafts } from "../daemon/draft-daemon-pod.ts";
import { nodeEligibility, type NodeRefusal } from "../daemon/node-eligibility.ts";
import { gatherDaemon } from "../gather/gather-daemon.ts";
import type { AssumedScheduler } from "./assumed-scheduler.ts";
import type { ClusterObjects } from "./cluster-objects.ts";
import { type DaemonNodeExplanation, explainDaemonSet } from "./explain-daemon-set.ts";
import { explainPodPlacement } from "./explain-pod-placement.ts";
import { admittedPod } from "./hypothetical-pod.ts";
import { isNamed, type ExplainedObject } from "./object-reference.ts";
import { planDaemonSet } from "../daemon/plan-daemon-set.ts";

/** Whether a node should run a Pod of a DaemonSet, and whether the scheduler would place it there, as plain JSON. */
export interface DaemonPlacementExplanation extends Omit<DaemonNodeExplanation, "verdict"> {
  readonly kind: "DaemonPlacementExplanation";
  readonly time: string;
  readonly workload: ExplainedObject;
  readonly verdict: Exclude<DaemonNodeExplanation["verdict"], "lost">;
  /** What keeps the DaemonSet from the node. */
  readonly refusal?: NodeRefusal;
  /** What the scheduler would do with a new Pod; absent where none should run. */
  readonly placement?: DaemonPodPlacement;
}

interface DaemonPodPlacement {
  readonly scheduler: string;
  readonly configuration: string;
  readonly fits: boolean;
  /** Why it does not fit. */
  readonly reasons: readonly string[];
  /** What is done to make room. */
  readonly preemption?: string;
}

/** What is asked about a node; the scheduler is that of the DaemonSet's Pods. */
interface DaemonPlacementQuestion {
  readonly workload: ExplainedObject;
  readonly node: string;
  readonly scheduler: AssumedScheduler;
  readonly configuration: string;
  readonly now: Instant;
}

/** The Pod that a DaemonSet would make for a node; `undefined` when it is not among the objects. */
export function daemonPodFor(
  objects: ClusterObjects,
  { workload, node, now }: Pick<DaemonPlacementQuestion, "workload" | "node" | "now">,
): { readonly daemonSet: DaemonSet; readonly pod: Pod } | undefined {
  const daemonSet = objects.daemonSets.find((each) => isNamed(each, workload));
  if (daemonSet === undefined) return undefined;
  const { hash } = planDaemonSet(gatherDaemon(daemonSet, objects, now));
  return { daemonSet, pod: admittedPod(daemonPodDrafts(daemonSet, hash)(node), objects) };
}

/** Explains a DaemonSet on one node; `undefined` when there is no such DaemonSet or node. */
export function explainDaemonPlacement(
  objects: ClusterObjects,
  question: DaemonPlacementQuestion,
): DaemonPlacementExplanation | undefined {
  const { workload, now } = question;
  const node = objects.nodes.find(({ metadata }) => metadata.name === question.node);
  const made = daemonPodFor(objects, question);
  const explained = explainDaemonSet(objects, { workload, now });
  const row = explained?.nodes.find((each) => each.node === question.node);
  if (node === undefined || made === undefined || explained === undefined || row === undefined)
    return undefined;
  const eligibility = nodeEligibility(made.daemonSet)(node);
  return {
    kind: "DaemonPlacementExplanation",
    time: explained.time,
    workload,
    ...row,
    verdict: eligibility.kind,
    ...(eligibility.kind === "runs"
      ? { placement: placementOn(objects, made.pod, question) }
      : { refusal: eligibility.because }),
  };
}

/** Asks the scheduler, as if the node had no Pod of the DaemonSet yet. */
function placementOn(
  objects: ClusterObjects,
  pod: Pod,
  { workload, node, scheduler, configuration, now }: DaemonPlacementQuestion,
): DaemonPodPlacement {
  const isOwn = ({ metadata }: Pod) =>
    metadata.namespace === workload.namespace &&
    metadata.ownerReferences?.some(
      ({ kind, name, controller }) => controller === true && kind === workload.kind && name === workload.name,
    ) === true;
  const others = objects.pods.filter((each) => !isOwn(each) || nodeOfDaemonPod(each) !== node);
  const { choices, nodes, because, preemption } = explainPodPlacement(
    { ...objects, pods: others },
    { pod, isHypothetical: true, scheduler, configuration, now },
  );
  const fits = choices.includes(node);
  const own = nodes.find((each) => each.node === node);
  const refused = own?.verdict === "refused" ? own.because.reasons : [because];
  return {
    scheduler: scheduler.name,
    configuration,
    fits,
    reasons: fits ? [] : refused,
    ...(preemption !== undefined && { preemption }),
  };
}
