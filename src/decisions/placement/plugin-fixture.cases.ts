import { expect } from "vitest";
import type { PodSpec } from "../../api/generated/core-v1.ts";
import { pod, type PodTraits } from "../../testing/pod.ts";
import { podInfo } from "./objects/pod-info.ts";
import type { Plugin } from "./plugin.ts";
import { scoreNodes } from "./score-nodes.ts";
import { cacheOf } from "../../scheduler/cache/scheduler-cache.cases.ts";
import type { ClusterView } from "./view/cluster-view.ts";
import { clusterViewOf, type PlacementObjects } from "./view/list-view.ts";

/** The traits of the waiting Pod in test tables of plugins. */
export interface Waiting extends Omit<PodTraits, "spec" | "node" | "phase"> {
  readonly spec?: Partial<PodSpec>;
}

/** A Pod that waits for a node. */
export function waitingPod({ spec = {}, ...traits }: Waiting = {}) {
  return pod("waiting", { ...traits, node: null, phase: "Pending", spec });
}

/** The result of PreFilter of a plugin for a waiting Pod. */
export function preFilterOf(plugin: Plugin, waiting: Waiting, cluster: PlacementObjects) {
  return plugin.preFilter?.(podInfo(waitingPod(waiting)), clusterViewOf(cluster));
}

/** What a question gets for an answer by the view of lists, which has to be the same as by the view of a scheduler. */
export function answerOfBoth<T>(objects: PlacementObjects, ask: (cluster: ClusterView) => T): T {
  const answer = ask(clusterViewOf(objects));
  expect(ask(cacheOf(objects).view)).toEqual(answer);
  return answer;
}

/** Every node's verdict: `fits`, or the code's initials and the reasons, as in `U: Too many pods`. */
export function verdictsOf(plugin: Plugin, waiting: Waiting, objects: PlacementObjects) {
  return answerOfBoth(objects, (cluster) => {
    const filter = plugin.preFilter?.(podInfo(waitingPod(waiting)), cluster)?.filter;
    const verdicts = cluster.nodes.map((node) => {
      const verdict = filter?.(node);
      if (verdict?.kind !== "rejects") return [node.name, verdict?.kind ?? "fits"];
      const code = verdict.code === "Unschedulable" ? "U" : "UAU";
      return [node.name, `${code}: ${verdict.reasons.join("; ")}`];
    });
    return Object.fromEntries(verdicts) as Record<string, string>;
  });
}

/** Every node's normalised score; `undefined` when the plugin skips scoring. */
export function scoresOf(plugin: Plugin, waiting: Waiting, objects: PlacementObjects) {
  return answerOfBoth(objects, (cluster) => {
    const pod = podInfo(waitingPod(waiting));
    const scored = scoreNodes({ pod, cluster, scorers: [{ plugin, weight: 1 }] }, cluster.nodes);
    if (scored.kind === "fails") return scored.message;
    if (scored.columns.length === 0) return undefined;
    return Object.fromEntries(scored.nodes.map((node, index) => [node, scored.totals[index] ?? 0]));
  });
}
