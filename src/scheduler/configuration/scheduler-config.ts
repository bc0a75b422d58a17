import type { FeatureGates } from "../../api/feature-gates.ts";
import type { PluginArgs } from "../../decisions/placement/default-plugins.ts";
import { defaultPluginArgs } from "./args/plugin-args.ts";
import { decodingContextOf } from "./decoding-context.ts";
import { type EnabledPlugins, mergePlugins } from "./merge-plugins.ts";
import { startingPlugins } from "./plugin-registry.ts";
import { defaultSchedulerName } from "../scheduler-name.ts";

/** How Pods that name this scheduler are placed. */
export interface ProfileConfig {
  readonly schedulerName: string;
  /** How many of a hundred nodes are enough to choose from; 0: as many as fits the size of the cluster. */
  readonly percentageOfNodesToScore: number;
  readonly plugins: EnabledPlugins;
  readonly args: PluginArgs;
}

/** All a scheduler can be told, nothing left out. */
export interface SchedulerConfig {
  readonly podInitialBackoffSeconds: number;
  readonly podMaxBackoffSeconds: number;
  readonly profiles: readonly ProfileConfig[];
}

export const defaultBackoffSeconds = { initial: 1, max: 10 };

/** What a scheduler does that was told nothing. */
export function defaultSchedulerConfig(gates: FeatureGates): SchedulerConfig {
  return {
    podInitialBackoffSeconds: defaultBackoffSeconds.initial,
    podMaxBackoffSeconds: defaultBackoffSeconds.max,
    profiles: [
      {
        schedulerName: defaultSchedulerName,
        percentageOfNodesToScore: 0,
        plugins: mergePlugins({}, startingPlugins(gates)),
        args: defaultPluginArgs({}, decodingContextOf(undefined, gates)),
      },
    ],
  };
}
