import type { Plugin } from "./plugin.ts";

/** A plugin and the weight of its scores. */
export interface WeightedPlugin {
  readonly plugin: Plugin;
  readonly weight: number;
}

/** The plugins of a placement, in the order in which they run. */
export interface PluginSet {
  /** The plugins that may reject nodes; a rejected node is attributed to the first of them that rejects it. */
  readonly filters: readonly Plugin[];
  readonly scorers: readonly WeightedPlugin[];
}

/** A set in which every plugin filters and scores as far as it can. */
export function pluginSetOf(plugins: readonly WeightedPlugin[]): PluginSet {
  return { filters: plugins.map(({ plugin }) => plugin), scorers: plugins };
}
