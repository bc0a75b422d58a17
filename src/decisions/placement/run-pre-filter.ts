import type { PluginSet } from "./plugin-entry.ts";
import {
  type PluginFailure,
  type Plugin,
  type PluginState,
  type PreFilterResult,
  type Rejection,
  unresolvable,
  type Verdict,
} from "./plugin.ts";
import type { NodeInfo } from "./objects/node-info.ts";
import type { PodInfo } from "./objects/pod-info.ts";
import type { ClusterView } from "./view/cluster-view.ts";

/** What PreFilter of all plugins found out, before any node is examined. */
export interface PreFilterOutcome {
  /** Ends the placement: every node is rejected, or a plugin failed. */
  readonly end?: Rejection | PluginFailure;
  /** The only nodes that can pass; without it any node may. */
  readonly narrowedNodes?: NarrowedNodes;
  /** The filters of the plugins that did not skip, in order. */
  readonly filters: readonly NamedFilter[];
  /** What decisions rest on, by plugin. */
  readonly pluginStates: ReadonlyMap<string, PluginState>;
}

/** The nodes left to examine, and the plugins that excluded the others, by name. */
export interface NarrowedNodes {
  readonly nodes: ReadonlySet<string>;
  readonly plugins: readonly string[];
}

interface NamedFilter {
  readonly plugin: string;
  /** The plugin's name as a list, which all of its rejections share. */
  readonly plugins: readonly string[];
  readonly filter: (node: NodeInfo) => Verdict;
}

/**
 * Runs PreFilter of every plugin of a set, once per plugin. Plugins that only score cannot reject; they run for the
 * state that explanations show.
 */
export function runPreFilter(pod: PodInfo, cluster: ClusterView, pluginSet: PluginSet): PreFilterOutcome {
  const results: NamedResult[] = [];
  const pluginStates = new Map<string, PluginState>();
  for (const { plugin, mayReject } of pluginsOf(pluginSet)) {
    const result = plugin.preFilter?.(pod, cluster);
    if (result === undefined) continue;
    if (result.state !== undefined) pluginStates.set(plugin.name, result.state);
    if (mayReject) results.push({ plugin: plugin.name, result });
  }
  return { ...combineResults(results), filters: filtersOf(results), pluginStates };
}

/** What PreFilter of a plugin that may reject nodes returned. */
interface NamedResult {
  readonly plugin: string;
  readonly result: PreFilterResult;
}

function filtersOf(results: readonly NamedResult[]): readonly NamedFilter[] {
  const filters: NamedFilter[] = [];
  for (const { plugin, result } of results)
    if (result.filter !== undefined) filters.push({ plugin, plugins: [plugin], filter: result.filter });
  return filters;
}

interface OrderedPlugin {
  readonly plugin: Plugin;
  readonly mayReject: boolean;
}

const known = new WeakMap<PluginSet, readonly OrderedPlugin[]>();

/** Every plugin of a set once: those that filter, then those that only score. */
function pluginsOf(pluginSet: PluginSet): readonly OrderedPlugin[] {
  const { filters, scorers } = pluginSet;
  const plugins =
    known.get(pluginSet) ??
    [...new Set([...filters, ...scorers.map(({ plugin }) => plugin)])].map((plugin) => ({
      plugin,
      mayReject: filters.includes(plugin),
    }));
  known.set(pluginSet, plugins);
  return plugins;
}

/** Finds out whether the placement ends before any node is examined, or is narrowed to some nodes. */
function combineResults(results: readonly NamedResult[]): Pick<PreFilterOutcome, "end" | "narrowedNodes"> {
  let end: Rejection | undefined;
  let narrowedNodes: NarrowedNodes | undefined;
  for (const { plugin, result } of results) {
    const { refusal, nodeNames } = result;
    if (refusal?.kind === "fails") return { end: { ...refusal, plugin, point: "PreFilter" } };
    if (refusal !== undefined) {
      end = { ...refusal, plugins: [plugin] };
      // Preemption could resolve an Unschedulable rejection, and would need the results of the other plugins too.
      if (refusal.code === "UnschedulableAndUnresolvable") return { end };
      continue;
    }
    if (nodeNames === undefined) continue;
    narrowedNodes = narrow(narrowedNodes, plugin, nodeNames);
    if (narrowedNodes.nodes.size === 0) return { end: rejectionOfAll(narrowedNodes) };
  }
  return {
    ...(end === undefined ? {} : { end }),
    ...(narrowedNodes === undefined ? {} : { narrowedNodes }),
  };
}

function narrow(
  before: NarrowedNodes | undefined,
  plugin: string,
  nodeNames: ReadonlySet<string>,
): NarrowedNodes {
  if (before === undefined) return { nodes: nodeNames, plugins: [plugin] };
  const nodes = new Set([...before.nodes].filter((name) => nodeNames.has(name)));
  return { nodes, plugins: [...before.plugins, plugin].sort() };
}

function rejectionOfAll({ plugins }: NarrowedNodes): Rejection {
  const reason =
    plugins.length === 1
      ? `node(s) didn't satisfy plugin ${plugins.join(" ")}`
      : `node(s) didn't satisfy plugin(s) [${plugins.join(" ")}] simultaneously`;
  return { ...unresolvable(reason), plugins };
}

/** The rejection of the nodes that were excluded without being examined. */
export function rejectionOfExcluded({ plugins }: NarrowedNodes): Rejection {
  return { ...unresolvable(`node(s) didn't satisfy plugin(s) [${plugins.join(" ")}]`), plugins };
}
