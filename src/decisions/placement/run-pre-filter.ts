import type { NodeInfo } from "./snapshot/node-info.ts";
import type { PodInfo } from "./snapshot/pod-info.ts";
import type { PluginSet } from "./plugin-set.ts";
import { type PluginState, type PreFilterResult, type Plugin, unresolvable, type Verdict } from "./plugin.ts";
import type { Breakdown, Rejection } from "./rejection.ts";
import type { Snapshot } from "./snapshot/snapshot.ts";

/** What all plugins together make of a Pod before single nodes are looked at. */
export interface PreFilterOutcome {
  /** No node will do, or nobody can say. */
  readonly end?: Rejection | Breakdown;
  /** Only some nodes can do; without it any may. */
  readonly narrowedNodes?: NarrowedNodes;
  /** Those that have something to say, in order. */
  readonly filters: readonly NamedFilter[];
  readonly scorings: readonly NamedScoring[];
  /** What opinions rest on, by plugin. */
  readonly pluginStates: ReadonlyMap<string, PluginState>;
}

/** The nodes worth looking at, and the plugins that say so, by name. */
export interface NarrowedNodes {
  readonly nodes: ReadonlySet<string>;
  readonly plugins: readonly string[];
}

interface NamedFilter {
  readonly plugin: string;
  readonly filter: (node: NodeInfo) => Verdict;
}

interface NamedScoring {
  readonly plugin: string;
  readonly weight: number;
  readonly prepare: NonNullable<PreFilterResult["preScore"]>;
}

/** Asks every plugin of a line-up once what it makes of a Pod (PreFilter). */
export function runPreFilter(
  pod: PodInfo,
  snapshot: Snapshot,
  { filters, scorers }: PluginSet,
): PreFilterOutcome {
  const opinions = new Map<Plugin, PreFilterResult>();
  for (const plugin of [...filters, ...scorers.map((scorer) => scorer.plugin)]) {
    if (!opinions.has(plugin)) opinions.set(plugin, plugin.preFilter(pod, snapshot) ?? {});
  }
  return {
    ...combineResults(filters.map((plugin) => [plugin.name, opinions.get(plugin) ?? {}])),
    filters: filters.flatMap((plugin) => {
      const filter = opinions.get(plugin)?.filter;
      return filter === undefined ? [] : [{ plugin: plugin.name, filter }];
    }),
    scorings: scorers.flatMap(({ plugin, weight }) => {
      const prepare = opinions.get(plugin)?.preScore;
      return prepare === undefined ? [] : [{ plugin: plugin.name, weight, prepare }];
    }),
    pluginStates: new Map(
      [...opinions].flatMap(([{ name }, { state }]) => (state === undefined ? [] : [[name, state]])),
    ),
  };
}

/** Whether the search is over before it begins, or narrowed. */
function combineResults(
  opinions: readonly (readonly [plugin: string, opinion: PreFilterResult])[],
): Pick<PreFilterOutcome, "end" | "narrowedNodes"> {
  let end: Rejection | undefined;
  let narrowing: NarrowedNodes | undefined;
  for (const [plugin, { refusal, nodeNames }] of opinions) {
    if (refusal?.kind === "fails") return { end: { ...refusal, plugin, point: "PreFilter" } };
    if (refusal !== undefined) {
      end = { ...refusal, plugins: [plugin] };
      // Whoever frees room on nodes needs to hear the others too, unless that could not help.
      if (refusal.code === "UnschedulableAndUnresolvable") return { end };
      continue;
    }
    if (nodeNames === undefined) continue;
    narrowing = narrow(narrowing, plugin, nodeNames);
    if (narrowing.nodes.size === 0) return { end: leavesNone(narrowing) };
  }
  return {
    ...(end === undefined ? {} : { end }),
    ...(narrowing === undefined ? {} : { narrowedNodes: narrowing }),
  };
}

function narrow(
  before: NarrowedNodes | undefined,
  plugin: string,
  among: ReadonlySet<string>,
): NarrowedNodes {
  if (before === undefined) return { nodes: among, plugins: [plugin] };
  const nodes = new Set([...before.nodes].filter((name) => among.has(name)));
  return { nodes, plugins: [...before.plugins, plugin].sort() };
}

function leavesNone({ plugins }: NarrowedNodes): Rejection {
  const reason =
    plugins.length === 1
      ? `node(s) didn't satisfy plugin ${plugins.join(" ")}`
      : `node(s) didn't satisfy plugin(s) [${plugins.join(" ")}] simultaneously`;
  return { ...unresolvable(reason), plugins };
}

/** What is said of the nodes that a narrowing leaves out. */
export function leftOut({ plugins }: NarrowedNodes): Rejection {
  return { ...unresolvable(`node(s) didn't satisfy plugin(s) [${plugins.join(" ")}]`), plugins };
}
