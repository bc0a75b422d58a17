import type { ReplicaSet } from "../../src/api/generated/apps-v1.ts";
import type { Pod } from "../../src/api/generated/core-v1.ts";
import { downscalePodPickerOf } from "../../src/api/workload-settings.ts";
import { deletionCost } from "../../src/decisions/downscale/deletion-cost.ts";
import { pickerQuestion } from "../../src/decisions/downscale/picker-question.ts";
import { preferredLabel } from "../../src/decisions/downscale/rules.ts";
import { eitherReason, removalReason } from "../../src/decisions/explain/removal-reason.ts";
import { describeRevisionLimit } from "../../src/decisions/explain/describe-limit.ts";
import { sizeOf } from "../../src/decisions/rollout/counts.ts";
import { planRollout, type RolloutPlan } from "../../src/decisions/rollout/plan-rollout.ts";
import type { ClusterState } from "../live/cluster-state.ts";
import { activePods, chooseRemoved, type Owner, removalFacts } from "./removal.ts";
import { type DecisionContext, rolloutStateOf } from "./rollout.ts";
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

/** What setting the replicas of a workload would do at once. */
export interface ScalePreview {
  readonly removals: readonly PreviewedRemoval[];
  /** How many Pods would be created, by owner. */
  readonly creations: readonly { readonly owner: string; readonly count: number }[];
  /** What the revisions wait for after that, one sentence each. */
  readonly waits: readonly string[];
  /** What pickers would be asked: their answers are not known before. */
  readonly pickers: readonly string[];
}

interface Resize {
  readonly owner: Owner;
  readonly size: number;
}

export interface PreviewInput {
  readonly state: ClusterState;
  readonly context: DecisionContext;
}

/** Previews a scale by the functions that the controllers decide with. */
export function previewScale(
  workload: Workload,
  replicas: number,
  input: PreviewInput,
): ScalePreview | undefined {
  switch (workload.kind) {
    case "Deployment": {
      const { object } = workload;
      const scaled = { ...object, spec: { ...object.spec, replicas } };
      const rollout = rolloutStateOf(scaled, input.state, input.context);
      const plan = planRollout(rollout);
      const sizes = new Map(rollout.replicaSets.map((each) => [each.metadata.name, each]));
      for (const action of plan.actions) {
        if (action.kind === "update-replica-set")
          sizes.set(action.replicaSet.metadata.name, action.replicaSet);
      }
      const resizes = [...sizes.values()].map((each) => ({ owner: each, size: sizeOf(each) }));
      return { ...previewResizes(resizes, input), waits: waitsOf(plan) };
    }
    case "ReplicaSet":
    case "ReplicationController":
      return { ...previewResizes([{ owner: workload.object, size: replicas }], input), waits: [] };
    case "StatefulSet":
    case "Job":
      return undefined;
  }
}

/** What the revisions wait for; that ReplicaSets have yet to report on their new size goes without saying. */
function waitsOf({ limits }: RolloutPlan): readonly string[] {
  return limits
    .filter(({ limit }) => limit.kind !== "unreported" && limit.kind !== "none" && limit.kind !== "complete")
    .map(describeRevisionLimit);
}

function previewResizes(resizes: readonly Resize[], input: PreviewInput): Omit<ScalePreview, "waits"> {
  const removals: PreviewedRemoval[] = [];
  const creations: { readonly owner: string; readonly count: number }[] = [];
  const pickers: string[] = [];
  for (const { owner, size } of resizes) {
    const surplus = activePods(owner, input.state).length - size;
    const { name } = owner.metadata;
    if (surplus < 0) creations.push({ owner: name, count: -surplus });
    if (surplus <= 0) continue;
    pickers.push(...pickerNotes(owner, surplus, input));
    removals.push(...removedFrom(owner, surplus, input));
  }
  return { removals, creations, pickers };
}

function removedFrom(owner: Owner, count: number, input: PreviewInput): readonly PreviewedRemoval[] {
  const { victims, either } = chooseRemoved(owner, count, input);
  const entry = (pod: Pod, place: number) => ({
    pod,
    owner: owner.metadata.name,
    place,
    deletionCost: deletionCost(pod),
    isPreferred: Object.hasOwn(pod.metadata.labels ?? {}, preferredLabel),
  });
  return [
    ...victims.map((victim, index) => ({
      ...entry(victim.pod, index + 1),
      rule: victim.because?.rule ?? "",
      reason: removalReason(victim),
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

/** What the picker of an owner would be asked, if it has one. */
function pickerNotes(owner: Owner, count: number, { state, context }: PreviewInput): readonly string[] {
  if (owner.kind === "ReplicationController" || context.profile !== "trimtab") return [];
  if (!context.gates.DownscalePodPicker || downscalePodPickerOf(owner as ReplicaSet) === undefined) return [];
  const facts = removalFacts(owner, state, { context });
  const question = pickerQuestion(activePods(owner, state), count, facts);
  const { name } = owner.metadata;
  return question.kind === "Ask"
    ? [
        `${name} has a pod picker, which would be asked to choose ${question.requested} of ${question.candidates.length} Pods. ` +
          "Its answer is not known before: the order below is the one without it.",
      ]
    : [`${name} has a pod picker, which would not be asked: the rules above it decide.`];
}
