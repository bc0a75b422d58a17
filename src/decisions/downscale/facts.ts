import type { FeatureGates } from "../../api/feature-gates.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import type { Instant } from "../../api/time.ts";
import type { LabelSelection } from "../../api/labels/label-selector.ts";

/** The names of the Pods a picker chose or tied; all other Pods come after them. */
export interface Picks {
  readonly chosen: ReadonlySet<string>;
  readonly tied: ReadonlySet<string>;
}

/** Everything a downscale decision knows besides the Pods themselves. */
export interface Facts {
  readonly now: Instant;
  readonly gates: FeatureGates;
  /** How many active Pods of the workload are on this Pod's node; see `countPerNode`. */
  readonly related: (pod: Pod) => number;
  /** The constraints by which the Pods were spread; absent: a scale-down does not look at them. */
  readonly spread?: Spread;
  /** What stands on a Pod's node; absent: the workload does not ask for nodes to be emptied. */
  readonly loads?: (pod: Pod) => NodeLoad;
  /** The annotations of Pods whose deletion cost a program wrote; absent: every cost is a person's word. */
  readonly machineCosts?: readonly string[];
  /** A picker's answer; absent when there is no picker, or it gave no usable answer. */
  readonly picks?: Picks;
}

/** What stands on a node, as far as it matters for emptying it. */
export interface NodeLoad {
  /** Its name; "" for none. */
  readonly node: string;
  /** The active Pods of any workload, without those that every node has. */
  readonly pods: number;
  /** Whether it is cordoned, or an autoscaler has chosen it. */
  readonly isLeaving: boolean;
}

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
