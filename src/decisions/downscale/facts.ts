import type { FeatureGates } from "../../api/feature-gates.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import type { Instant } from "../../api/time.ts";
import type { Spread } from "./spread.ts";

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
  /** A picker's answer; absent when there is no picker, or it gave no usable answer. */
  readonly picks?: Picks;
}
