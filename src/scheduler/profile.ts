import { type PluginArgs, inTreePlugins } from "../decisions/placement/default-plugins.ts";
import type { PodInfo } from "../decisions/placement/snapshot/pod-info.ts";
import type { PluginSet } from "../decisions/placement/plugin-set.ts";
import type { Plugin } from "../decisions/placement/plugin.ts";
import type { EventRecorder } from "../machinery/events/event-draft.ts";
import type { ProfileConfig } from "./configuration/scheduler-config.ts";
import { pluginHints } from "./queue/hints/plugin-hints.ts";
import type { QueueingHints } from "./queue/hints/queueing-hints.ts";

/** A way of placing Pods, ready for use. */
export interface Profile {
  readonly name: string;
  readonly pluginSet: PluginSet;
  readonly percentageOfNodesToScore: number;
  /** The plugin that holds a Pod back from being tried at all, if one does. */
  readonly gatedBy: (pod: PodInfo) => string | undefined;
  readonly hints: ReadonlyMap<string, QueueingHints>;
  readonly events: EventRecorder;
}

/** Makes a profile of its configuration; `foremost` are filters that come before all that is configured. */
export function createProfile(
  config: ProfileConfig,
  { events, foremost = [] }: { readonly events: EventRecorder; readonly foremost?: readonly Plugin[] },
): Profile {
  const { plugins, args } = config;
  const pluginOf = instances(args);
  const all = (names: readonly string[]) => names.flatMap((name) => pluginOf(name) ?? []);
  const gatekeepers = all(plugins.at.preEnqueue);
  return {
    name: config.schedulerName,
    pluginSet: {
      filters: [...foremost, ...all(plugins.at.filter)],
      scorers: all(plugins.at.score).map((plugin) => ({
        plugin,
        weight: plugins.weights.get(plugin.name) ?? 1,
      })),
    },
    percentageOfNodesToScore: config.percentageOfNodesToScore,
    gatedBy: (pod) => gatekeepers.find(({ preEnqueue }) => preEnqueue?.(pod).kind === "rejects")?.name,
    hints: pluginHints(args),
    events,
  };
}

/** One instance of every plugin: who filters and scores is asked once. */
function instances(args: PluginArgs): (name: string) => Plugin | undefined {
  const made = new Map<string, Plugin>();
  return (name) => {
    const known = made.get(name) ?? inTreePlugins.find((entry) => entry.name === name)?.create(args);
    if (known !== undefined) made.set(name, known);
    return known;
  };
}
