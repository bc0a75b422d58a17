import type { NodeFacts } from "./facts/node-facts.ts";
import type { PodFacts } from "./facts/pod-facts.ts";
import type { Lineup } from "./lineup.ts";
import { type Grounds, type Opinion, type Plugin, unresolvable, type Verdict } from "./plugin.ts";
import type { Breakdown, Rejection } from "./rejection.ts";
import type { Snapshot } from "./snapshot.ts";

/** What all plugins together make of a Pod before single nodes are looked at. */
export interface Consideration {
  /** No node will do, or nobody can say. */
  readonly end?: Rejection | Breakdown;
  /** Only some nodes can do; without it any may. */
  readonly narrowing?: Narrowing;
  /** Those that have something to say, in order. */
  readonly filters: readonly NamedFilter[];
  readonly scorings: readonly NamedScoring[];
  /** What opinions rest on, by plugin. */
  readonly grounds: ReadonlyMap<string, Grounds>;
}

/** The nodes worth looking at, and the plugins that say so, by name. */
export interface Narrowing {
  readonly nodes: ReadonlySet<string>;
  readonly plugins: readonly string[];
}

interface NamedFilter {
  readonly plugin: string;
  readonly filter: (node: NodeFacts) => Verdict;
}

interface NamedScoring {
  readonly plugin: string;
  readonly weight: number;
  readonly prepare: NonNullable<Opinion["prepare"]>;
}

/** Asks every plugin of a line-up once what it makes of a Pod (PreFilter). */
export function considerPod(pod: PodFacts, snapshot: Snapshot, { filters, scorers }: Lineup): Consideration {
  const opinions = new Map<Plugin, Opinion>();
  for (const plugin of [...filters, ...scorers.map((scorer) => scorer.plugin)]) {
    if (!opinions.has(plugin)) opinions.set(plugin, plugin.consider(pod, snapshot) ?? {});
  }
  return {
    ...outlook(filters.map((plugin) => [plugin.name, opinions.get(plugin) ?? {}])),
    filters: filters.flatMap((plugin) => {
      const filter = opinions.get(plugin)?.filter;
      return filter === undefined ? [] : [{ plugin: plugin.name, filter }];
    }),
    scorings: scorers.flatMap(({ plugin, weight }) => {
      const prepare = opinions.get(plugin)?.prepare;
      return prepare === undefined ? [] : [{ plugin: plugin.name, weight, prepare }];
    }),
    grounds: new Map(
      [...opinions].flatMap(([{ name }, { grounds }]) => (grounds === undefined ? [] : [[name, grounds]])),
    ),
  };
}

/** Whether the search is over before it begins, or narrowed. */
function outlook(
  opinions: readonly (readonly [plugin: string, opinion: Opinion])[],
): Pick<Consideration, "end" | "narrowing"> {
  let end: Rejection | undefined;
  let narrowing: Narrowing | undefined;
  for (const [plugin, { refusal, among }] of opinions) {
    if (refusal?.kind === "fails") return { end: { ...refusal, plugin, point: "PreFilter" } };
    if (refusal !== undefined) {
      end = { ...refusal, plugins: [plugin] };
      // Whoever frees room on nodes needs to hear the others too, unless that could not help.
      if (refusal.code === "UnschedulableAndUnresolvable") return { end };
      continue;
    }
    if (among === undefined) continue;
    narrowing = narrow(narrowing, plugin, among);
    if (narrowing.nodes.size === 0) return { end: leavesNone(narrowing) };
  }
  return { ...(end === undefined ? {} : { end }), ...(narrowing === undefined ? {} : { narrowing }) };
}

function narrow(before: Narrowing | undefined, plugin: string, among: ReadonlySet<string>): Narrowing {
  if (before === undefined) return { nodes: among, plugins: [plugin] };
  const nodes = new Set([...before.nodes].filter((name) => among.has(name)));
  return { nodes, plugins: [...before.plugins, plugin].sort() };
}

function leavesNone({ plugins }: Narrowing): Rejection {
  const reason =
    plugins.length === 1
      ? `node(s) didn't satisfy plugin ${plugins.join(" ")}`
      : `node(s) didn't satisfy plugin(s) [${plugins.join(" ")}] simultaneously`;
  return { ...unresolvable(reason), plugins };
}

/** What is said of the nodes that a narrowing leaves out. */
export function leftOut({ plugins }: Narrowing): Rejection {
  return { ...unresolvable(`node(s) didn't satisfy plugin(s) [${plugins.join(" ")}]`), plugins };
}
