import type { FeatureGates } from "../../api/feature-gates.ts";
import { findCondition, removalHeldCondition } from "../../api/conditions.ts";
import { downscalePodPickerOf } from "../../api/workload-settings.ts";
import { burst } from "../replicas/plan-replicas.ts";
import type { ClusterObjects } from "./cluster-objects.ts";
import type { DecidedBy } from "./decided-by.ts";
import type { OwnerRemoval, ScaleDownQuestion } from "./explain-scale-down.ts";
import { isNamed } from "./object-reference.ts";
import { heldSentence } from "./protection-text.ts";

/** What a scale-down was explained from. */
interface Explained {
  readonly objects: ClusterObjects;
  readonly question: ScaleDownQuestion;
  readonly decidedBy: DecidedBy;
  readonly gates: FeatureGates;
}

/** What else a reader of a scale-down has to know, one sentence each. */
export function scaleDownNotes(removals: readonly OwnerRemoval[], explained: Explained): readonly string[] {
  const isStock = explained.decidedBy.profile === "kubernetes-1.36";
  const notes = [
    { holds: isSpreadAssumed(removals, explained), note: assumedSpread },
    { holds: isStock && removals.some(({ removing }) => removing > burst), note: bursts },
    { holds: isStock && isRace(removals), note: race },
    { holds: hasIdlePicker(removals, explained), note: idlePicker },
  ];
  return [...notes.flatMap(({ holds, note }) => (holds ? [note] : [])), ...holdNotes(removals, explained)];
}

/** Who is waited for, and how long at most. */
function holdNotes(removals: readonly OwnerRemoval[], { objects, question }: Explained): string[] {
  const { namespace } = question.workload;
  const owners = removals.flatMap(({ kind, name }) =>
    kind === "ReplicaSet" ? objects.replicaSets.filter((each) => isNamed(each, { namespace, name })) : [],
  );
  return removals.flatMap(({ name, held = 0 }) => {
    const owner = owners.find(({ metadata }) => metadata.name === name);
    if (held === 0 || owner === undefined) return [];
    const present = findCondition(owner.status?.conditions, removalHeldCondition)?.message;
    const now = present === undefined ? "" : ` Now: ${present}.`;
    return [`${heldSentence(owner, held)}${now}`];
  });
}

const assumedSpread =
  "The workload has no topologySpreadConstraints of its own: the built-in ones of a scheduler are assumed " +
  "(--scheduler-config gives others).";

function isSpreadAssumed(removals: readonly OwnerRemoval[], { question }: Explained): boolean {
  return (
    question.spreadDefaults === undefined &&
    removals.some(({ spread }) => spread?.constraints.some(({ source }) => source === "built-in") === true)
  );
}

const bursts =
  `kube-controller-manager removes ${burst} Pods at a time and then compares the rest anew: ` +
  "how many Pods share a node may by then decide otherwise.";

const race =
  "kube-controller-manager removes the Pods of several ReplicaSets at the same time: " +
  "how many Pods share a node may by then decide otherwise.";

/** Whether several ReplicaSets lose Pods, and one of them has to choose. */
function isRace(removals: readonly OwnerRemoval[]): boolean {
  const losing = removals.filter(({ removing }) => removing > 0);
  return losing.length > 1 && losing.some(({ removing, pods }) => removing < pods);
}

const idlePicker =
  "The workload has a pod picker, which is not asked: the feature gate DownscalePodPicker is taken to be off there " +
  "(--feature-gates DownscalePodPicker=true).";

function hasIdlePicker(removals: readonly OwnerRemoval[], { gates, objects, question }: Explained): boolean {
  const { namespace } = question.workload;
  const hasPicker = ({ kind, name }: OwnerRemoval) =>
    kind === "ReplicaSet" &&
    objects.replicaSets.some(
      (each) => isNamed(each, { namespace, name }) && downscalePodPickerOf(each) !== undefined,
    );
  return !gates.DownscalePodPicker && removals.some(hasPicker);
}
