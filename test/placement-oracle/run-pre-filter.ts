import type { PluginSet } from "./plugin-set.ts";
import {
  type PluginFailure,
  type Plugin,
  type PluginState,
  type PreFilterResult,
  type Rejection,
  unresolvable,
  type Verdict,
} from "./plugin.ts";
import type { NodeInfo } from "./snapshot/node-info.ts";
import type { PodInfo } from "./snapshot/pod-info.ts";
import type { Snapshot } from "./snapshot/snapshot.ts";

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
  readonly filter: (node: NodeInfo) => Verdict;
}

/**
 * Runs PreFilter of every plugin of a set, once per plugin. Plugins that only score cannot reject; they run for the
 * state that explanations show.
 */
export function runPreFilter(
  pod: PodInfo,
  snapshot: Snapshot,
  { filters, scorers }: PluginSet,
): PreFilterOutcome {
  const results = new Map<Plugin, PreFilterResult>();
  for (const plugin of [...filters, ...scorers.map((scorer) => scorer.plugin)]) {
    if (!results.has(plugin)) results.set(plugin, plugin.preFilter?.(pod, snapshot) ?? {});
  }
  return {
    ...combineResults(filters.map((plugin) => [plugin.name, results.get(plugin) ?? {}])),
    filters: filters.flatMap((plugin) => {
      const filter = results.get(plugin)?.filter;
      return filter === undefined ? [] : [{ plugin: plugin.name, filter }];
    }),
    pluginStates: new Map(
      [...results].flatMap(([{ name }, { state }]) => (state === undefined ? [] : [[name, state]])),
    ),
  };
}

/** Finds out whether the placement ends before any node is examined, or is narrowed to some nodes. */
function combineResults(
  results: readonly (readonly [plugin: string, result: PreFilterResult])[],
): Pick<PreFilterOutcome, "end" | "narrowedNodes"> {
  let end: Rejection | undefined;
  let narrowedNodes: NarrowedNodes | undefined;
  for (const [plugin, { refusal, nodeNames }] of results) {
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
