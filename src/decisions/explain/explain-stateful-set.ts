import { defaultFeatureGates, type FeatureGates } from "../../api/feature-gates.ts";
import type { StatefulSet } from "../../api/generated/apps-v1.ts";
import { deletionCostAnnotation } from "../../api/deletion-cost.ts";
import { formatMicroTime, type Instant } from "../../api/time.ts";
import { preferredLabel } from "../downscale/rules.ts";
import { gatherStateful } from "../gather/gather-stateful.ts";
import { retentionOf } from "../stateful/claim-retention.ts";
import { claimTemplatesOf } from "../stateful/claim.ts";
import { isInRange, type OrdinalRange, statefulPodName } from "../stateful/ordinal.ts";
import { planStatefulSet, type StatefulPlan } from "../stateful/plan-stateful-set.ts";
import { type PodHealth, revisionOfPod } from "../stateful/pod-health.ts";
import type { StatefulState } from "../stateful/state.ts";
import {
  allMembers,
  type OrdinalPod,
  partitionOf,
  type StatefulView,
  statefulViewOf,
} from "../stateful/view.ts";
import type { ClusterObjects } from "./cluster-objects.ts";
import { isNamed, type ExplainedObject } from "./object-reference.ts";
import { statefulCreateReason, statefulDeleteReason, statefulWaitReason } from "./stateful-reason.ts";

/** What a StatefulSet is explained for. */
export interface StatefulQuestion {
  readonly workload: ExplainedObject;
  readonly now: Instant;
  /** The size after a scale-down; absent: it keeps its size. */
  readonly replicas?: number | undefined;
  readonly gates?: ((defaults: FeatureGates) => FeatureGates) | undefined;
}

/** What happens next to a StatefulSet, ordinal by ordinal, as plain JSON. */
export interface StatefulSetExplanation {
  readonly kind: "StatefulSetExplanation";
  readonly time: string;
  readonly workload: ExplainedObject;
  readonly isDeleted: boolean;
  readonly policy: "OrderedReady" | "Parallel";
  readonly strategy: "RollingUpdate" | "OnDelete";
  readonly range: OrdinalRange;
  readonly partition: number;
  /** How many may be unavailable during an update. */
  readonly maxUnavailable: number;
  readonly currentRevision: string;
  readonly updateRevision: string;
  /** What keeps the set from doing more, one sentence each; the first one is what stops it. */
  readonly waits: readonly string[];
  /** The Pods, and those that are created next; the highest ordinal first. */
  readonly pods: readonly OrdinalExplanation[];
  readonly notes: readonly string[];
}

/** An ordinal, its Pod, and what happens to it next. */
export interface OrdinalExplanation {
  readonly pod: string;
  readonly ordinal: number;
  readonly state: PodHealth["kind"] | "missing";
  readonly revision?: string;
  /** What happens now; absent: nothing. */
  readonly next?: "create" | "delete" | "update";
  readonly because: string;
}

/** Explains a StatefulSet, or a scale-down of it; `undefined` when it is not among the objects. */
export function explainStatefulSet(
  objects: ClusterObjects,
  { workload, now, replicas, ...question }: StatefulQuestion,
): StatefulSetExplanation | undefined {
  const found = objects.statefulSets.find((each) => isNamed(each, workload));
  if (found === undefined) return undefined;
  const set = replicas === undefined ? found : { ...found, spec: { ...found.spec, replicas } };
  const gates = question.gates?.(defaultFeatureGates) ?? defaultFeatureGates;
  const state = gatherStateful(set, objects, { gates, now });
  const plan = planStatefulSet(state);
  const view = statefulViewOf(state);
  return {
    kind: "StatefulSetExplanation",
    time: formatMicroTime(now),
    workload,
    isDeleted: set.metadata.deletionTimestamp !== undefined,
    policy: view.isOrdered ? "OrderedReady" : "Parallel",
    strategy: set.spec.updateStrategy?.type === "OnDelete" ? "OnDelete" : "RollingUpdate",
    range: view.range,
    partition: partitionOf(set),
    maxUnavailable: gates.MaxUnavailableStatefulSet ? plan.maxUnavailable : 1,
    currentRevision: view.revisions.current.name,
    updateRevision: view.revisions.update.name,
    waits: plan.waits.map((wait) => statefulWaitReason(wait, (ordinal) => statefulPodName(set, ordinal))),
    pods: podsOf(view, plan),
    notes: notesOf(state),
  };
}

