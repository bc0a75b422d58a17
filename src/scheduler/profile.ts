import type { PluginEntry, PluginSet } from "../decisions/placement/plugin-entry.ts";
import type { Plugin } from "../decisions/placement/plugin.ts";
import type { QueueingHints } from "../decisions/placement/cluster-event.ts";
import type { PodInfo } from "../decisions/placement/objects/pod-info.ts";
import type { EventRecorder } from "../machinery/events/event-draft.ts";
import type { PluginRegistry } from "./configuration/plugin-registry.ts";
import type { ProfileConfig } from "./configuration/scheduler-config.ts";

/** A scheduler profile: the plugins that place the Pods which name it. */
export interface Profile {
  readonly name: string;
  readonly pluginSet: PluginSet;
  /** The plugin that may make room for a Pod without a node; absent: none is enabled. */
  readonly postFilter?: Plugin["postFilter"];
  /** The plugins that write something before a Pod is bound. */
  readonly preBind: readonly NonNullable<Plugin["preBind"]>[];
  readonly percentageOfNodesToScore: number;
  /** The plugin whose PreEnqueue rejects a Pod, if one does. */
  readonly gatedBy: (pod: PodInfo) => string | undefined;
  /** By plugin, of all that can reject a Pod. */
  readonly hints: ReadonlyMap<string, QueueingHints>;
  readonly events: EventRecorder;
}

export interface ProfileDependencies {
  readonly registry: PluginRegistry;
  readonly events: EventRecorder;
  /** Plugins that filter before all that are configured. */
  readonly firstFilters?: readonly PluginEntry[];
}

/** Creates a profile from its configuration. */
export function createProfile(
  config: ProfileConfig,
  { registry, events, firstFilters = [] }: ProfileDependencies,
): Profile {
  const { at, weights } = config.plugins;
  const first = firstFilters.map((entry) => instantiate(entry, {}));
  const instances = enabledInstances(config, registry);
  const enabledAt = (point: keyof typeof at) => at[point].flatMap((name) => instances.get(name) ?? []);
  const preEnqueue = enabledAt("preEnqueue");
  const [postFilter] = enabledAt("postFilter").flatMap(({ plugin }) => plugin.postFilter ?? []);
  return {
    name: config.schedulerName,
    pluginSet: {
      filters: [...first, ...enabledAt("filter")].map(({ plugin }) => plugin),
      scorers: enabledAt("score").map(({ plugin }) => ({ plugin, weight: weights.get(plugin.name) ?? 1 })),
    },
    ...(postFilter && { postFilter }),
    preBind: enabledAt("filter").flatMap(({ plugin }) => plugin.preBind ?? []),
    percentageOfNodesToScore: config.percentageOfNodesToScore,
    gatedBy: (pod) =>
      preEnqueue.find(({ plugin }) => plugin.preEnqueue?.(pod).kind === "rejects")?.plugin.name,
    hints: new Map(
      [...first, ...instances.values()].flatMap(({ plugin, hints }) =>
        hints === undefined ? [] : [[plugin.name, hints]],
      ),
    ),
    events,
  };
}

interface PluginInstance {
  readonly plugin: Plugin;
  readonly hints: QueueingHints | undefined;
}

/** One instance of every enabled plugin, by name: a plugin that filters and scores runs PreFilter once. */
function enabledInstances(
  { plugins, args }: ProfileConfig,
  registry: PluginRegistry,
): ReadonlyMap<string, PluginInstance> {
  const enabled = new Set(Object.values(plugins.at).flat());
  return new Map(
    registry.entries
      .filter(({ name }) => enabled.has(name))
      .map((entry) => [entry.name, instantiate(entry, args[entry.name] ?? {})]),
  );
}

function instantiate(entry: PluginEntry, args: unknown): PluginInstance {
  return { plugin: entry.create(args), hints: entry.hints?.(args) };
}
