import type { Plugin } from "./plugin.ts";

/** A plugin and how much its scores count. */
export interface WeightedPlugin {
  readonly plugin: Plugin;
  readonly weight: number;
}

/** The plugins that have a say, in the order in which they are asked. */
export interface PluginSet {
  /** Who may refuse nodes; the first that does is the only one blamed. */
  readonly filters: readonly Plugin[];
  readonly scorers: readonly WeightedPlugin[];
}

/** A line-up in which every plugin filters and scores as far as it can. */
export function pluginSetOf(plugins: readonly WeightedPlugin[]): PluginSet {
  return { filters: plugins.map(({ plugin }) => plugin), scorers: plugins };
}
