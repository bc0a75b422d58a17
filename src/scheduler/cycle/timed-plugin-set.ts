import type { Plugin, PreFilterResult, Scorer } from "../../decisions/placement/plugin.ts";
import type { PluginSet } from "../../decisions/placement/plugin-entry.ts";

/** Milliseconds that only grow. */
export type Stopwatch = () => number;

/** How long each extension point of a placement took; those that did not run are absent. */
export interface ExtensionPointTimes {
  readonly PreFilter: number;
  readonly Filter: number;
  readonly PreScore?: number;
  readonly Score?: number;
}

/** A plugin set that decides as another does and measures how long that takes. */
export interface TimedPluginSet {
  readonly pluginSet: PluginSet;
  /** Starts to measure a placement. */
  begin(): void;
  /** The times of the placement since then, once it has ended. */
  times(): ExtensionPointTimes;
}

/** Reports that a plugin did not skip an extension point. */
export type PluginEvaluated = (plugin: string, point: keyof ExtensionPointTimes) => void;

/**
 * Times a placement by the calls of its plugins: PreFilter of all plugins runs first, then Filter until PreScore of the
 * first plugin, then scoring. Only PreFilter and PreScore are wrapped, so nothing is measured once per node.
 */
export function timedPluginSet(
  pluginSet: PluginSet,
  stopwatch: Stopwatch,
  evaluated: PluginEvaluated,
): TimedPluginSet {
  let startedAt = 0;
  let preFilteredAt = 0;
  let scoringAt: number | undefined;
  let preScoreMs = 0;
  const preFiltered = new Set<string>();

  const timed = ({ name, preFilter, preScore, ...others }: Plugin): Plugin => ({
    name,
    ...others,
    ...(preFilter !== undefined && {
      preFilter(pod, cluster): PreFilterResult | undefined {
        const result = preFilter(pod, cluster);
        // Again: in a dry run with nominated Pods, which is part of Filter.
        if (preFiltered.has(name)) return result;
        preFiltered.add(name);
        preFilteredAt = stopwatch();
        if (result !== undefined) evaluated(name, "PreFilter");
        if (result?.filter !== undefined) evaluated(name, "Filter");
        return result;
      },
    }),
    ...(preScore !== undefined && {
      preScore(pod, cluster, feasible): ReturnType<typeof preScore> {
        const begin = stopwatch();
        scoringAt ??= begin;
        const scorer = preScore(pod, cluster, feasible);
        preScoreMs += stopwatch() - begin;
        if (scorer === undefined) return undefined;
        evaluated(name, "PreScore");
        evaluated(name, "Score");
        return scorer;
      },
    }),
  });
  return {
    pluginSet: mapPlugins(pluginSet, timed),
    begin() {
      startedAt = stopwatch();
      preFilteredAt = startedAt;
      scoringAt = undefined;
      preScoreMs = 0;
      preFiltered.clear();
    },
    times() {
      const end = stopwatch();
      const [PreFilter, Filter] = [preFilteredAt - startedAt, (scoringAt ?? end) - preFilteredAt];
      if (scoringAt === undefined) return { PreFilter, Filter };
      return { PreFilter, Filter, PreScore: preScoreMs, Score: end - scoringAt - preScoreMs };
    },
  };
}

/** Reports how long one call of a plugin took at an extension point. */
export type PluginTook = (plugin: string, point: keyof ExtensionPointTimes, durationMs: number) => void;

/** Times this many calls per plugin in a row, and after them one call in this many, which stands for the others. */
const timedCallsInRow = 16;

/**
 * A plugin set that measures the calls of every plugin: expensive, so for one placement in a few only. Reading the time
 * takes longer than most calls for a node, so that on large clusters the time of these is an estimate.
 */
export function profiledPluginSet(pluginSet: PluginSet, stopwatch: Stopwatch, took: PluginTook): PluginSet {
  return mapPlugins(pluginSet, ({ name, preFilter, preScore, ...others }) => {
    const timing =
      <A extends readonly unknown[], R>(point: keyof ExtensionPointTimes, call: (...args: A) => R) =>
      (...args: A): R => {
        const begin = stopwatch();
        const result = call(...args);
        took(name, point, stopwatch() - begin);
        return result;
      };
    const timingSome = <A, R>(point: keyof ExtensionPointTimes, call: (node: A) => R) => {
      let calls = 0;
      return (node: A): R => {
        const isFirst = calls < timedCallsInRow;
        if (!isFirst && calls % timedCallsInRow !== 0) {
          calls++;
          return call(node);
        }
        calls++;
        const begin = stopwatch();
        const result = call(node);
        took(name, point, (stopwatch() - begin) * (isFirst ? 1 : timedCallsInRow));
        return result;
      };
    };
    const profiledResult = ({ filter, ...result }: PreFilterResult): PreFilterResult =>
      filter === undefined ? result : { ...result, filter: timingSome("Filter", filter) };
    const profiledScorer = (scorer: Scorer): Scorer => ({
      ...scorer,
      score: timingSome("Score", scorer.score),
    });
    return {
      name,
      ...others,
      ...(preFilter !== undefined && {
        preFilter: timing("PreFilter", (pod, cluster) => {
          const result = preFilter(pod, cluster);
          return result === undefined ? undefined : profiledResult(result);
        }),
      }),
      ...(preScore !== undefined && {
        preScore: timing("PreScore", (pod, cluster, feasible) => {
          const scorer = preScore(pod, cluster, feasible);
          return scorer?.kind === "scores" ? profiledScorer(scorer) : scorer;
        }),
      }),
    } satisfies Plugin;
  });
}

/** Maps every plugin of a set once, so that a plugin that filters and scores stays one plugin. */
function mapPlugins({ filters, scorers }: PluginSet, map: (plugin: Plugin) => Plugin): PluginSet {
  const mapped = new Map<Plugin, Plugin>();
  const once = (plugin: Plugin): Plugin => {
    const made = mapped.get(plugin) ?? map(plugin);
    mapped.set(plugin, made);
    return made;
  };
  return {
    filters: filters.map(once),
    scorers: scorers.map(({ plugin, weight }) => ({ plugin: once(plugin), weight })),
  };
}
