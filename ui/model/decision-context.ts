import type { FeatureGates } from "../../src/api/feature-gates.ts";
import type { Instant } from "../../src/api/time.ts";
import type { RemovalProfileName } from "../../src/decisions/downscale/removal-profiles.ts";
import type { DefaultsByScheduler } from "../../src/decisions/spread/spread-of.ts";

/** What previews depend on besides the objects. */
export interface DecisionContext {
  readonly gates: FeatureGates;
  /** By the cluster's clock. */
  readonly now: Instant;
  /** Whose removal order applies. */
  readonly profile: RemovalProfileName;
  /** The default constraints of the cluster's schedulers; absent: those that are built in. */
  readonly spreadDefaults?: DefaultsByScheduler | undefined;
}
