import type { FeatureGates } from "../../api/feature-gates.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import type { Instant } from "../../api/time.ts";

/** What a picker said about the Pods it was asked about, by name; nothing else has a rank. */
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
  /** A picker's usable answer; absent when there is no picker, or its answer was none. */
  readonly picks?: Picks;
}
