import type { Pod } from "../../src/api/generated/core-v1.ts";
import { gatherPlacement } from "../../src/decisions/gather/gather-placement.ts";
import { defaultPlugins, type PluginArgs } from "../../src/decisions/placement/default-plugins.ts";
import { type Evaluation, evaluateNodes } from "../../src/decisions/placement/evaluate-nodes.ts";
import { type PluginSet, pluginSetOf } from "../../src/decisions/placement/plugin-entry.ts";
import { clusterViewOf } from "../../src/decisions/placement/view/list-view.ts";
import type { DefaultsByScheduler } from "../../src/decisions/spread/spread-of.ts";
import type { SchedulerProfile } from "../../src/page/contract.ts";
import type { ClusterState } from "../live/cluster-state.ts";
import type { DecisionContext } from "./decision-context.ts";

/** Filters and scores every node for a Pod as if it had no node yet, by the plugins of its scheduler's profile. */
export function evaluatePlacement(
  pod: Pod,
  state: ClusterState,
  {
    context,
    profiles,
  }: { readonly context: DecisionContext; readonly profiles: readonly SchedulerProfile[] },
): Evaluation {
  const { pod: unplaced, objects } = gatherPlacement(pod, state.objects);
  return evaluateNodes(unplaced, clusterViewOf(objects), pluginsOf(profileOf(pod, profiles), context));
}

/** The profile of the scheduler that a Pod names; the first one where none of that name is known. */
export function profileOf(pod: Pod, profiles: readonly SchedulerProfile[]): SchedulerProfile | undefined {
  return profiles.find(({ schedulerName }) => schedulerName === pod.spec?.schedulerName) ?? profiles[0];
}

/** The plugins that a profile runs, as far as the page has them. */
export function pluginsOf(profile: SchedulerProfile | undefined, { gates }: DecisionContext): PluginSet {
  if (profile === undefined) return pluginSetOf(defaultPlugins({}, gates));
  const plugins = defaultPlugins(profile.args as PluginArgs, gates).map(({ plugin }) => plugin);
  const named = (point: string) =>
    (profile.plugins[point] ?? []).flatMap((name) => plugins.find((plugin) => plugin.name === name) ?? []);
  return {
    filters: named("filter"),
    scorers: named("score").map((plugin) => ({ plugin, weight: profile.weights[plugin.name] ?? 1 })),
  };
}

/** The default constraints of the schedulers of these profiles; `undefined` where none are known. */
export function publishedSpreadDefaults(
  profiles: readonly SchedulerProfile[],
): DefaultsByScheduler | undefined {
  if (profiles.length === 0) return undefined;
  const plugin = "PodTopologySpread";
  const enabled = profiles.filter(({ plugins }) =>
    [...(plugins["filter"] ?? []), ...(plugins["score"] ?? [])].includes(plugin),
  );
  const argsByName = new Map(
    enabled.map(({ schedulerName, args }) => [schedulerName, (args as PluginArgs)[plugin]]),
  );
  return (schedulerName = "default-scheduler") => argsByName.get(schedulerName);
}
