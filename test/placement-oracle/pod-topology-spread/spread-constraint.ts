import type { TopologySpreadConstraint } from "../../../src/api/generated/core-v1.ts";
import {
  type LabelRequirement,
  type LabelSelection,
  selectionOf,
} from "../../../src/api/labels/label-selector.ts";
import { labelOf, numberOf, stringOf, textsOf } from "../../../src/decisions/placement/objects/reading.ts";
import type { PodInfo } from "../snapshot/pod-info.ts";
import { type ReadSelection, readSelector } from "../../../src/decisions/placement/objects/pod-selection.ts";

/** What a constraint does to nodes that violate it: reject them, or score them lower. */
export type SpreadAction = "DoNotSchedule" | "ScheduleAnyway";

/** A constraint that takes effect, and its source. */
export interface SpreadConstraint {
  readonly maxSkew: number;
  readonly topologyKey: string;
  readonly whenUnsatisfiable: SpreadAction;
  /** The Pods that count. */
  readonly selection: LabelSelection;
  readonly minDomains: number;
  /** Whether nodes that the Pod's node selector and affinity exclude are left out of the counts. */
  readonly honorsAffinity: boolean;
  /** Whether nodes with taints the Pod does not tolerate are left out of the counts. */
  readonly honorsTaints: boolean;
  /** The Pod itself, the operator's list of defaults, or the built-in defaults. */
  readonly source: "pod" | "list" | "built-in";
}

/** A constraint that the Pod declares; the error text when its selector cannot be parsed. */
export function ownConstraint(constraint: TopologySpreadConstraint, pod: PodInfo): SpreadConstraint | string {
  const selector = selectorOf(constraint, pod);
  return selector.ok ? readConstraint(constraint, selector.selection, "pod") : selector.message;
}

/** A default constraint on the Pods of a derived selector; its own selector and label keys are ignored. */
export function defaultConstraint(
  constraint: TopologySpreadConstraint,
  selection: LabelSelection,
  source: "list" | "built-in",
): SpreadConstraint {
  return readConstraint(constraint, selection, source);
}

function readConstraint(
  constraint: TopologySpreadConstraint,
  selection: LabelSelection,
  source: SpreadConstraint["source"],
): SpreadConstraint {
  return {
    maxSkew: numberOf(constraint.maxSkew, 0),
    topologyKey: stringOf(constraint.topologyKey),
    whenUnsatisfiable: constraint.whenUnsatisfiable === "DoNotSchedule" ? "DoNotSchedule" : "ScheduleAnyway",
    selection,
    minDomains: numberOf(constraint.minDomains, 1),
    honorsAffinity: (constraint.nodeAffinityPolicy ?? "Honor") === "Honor",
    honorsTaints: constraint.nodeTaintsPolicy === "Honor",
    source,
  };
}

/** The selector and, for every label of `matchLabelKeys` that the Pod has, the Pod's own value. */
function selectorOf(constraint: TopologySpreadConstraint, pod: PodInfo): ReadSelection {
  const read = readSelector(constraint.labelSelector);
  if (!read.ok || read.selection.selects === "nothing") return read;
  const alike = textsOf(constraint.matchLabelKeys).flatMap((key): LabelRequirement[] => {
    const value = labelOf(pod.labels, key);
    return value === undefined ? [] : [{ operator: "=", key, value }];
  });
  return { ok: true, selection: selectionOf([...read.selection.requirements, ...alike]) };
}
