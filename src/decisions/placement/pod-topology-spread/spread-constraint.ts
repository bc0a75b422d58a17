import type { TopologySpreadConstraint } from "../../../api/generated/core-v1.ts";
import {
  type LabelRequirement,
  type LabelSelection,
  selectionOf,
} from "../../../api/labels/label-selector.ts";
import { labelOf, numberOf, textOf, textsOf } from "../snapshot/reading.ts";
import type { PodInfo } from "../snapshot/pod-info.ts";
import { type ReadSelection, readSelector } from "../snapshot/selection.ts";

/** What happens where a constraint cannot be kept: the node is refused, or only scored lower. */
export type SpreadAction = "DoNotSchedule" | "ScheduleAnyway";

/** A constraint as it takes effect, and who wants it. */
export interface SpreadConstraint {
  readonly maxSkew: number;
  readonly topologyKey: string;
  readonly whenUnsatisfiable: SpreadAction;
  /** Which Pods count. */
  readonly selection: LabelSelection;
  readonly minDomains: number;
  /** Whether nodes the Pod's node selector and affinity rule out are left out of the counts. */
  readonly honorsAffinity: boolean;
  /** Whether nodes with taints the Pod does not tolerate are left out of the counts. */
  readonly honorsTaints: boolean;
  /** The Pod itself, the operator's list of defaults, or the defaults that are built in. */
  readonly source: "pod" | "list" | "built-in";
}

/** A constraint the Pod declares, with its own selector; what is wrong with that when it cannot be read. */
export function ownConstraint(constraint: TopologySpreadConstraint, pod: PodInfo): SpreadConstraint | string {
  const selector = selectorOf(constraint, pod);
  return selector.ok ? readConstraint(constraint, selector.selection, "pod") : selector.message;
}

/** A default constraint, for the Pods of a derived selector: its own selector and label keys have no say. */
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
    topologyKey: textOf(constraint.topologyKey),
    whenUnsatisfiable: constraint.whenUnsatisfiable === "DoNotSchedule" ? "DoNotSchedule" : "ScheduleAnyway",
    selection,
    minDomains: numberOf(constraint.minDomains, 1),
    honorsAffinity: (constraint.nodeAffinityPolicy ?? "Honor") === "Honor",
    honorsTaints: constraint.nodeTaintsPolicy === "Honor",
    source,
  };
}

/** The selector and, for every label key to match that the Pod has, its own value. */
function selectorOf(constraint: TopologySpreadConstraint, pod: PodInfo): ReadSelection {
  const read = readSelector(constraint.labelSelector);
  if (!read.ok || read.selection.selects === "nothing") return read;
  const alike = textsOf(constraint.matchLabelKeys).flatMap((key): LabelRequirement[] => {
    const value = labelOf(pod.labels, key);
    return value === undefined ? [] : [{ operator: "=", key, value }];
  });
  return { ok: true, selection: selectionOf([...read.selection.requirements, ...alike]) };
}
