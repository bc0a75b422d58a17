import type { FeatureGates } from "../../api/feature-gates.ts";
import type { Deployment } from "../../api/generated/apps-v1.ts";
import type { Labels } from "../../api/labels/label-selector.ts";
import { formatMicroTime, type Instant } from "../../api/time.ts";
import { gatherRemoval } from "../gather/gather-removal.ts";
import { listReader } from "../gather/workload-reader.ts";
import { desiredReplicasOf, type ReplicaOwner } from "../replicas/replica-owner.ts";
import { replicasOf } from "../rollout/counts.ts";
import type { DefaultsByScheduler } from "../spread/spread-of.ts";
import { withOriginalCost } from "../stock/mark.ts";
import type { ClusterObjects } from "./cluster-objects.ts";
import { type DecidedBy, decidedAs, defaultGatesOf, findDecidedBy } from "./decided-by.ts";
import { isNamed, type ExplainedObject } from "./object-reference.ts";
import { isSpreadBy, pickerOf } from "./steering-summary.ts";
import {
  type PickerAnswerGiven,
  type PickerExplanation,
  rankCandidates,
  type RankedPod,
} from "./rank-candidates.ts";
import { scaleDownNotes } from "./scale-down-notes.ts";
import { type ScaledRevision, scaleRevisions } from "./scale-revisions.ts";
import type { SpreadCounts } from "./spread-counts.ts";

/** What a scale-down is explained for. */
export interface ScaleDownQuestion {
  readonly workload: ExplainedObject;
  /** The size after it. */
  readonly replicas: number;
  readonly now: Instant;
  /** Absent: the profile is found out. */
  readonly profile?: DecidedBy["profile"] | undefined;
  /** Whose controllers decide, where that is known otherwise, as from a snapshot; absent: it is found out. */
  readonly decidedBy?: DecidedBy | undefined;
  /** The gates of an embedded cluster, if it says them. */
  readonly embeddedGates?: FeatureGates | undefined;
  /** The default constraints of the schedulers there; absent: not known, and the built-in ones are assumed. */
  readonly spreadDefaults?: DefaultsByScheduler | undefined;
  /** Gates that differ from those the controllers have by default. */
  readonly gates?: ((defaults: FeatureGates) => FeatureGates) | undefined;
  /** What pickers answered, by the name of the ReplicaSet and in the order of the questions. */
  readonly pickerAnswers?: Readonly<Record<string, readonly PickerAnswerGiven[]>> | undefined;
}

/** Which Pods a scale-down removes, and why those, as plain JSON. */
export interface ScaleDownExplanation {
  readonly kind: "ScaleDownExplanation";
  readonly time: string;
  readonly workload: ExplainedObject;
  /** The desired size now, and after the scale-down. */
  readonly from: number;
  readonly to: number;
  /** How many Pods go. */
  readonly removing: number;
  readonly decidedBy: DecidedBy;
  readonly gates: FeatureGates;
  /** How the new size is shared; one sentence. */
  readonly because: string;
  /** The ReplicaSets with Pods or with another size than before, or the one ReplicaSet or ReplicationController. */
  readonly owners: readonly OwnerRemoval[];
  readonly notes: readonly string[];
}

/** What one ReplicaSet or ReplicationController loses. */
export interface OwnerRemoval extends ScaledRevision {
  /** Its Pods that count now. */
  readonly pods: number;
  readonly removing: number;
  /** How many more are too many, but held back because they are protected; absent: none. */
  readonly held?: number;
  /** In removal order: first those that go. Empty when no Pod goes. */
  readonly candidates: readonly RankedPod[];
  /** What its picker is asked; empty without one, or when nothing is left for it to decide. */
  readonly pickers: readonly PickerExplanation[];
  /** The Pods of every domain before and after, where a scale-down looks at domains. */
  readonly spread?: SpreadCounts;
}

