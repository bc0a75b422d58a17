import type { PluginSet } from "../../decisions/placement/plugin-set.ts";
import type { PreFilterResult, Plugin, Scorer } from "../../decisions/placement/plugin.ts";

/** Milliseconds that only grow. */
export type Stopwatch = () => number;

/** How long each phase of a placement took; those that were not reached are absent. */
export interface ExtensionPointTimes {
  readonly PreFilter: number;
  readonly Filter: number;
  readonly PreScore?: number;
  readonly Score?: number;
}

/** A line-up that says the same as another, and for how long. Good for one placement. */
export interface TimedPluginSet {
  readonly pluginSet: PluginSet;
  /** To be called when the placement is there. */
  times(): ExtensionPointTimes;
}

/** Is told that a plugin had something to say. */
export type PluginEvaluated = (plugin: string, point: keyof ExtensionPointTimes) => void;

/**
 * Times a placement from outside, by who is asked what: plugins are considered, then nodes filtered until the first
 * plugin gets ready to score, then scored. Only a few calls are timed, not one per node.
 */
export function timedPluginSet(
  lineup: PluginSet,
  stopwatch: Stopwatch,
  spoke: PluginEvaluated,
): TimedPluginSet {
  const startedAt = stopwatch();
  let consideredAt = startedAt;
  let scoringAt: number | undefined;
  let preparing = 0;

  const timedOpinion = (name: string, { preScore, ...opinion }: PreFilterResult): PreFilterResult => {
    spoke(name, "PreFilter");
    if (opinion.filter !== undefined) spoke(name, "Filter");
    if (preScore === undefined) return opinion;
    return {
      ...opinion,
      preScore(feasible) {
        const begin = stopwatch();
        scoringAt ??= begin;
        const scorer = preScore(feasible);
        preparing += stopwatch() - begin;
        spoke(name, "PreScore");
        if (scorer !== undefined) spoke(name, "Score");
        return scorer;
      },
    };
  };
  const timed = (plugin: Plugin): Plugin => ({
    ...plugin,
    preFilter(pod, snapshot) {
      const opinion = plugin.preFilter(pod, snapshot);
      consideredAt = stopwatch();
      return opinion === undefined ? undefined : timedOpinion(plugin.name, opinion);
    },
  });
  return {
    pluginSet: eachPlugin(lineup, timed),
    times() {
      const end = stopwatch();
      const filtered = { PreFilter: consideredAt - startedAt, Filter: (scoringAt ?? end) - consideredAt };
      if (scoringAt === undefined) return filtered;
      return { ...filtered, PreScore: preparing, Score: end - scoringAt - preparing };
    },
  };
}

/** Tells how long one plugin took at one point. */
export type PluginTook = (plugin: string, point: keyof ExtensionPointTimes, durationMs: number) => void;

/** A line-up whose every call of every plugin is timed: dear, so for a few placements only. */
export function profiledPluginSet(lineup: PluginSet, stopwatch: Stopwatch, took: PluginTook): PluginSet {
  return eachPlugin(lineup, (plugin) => {
    const timing =
      <A extends readonly unknown[], R>(point: keyof ExtensionPointTimes, call: (...args: A) => R) =>
      (...args: A): R => {
        const begin = stopwatch();
        const result = call(...args);
        took(plugin.name, point, stopwatch() - begin);
        return result;
      };
    const timedScorer = (scorer: Scorer): Scorer => ({ ...scorer, score: timing("Score", scorer.score) });
    return {
      ...plugin,
      preFilter: timing("PreFilter", (pod, snapshot) => {
        const opinion = plugin.preFilter(pod, snapshot);
        if (opinion === undefined) return undefined;
        const { filter, preScore } = opinion;
        return {
          ...opinion,
          ...(filter !== undefined && { filter: timing("Filter", filter) }),
          ...(preScore !== undefined && {
            preScore: timing("PreScore", (feasible) => {
              const scorer = preScore(feasible);
              return scorer?.kind === "scores" ? timedScorer(scorer) : scorer;
            }),
          }),
        };
      }),
    };
  });
}

/** Changes every plugin of a line-up; who filters and scores stays one. */
function eachPlugin({ filters, scorers }: PluginSet, change: (plugin: Plugin) => Plugin): PluginSet {
  const changed = new Map<Plugin, Plugin>();
  const once = (plugin: Plugin): Plugin => {
    const made = changed.get(plugin) ?? change(plugin);
    changed.set(plugin, made);
    return made;
  };
  return {
    filters: filters.map(once),
    scorers: scorers.map(({ plugin, weight }) => ({ plugin: once(plugin), weight })),
  };
}
