import type { ReplicaSet } from "../../src/api/generated/apps-v1.ts";
import type { Pod } from "../../src/api/generated/core-v1.ts";
import { downscalePodPickerOf } from "../../src/api/workload-settings.ts";
import { deletionCost } from "../../src/api/deletion-cost.ts";
import { pickerQuestion } from "../../src/decisions/downscale/picker-question.ts";
import { preferredLabel } from "../../src/decisions/downscale/rules.ts";
import { heldSentence } from "../../src/decisions/explain/protection-text.ts";
import { eitherReason, removalReason } from "../../src/decisions/explain/removal-reason.ts";
import { scaleRevisions } from "../../src/decisions/explain/scale-revisions.ts";
import { type RemovalState, uncountedFacts } from "../../src/decisions/replicas/removal-facts.ts";
import type { ReplicaOwner } from "../../src/decisions/replicas/replica-owner.ts";
import {
  chooseRemoved,
  type PickerAnswers,
  type PreviewInput,
  removablePods,
  removalState,
} from "./removal.ts";
import { previewStatefulScale } from "./stateful-scale.ts";
import type { Workload } from "./workloads.ts";

/** A Pod that a scale would remove, and why. */
export interface PreviewedRemoval {
  readonly pod: Pod;
  readonly owner: string;
  /** In the order of removal within its owner, from 1. */
  readonly place: number;
  readonly rule: string;
  readonly reason: string;
  readonly deletionCost: number;
  readonly isPreferred: boolean;
  /** Whether the order leaves open if this Pod goes or another. */
  readonly isOpen: boolean;
}

/** How many Pods an owner would create. */
export interface PreviewedCreation {
  readonly kind: "ReplicaSet" | "ReplicationController";
  readonly namespace: string;
  readonly owner: string;
  readonly count: number;
}

/** What setting the replicas of a workload would do at once. */
export interface ScalePreview {
  readonly removals: readonly PreviewedRemoval[];
  /** How many Pods would be created, by owner. */
  readonly creations: readonly PreviewedCreation[];
  /** How the new size is shared between revisions; empty for a workload without any. */
  readonly because: string;
  /** How many Pods would be held back, since the others are protected. */
  readonly held: readonly string[];
  /** What pickers would be asked, or have answered. */
  readonly pickers: readonly PreviewedPicker[];
}

/** A pod picker, as a preview knows it. */
export interface PreviewedPicker {
  readonly owner: string;
  readonly note: string;
  /** Whether it would be asked, and was not asked yet. */
  readonly isOpen: boolean;
}

/** What pickers answered, by the name of the ReplicaSet. */
export type AnswersByOwner = Readonly<Record<string, PickerAnswers>>;

/** What a scale is previewed from; without answers, the order is the one without pickers. */
export interface ScaleInput extends PreviewInput {
  readonly answers?: AnswersByOwner;
}

/** Previews a scale by the functions that the controllers decide with. */
export function previewScale(
  workload: Workload,
  replicas: number,
  input: ScaleInput,
): ScalePreview | undefined {
  switch (workload.kind) {
    case "Deployment": {
      const scene = { deployment: workload.object, objects: input.objects, ...input.context };
      const { owners, because } = scaleRevisions(scene, replicas);
      const resizes = owners.map(({ owner, scaled }) => ({ owner, size: scaled.to }));
      return { ...previewResizes(resizes, input), because };
    }
    case "ReplicaSet":
    case "ReplicationController":
      return { ...previewResizes([{ owner: workload.object, size: replicas }], input), because: "" };
    case "StatefulSet":
      return previewStatefulScale(workload.object, replicas, input);
    case "DaemonSet":
    case "Job":
      return undefined;
  }
}

interface Resize {
  readonly owner: ReplicaOwner;
  readonly size: number;
}

function previewResizes(resizes: readonly Resize[], input: ScaleInput): Omit<ScalePreview, "because"> {
  const removals: PreviewedRemoval[] = [];
  const creations: PreviewedCreation[] = [];
  const held: string[] = [];
  const pickers: PreviewedPicker[] = [];
  for (const { owner, size } of resizes) {
    const state = removalState(owner, input);
    const surplus = state.active.length - size;
    if (surplus < 0) creations.push(creationOf(owner, -surplus));
    if (surplus <= 0) continue;
    const answers = ownAnswers(input.answers, owner.metadata.name);
    const split = removablePods(state);
    const count = Math.min(surplus, split.free.length);
    const free = { ...state, active: split.free };
    if (count < surplus) held.push(heldSentence(owner, surplus - count));
    pickers.push(...pickerNotes(free, count, answers));
    removals.push(...removedFrom(free, count, { answers, hasProtected: split.protected.length > 0 }));
  }
  return { removals, creations, held, pickers };
}

/** Names come from the cluster, and one may be `constructor`. */
function ownAnswers(answers: AnswersByOwner = {}, owner: string): PickerAnswers {
  return Object.hasOwn(answers, owner) ? (answers[owner] ?? []) : [];
}

function creationOf(
  { kind, metadata: { namespace = "", name } }: ReplicaOwner,
  count: number,
): PreviewedCreation {
  const isController = kind === "ReplicationController";
  return { kind: isController ? "ReplicationController" : "ReplicaSet", namespace, owner: name, count };
}

interface RemovalChoice {
  readonly answers: PickerAnswers;
  /** Whether protected Pods were passed over. */
  readonly hasProtected: boolean;
}

function removedFrom(
  free: RemovalState,
  count: number,
  { answers, hasProtected }: RemovalChoice,
): readonly PreviewedRemoval[] {
  const { victims, either } = chooseRemoved(count, free, answers);
  const areAll = hasProtected && count === free.active.length;
  const entry = (pod: Pod, place: number) => ({
    pod,
    owner: free.owner.metadata.name,
    place,
    deletionCost: deletionCost(pod),
    isPreferred: Object.hasOwn(pod.metadata.labels ?? {}, preferredLabel),
  });
  return [
    ...victims.map((victim, index) => ({
      ...entry(victim.pod, index + 1),
      rule: areAll ? "not-protected" : (victim.because?.rule ?? ""),
      reason: removalReason(areAll ? { pod: victim.pod, isLastFree: true } : victim),
      isOpen: false,
    })),
    ...either.map((pod) => ({
      ...entry(pod, victims.length + 1),
      rule: "either",
      reason: eitherReason,
      isOpen: true,
    })),
  ];
}

/** What the picker of an owner would be asked, if it has one, or what it answered. */
function pickerNotes(state: RemovalState, count: number, answers: PickerAnswers): readonly PreviewedPicker[] {
  const { owner, active, gates, removalProfile } = state;
  if (count === 0 || owner.kind === "ReplicationController" || removalProfile !== "trimtab") return [];
  if (!gates.DownscalePodPicker || downscalePodPickerOf(owner as ReplicaSet) === undefined) return [];
  const { name } = owner.metadata;
  if (answers.length > 0) {
    const said = answers.map(({ outcome }) => outcome).join("; then ");
    return [{ owner: name, isOpen: false, note: `The pod picker of ${name} was asked: ${said}.` }];
  }
  const question = pickerQuestion(active, count, uncountedFacts(state));
  if (question.kind !== "Ask") {
    const note = `${name} has a pod picker, which would not be asked: the rules above it decide.`;
    return [{ owner: name, isOpen: false, note }];
  }
  const note =
    `${name} has a pod picker, which would be asked to choose ${question.requested} of ${question.candidates.length} Pods. ` +
    "The order below is the one without its answer.";
  return [{ owner: name, isOpen: true, note }];
}
