import type { FeatureGates } from "../../api/feature-gates.ts";
import type { PluginEntry } from "../../decisions/placement/plugin-entry.ts";
import { defaultSchedulerName } from "../scheduler-name.ts";
import { decodingContextOf, defaultBackoffSeconds } from "./configuration-schema.ts";
import { type EnabledPlugins, mergePlugins } from "./merge-plugins.ts";
import { pluginArgsOf, type ProfileArgs } from "./plugin-args.ts";
import { pluginRegistry } from "./plugin-registry.ts";

/** How Pods that name this scheduler are placed. */
export interface ProfileConfig {
  readonly schedulerName: string;
  /** 0 derives the percentage from the size of the cluster. */
  readonly percentageOfNodesToScore: number;
  readonly plugins: EnabledPlugins;
  readonly args: ProfileArgs;
}

/** All settings of a scheduler, with defaults filled in. */
export interface SchedulerConfig {
  readonly podInitialBackoffSeconds: number;
  readonly podMaxBackoffSeconds: number;
  readonly profiles: readonly ProfileConfig[];
  /** The out-of-tree plugins that profiles may enable. */
  readonly outOfTreePlugins?: readonly PluginEntry[];
}

/** The configuration of a scheduler without a configuration file. */
export function defaultSchedulerConfig(gates: FeatureGates): SchedulerConfig {
  const registry = pluginRegistry();
  return {
    podInitialBackoffSeconds: defaultBackoffSeconds.initial,
    podMaxBackoffSeconds: defaultBackoffSeconds.max,
    profiles: [
      {
        schedulerName: defaultSchedulerName,
        percentageOfNodesToScore: 0,
        plugins: mergePlugins({}, registry, gates),
        args: pluginArgsOf({}, { context: decodingContextOf(undefined, gates), registry }),
      },
    ],
  };
}