/** Explains a scale-down; `undefined` when the workload is not among the objects. */
export function explainScaleDown(
  objects: ClusterObjects,
  question: ScaleDownQuestion,
): ScaleDownExplanation | undefined {
  const workload = findScalable(objects, question.workload);
  if (workload === undefined) return undefined;
  const labels = namespaceLabelsOf(objects, question.workload.namespace);
  const found = question.decidedBy ?? findDecidedBy(workload.object, labels);
  const decidedBy = question.profile === undefined ? found : decidedAs(question.profile, found);
  const defaults = defaultGatesOf(decidedBy, question.embeddedGates);
  const gates = question.gates?.(defaults) ?? defaults;
  const scene: Scene = { objects, question, decidedBy, gates, labels };
  const { owners, because } = sharesOf(workload, scene);
  const removals = owners.map((share) => removalOf(share, scene)).filter(isWorthShowing);
  return {
    kind: "ScaleDownExplanation",
    time: formatMicroTime(question.now),
    workload: question.workload,
    from: workload.size,
    to: question.replicas,
    removing: removals.reduce((sum, { removing }) => sum + removing, 0),
    decidedBy,
    gates,
    because,
    owners: removals,
    notes: scaleDownNotes(removals, scene),
  };
}

interface Scene {
  readonly objects: ClusterObjects;
  readonly question: ScaleDownQuestion;
  readonly decidedBy: DecidedBy;
  readonly gates: FeatureGates;
  readonly labels: Labels;
}

/** A workload and its size now. */
type Scalable =
  | { readonly kind: "Deployment"; readonly object: Deployment; readonly size: number }
  | { readonly kind: "owner"; readonly object: ReplicaOwner; readonly size: number };

function findScalable(objects: ClusterObjects, reference: ExplainedObject): Scalable | undefined {
  const named = <T extends Deployment | ReplicaOwner>(list: readonly T[]): T | undefined =>
    list.find((object) => isNamed(object, reference));
  if (reference.kind === "Deployment") {
    const object = named(objects.deployments);
    return object && { kind: "Deployment", object, size: replicasOf(object) };
  }
  const object: ReplicaOwner | undefined =
    reference.kind === "ReplicaSet" ? named(objects.replicaSets) : named(objects.replicationControllers);
  return object && { kind: "owner", object, size: desiredReplicasOf(object) ?? 0 };
}

function namespaceLabelsOf({ namespaces }: ClusterObjects, name: string): Labels {
  return namespaces.find(({ metadata }) => metadata.name === name)?.metadata.labels;
}

interface Share {
  readonly owner: ReplicaOwner;
  readonly scaled: ScaledRevision;
}

function sharesOf(
  workload: Scalable,
  { objects, question, gates }: Scene,
): { readonly owners: readonly Share[]; readonly because: string } {
  const { replicas, now } = question;
  if (workload.kind === "Deployment") {
    return scaleRevisions({ deployment: workload.object, objects, gates, now }, replicas);
  }
  const { kind, metadata } = workload.object;
  const scaled: ScaledRevision = {
    kind: kind === "ReplicationController" ? kind : "ReplicaSet",
    name: metadata.name,
    from: workload.size,
    to: replicas,
  };
  return {
    owners: [{ owner: workload.object, scaled }],
    because: `the ${scaled.kind} has no other owner of Pods to share with`,
  };
}

function removalOf({ owner, scaled }: Share, scene: Scene): OwnerRemoval {
  const { objects, question, decidedBy, gates, labels } = scene;
  const { profile: removalProfile } = decidedBy;
  const { now, spreadDefaults } = question;
  const isSteered = decidedBy.controllers === "steered";
  // The marks of `trimtab steer` are not costs of the user.
  const known = isSteered ? { ...objects, pods: objects.pods.map(withOriginalCost) } : objects;
  const isSpread = isSpreadBy(owner, scene);
  const state = gatherRemoval(owner, listReader(known), {
    gates,
    now,
    removalProfile,
    isSpread,
    spreadDefaults,
  });
  const pods = state.active.length;
  const surplus = Math.max(0, pods - scaled.to);
  const { held, ...ranked } =
    surplus === 0
      ? { candidates: [], pickers: [], held: 0 }
      : rankCandidates(state, surplus, {
          hasPicker: pickerOf(owner, { labels, isSteered }) !== undefined,
          pickerAnswers: question.pickerAnswers?.[scaled.name] ?? [],
          isOneDecision: isSteered || removalProfile === "kubernetes-1.36",
        });
  return { ...scaled, pods, removing: surplus - held, ...(held === 0 ? {} : { held }), ...ranked };
}

function isWorthShowing({ pods, from, to }: OwnerRemoval): boolean {
  return pods > 0 || from !== to;
}
