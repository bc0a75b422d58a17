import { defaultFeatureGates, type FeatureGates } from "../../src/api/feature-gates.ts";
import type { Pod } from "../../src/api/generated/core-v1.ts";
import { parseTime } from "../../src/api/time.ts";
import type { Facts } from "../../src/decisions/downscale/facts.ts";

/** What the two kinds of vectors about removal have in common. */
export interface DownscaleInput {
  readonly now: string;
  readonly gates: Partial<FeatureGates>;
  readonly pods: readonly Pod[];
  /** The co-location count of each Pod; not consistent per node. */
  readonly relatedOnNode: readonly number[];
}

/** The facts such a vector gives. */
export function factsOf({ now, gates, pods, relatedOnNode }: DownscaleInput): Facts {
  const counts = new Map(pods.map((pod, index) => [pod, relatedOnNode[index] ?? 0]));
  return {
    now: parseTime(now) ?? Number.NaN,
    gates: { ...defaultFeatureGates, ...gates },
    related: (pod) => counts.get(pod) ?? 0,
  };
}