type Step = Pick<OrdinalExplanation, "next" | "because">;

function podsOf(view: StatefulView, plan: StatefulPlan): readonly OrdinalExplanation[] {
  const steps = stepsOf(view.set, plan);
  const known = [...allMembers(view)].map((member): OrdinalExplanation => ({
    pod: member.pod.metadata.name,
    ordinal: member.ordinal,
    state: member.health.kind,
    revision: revisionOfPod(member.pod) ?? "",
    ...(steps.get(member.ordinal) ?? { because: restReason(view, member) }),
  }));
  const existing = new Set(known.map(({ ordinal }) => ordinal));
  const created = [...steps]
    .filter(([ordinal]) => !existing.has(ordinal))
    .map(([ordinal, step]): OrdinalExplanation => {
      return { pod: statefulPodName(view.set, ordinal), ordinal, state: "missing", ...step };
    });
  return [...known, ...created].sort((a, b) => b.ordinal - a.ordinal);
}

/** What a plan does to Pods, by ordinal. */
function stepsOf(set: StatefulSet, { batches }: StatefulPlan): ReadonlyMap<number, Step> {
  const steps = new Map<number, Step>();
  for (const { ordinal, actions } of batches.flat()) {
    for (const action of actions) {
      if (action.kind === "create-pod")
        steps.set(ordinal, { next: "create", because: statefulCreateReason(action.reason) });
      if (action.kind === "delete-pod") {
        const claims = action.reason.kind === "scaled-down" ? claimsText(set) : "";
        steps.set(ordinal, { next: "delete", because: `${statefulDeleteReason(action.reason)}${claims}` });
      }
      if (action.kind === "update-pod")
        steps.set(ordinal, { next: "update", because: `its ${action.reason} is repaired` });
    }
  }
  return steps;
}

/** What becomes of the claims of a Pod that is out of range. */
function claimsText(set: StatefulSet): string {
  if (claimTemplatesOf(set).length === 0) return "";
  return retentionOf(set).whenScaled === "Delete" ? "; its claims go with it" : "; its claims stay";
}

/** What becomes of a Pod that nothing is done to now. */
function restReason(view: StatefulView, { ordinal, pod, health }: OrdinalPod): string {
  const { set, range, revisions } = view;
  const isOutdated = revisionOfPod(pod) !== revisions.update.name;
  const isGoing = health.kind === "terminating" || (health.kind === "ended" && health.isTerminating);
  if (isGoing) return "terminating; its name is free once it is gone";
  if (!isInRange(range, ordinal)) return `goes in its turn, the highest ordinal first${claimsText(set)}`;
  if (!isOutdated) return "";
  if (set.spec.updateStrategy?.type === "OnDelete") return "replaced when somebody deletes it (OnDelete)";
  if (ordinal - range.start < partitionOf(set)) return `stays, below partition ${partitionOf(set)}`;
  return "replaced in its turn, the highest ordinal first";
}

const ignored = { annotation: deletionCostAnnotation, label: preferredLabel };

function notesOf({ pods }: StatefulState): readonly string[] {
  return pods.flatMap(({ metadata: { name, annotations, labels } }) => {
    const has = [
      ...(annotations?.[ignored.annotation] === undefined ? [] : [ignored.annotation]),
      ...(labels?.[ignored.label] === undefined ? [] : [ignored.label]),
    ];
    return has.map((what) => `${name} has ${what}, which changes nothing: ordinals alone decide`);
  });
}
