import { isConditionTrue } from "../../src/api/conditions.ts";
import type { Node } from "../../src/api/generated/core-v1.ts";
import type { ClusterState } from "../live/cluster-state.ts";
import { countPods, type ShownState } from "./pod-state.ts";

/** Something that a reader should look at, and where. */
export type ClusterProblem =
  | { readonly kind: "nodes"; readonly problem: string; readonly nodes: readonly string[] }
  | { readonly kind: "pods"; readonly state: ShownState; readonly count: number };

/** Returns in a word or two why a node takes no Pods. */
export function nodeProblem({ spec, status }: Node): string | undefined {
  const isKnown = (status?.conditions ?? []).some(({ type }) => type === "Ready");
  if (isKnown && !isConditionTrue(status?.conditions, "Ready")) return "not ready";
  return spec?.unschedulable === true ? "cordoned" : undefined;
}

const badStates: readonly ShownState[] = ["failed", "unknown", "unscheduled", "starting"];

/** What is wrong or unfinished, the worst first; empty where all is well. */
export function clusterProblems({ collections }: ClusterState): readonly ClusterProblem[] {
  const byProblem = new Map<string, string[]>([
    ["not ready", []],
    ["cordoned", []],
  ]);
  for (const node of collections.nodes.values())
    byProblem.get(nodeProblem(node) ?? "")?.push(node.metadata.name);
  const counts = countPods(collections.pods.values());
  return [
    ...[...byProblem].map(([problem, nodes]) => ({ kind: "nodes" as const, problem, nodes })),
    ...badStates.map((state) => ({ kind: "pods" as const, state, count: counts[state] })),
  ].filter((each) => (each.kind === "nodes" ? each.nodes.length > 0 : each.count > 0));
}
