import { invalid } from "../../../api/field-error.ts";
import type { PluginArgsSpec } from "../plugin-entry.ts";

/** The settings of InterPodAffinity. */
export interface InterPodAffinityArgs {
  /** The score for a Pod on the node whose required affinity matches the new Pod; 1 when absent. */
  readonly hardPodAffinityWeight?: number;
  /** Leaves nodes unscored for Pods without preferences of their own. */
  readonly ignorePreferredTermsOfExistingPods?: boolean;
}

export const interPodAffinityArgs: PluginArgsSpec<InterPodAffinityArgs> = {
  shape: { members: { hardPodAffinityWeight: "int32", ignorePreferredTermsOfExistingPods: "bool" } },
  setDefaults: (document) => document,
  validate({ hardPodAffinityWeight: weight = 1 }: InterPodAffinityArgs, path) {
    const errors =
      weight >= 0 && weight <= 100
        ? []
        : [invalid(`${path}.hardPodAffinityWeight`, weight, "not in valid range [0, 100]")];
    return { errors, warnings: [] };
  },
};
