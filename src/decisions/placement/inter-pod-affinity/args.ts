import { flag, int32, record } from "../../../api/documents/document-schema.ts";
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
  schema: record("The arguments of InterPodAffinity.", {
    hardPodAffinityWeight: int32("The score for a Pod whose required affinity matches the new Pod."),
    ignorePreferredTermsOfExistingPods: flag("Pods without preferences of their own are not scored."),
  }),
  setDefaults: (document) => document,
  validate({ hardPodAffinityWeight: weight = 1 }: InterPodAffinityArgs, path) {
    const errors =
      weight >= 0 && weight <= 100
        ? []
        : [invalid(`${path}.hardPodAffinityWeight`, weight, "not in valid range [0, 100]")];
    return { errors, warnings: [] };
  },
};
