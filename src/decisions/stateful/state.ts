import type { FeatureGates } from "../../api/feature-gates.ts";
import type { ControllerRevision, StatefulSet } from "../../api/generated/apps-v1.ts";
import type { PersistentVolumeClaim, Pod } from "../../api/generated/core-v1.ts";
import type { Instant } from "../../api/time.ts";

/** The input of one pass over a StatefulSet. */
export interface StatefulState {
  readonly set: StatefulSet;
  /** The Pods that the set controls and that have a name of its Pods, in any order. */
  readonly pods: readonly Pod[];
  /** The revisions that the set controls and selects, in any order. */
  readonly revisions: readonly ControllerRevision[];
  /** The claims that exist for its Pods, by name. */
  readonly claims: Pick<ReadonlyMap<string, PersistentVolumeClaim>, "get">;
  /** How often the name of a revision was taken, where that is known to be more than the status says. */
  readonly collisionCount?: number | undefined;
  readonly gates: FeatureGates;
  readonly now: Instant;
}
