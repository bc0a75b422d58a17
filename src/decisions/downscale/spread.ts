import type { LabelSelection } from "../../api/labels/label-selector.ts";

/** The constraints by which the Pods of a workload were spread, as plain data: see `spreadOfInSteps` in decisions/spread. */
export interface Spread {
  /** Those that make sense: the hard ones first, then the larger domains before the smaller ones. */
  readonly constraints: readonly SpreadDomains[];
  /** Why each of the others is ignored: `topologySpreadConstraints[1]: its selector does not select the Pod`. */
  readonly ignored: readonly string[];
}

/** One constraint, and where it counts Pods. */
export interface SpreadDomains {
  readonly topologyKey: string;
  readonly whenUnsatisfiable: "DoNotSchedule" | "ScheduleAnyway";
  /** The Pods themselves, the operator's list of defaults, or the built-in defaults. */
  readonly source: "pod" | "list" | "built-in";
  /** The domain of every node that has the topology key, by the name of the node. */
  readonly domains: ReadonlyMap<string, string>;
  /** Which of the Pods count. */
  readonly selection: LabelSelection;
  /** How many Pods of the workload's other ReplicaSets are in each domain: they count, and stay. */
  readonly base: ReadonlyMap<string, number>;
}
