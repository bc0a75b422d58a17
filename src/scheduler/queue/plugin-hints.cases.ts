import { defaultFeatureGates } from "../../api/feature-gates.ts";
import { inTreePlugins } from "../../decisions/placement/default-plugins.ts";
import { defaultArgs } from "../../decisions/placement/plugin-entry.ts";
import type { QueueingHints } from "../../decisions/placement/cluster-event.ts";

/** The hints of the in-tree plugins with default arguments. */
export const pluginHints: ReadonlyMap<string, QueueingHints> = new Map(
  inTreePlugins.flatMap((entry) => {
    const hints = entry.hints?.(defaultArgs(entry, { isV1beta1: false, gates: defaultFeatureGates }));
    return hints === undefined ? [] : [[entry.name, hints]];
  }),
);
