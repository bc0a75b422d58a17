import { defaultFeatureGates, type FeatureGates } from "../../api/feature-gates.ts";
import { defaultPlugins } from "../placement/default-plugins.ts";
import type { Plugin } from "../placement/plugin.ts";
import { type PluginSet, pluginSetOf } from "../placement/plugin-entry.ts";
import type { PodInfo } from "../placement/objects/pod-info.ts";

/**
 * The scheduler that is assumed to place a Pod: a cluster does not tell how its own is configured. A profile of
 * `trimtab scheduler` is one.
 */
export interface AssumedScheduler {
  /** The scheduler name of Pods that it places. */
  readonly name: string;
  readonly pluginSet: PluginSet;
  readonly postFilter?: Plugin["postFilter"];
  readonly percentageOfNodesToScore: number;
  /** The plugin that keeps a Pod from being scheduled at all, if one does. */
  readonly gatedBy: (pod: PodInfo) => string | undefined;
}

/** The scheduler without a configuration file. */
export function defaultScheduler(gates: FeatureGates = defaultFeatureGates): AssumedScheduler {
  const plugins = defaultPlugins({}, gates);
  const postFilter = plugins.map(({ plugin }) => plugin.postFilter).find((each) => each !== undefined);
  return {
    name: "default-scheduler",
    pluginSet: pluginSetOf(plugins),
    ...(postFilter === undefined ? {} : { postFilter }),
    percentageOfNodesToScore: 0,
    gatedBy: (pod) => plugins.find(({ plugin }) => plugin.preEnqueue?.(pod).kind === "rejects")?.plugin.name,
  };
}
