import { fails, type Plugin, unresolvable } from "../plugin.ts";
import type { PluginEntry } from "../plugin-entry.ts";
import type { PodInfo } from "../objects/pod-info.ts";
import { type InterPodAffinityArgs, interPodAffinityArgs } from "./args.ts";
import { affinityFilter } from "./filter.ts";
import { interPodAffinityHints } from "./hints.ts";
import { affinityScorer } from "./score.ts";
import { mayConcern } from "./topology-sums.ts";

/** Keeps Pods near to or away from others, as their affinity and that of the others demands or prefers. */
export function interPodAffinity(args: InterPodAffinityArgs = {}): Plugin {
  return {
    name: "InterPodAffinity",

    preFilter(pod, cluster) {
      const problem = parseProblem(pod);
      if (problem !== undefined) return { refusal: unresolvable(problem) };
      if (!mayConcern(pod, cluster)) return undefined;
      const filter = affinityFilter(pod, cluster);
      return filter === undefined ? undefined : { filter };
    },

    preScore(pod, cluster) {
      const problem = parseProblem(pod);
      if (problem !== undefined) return fails(problem);
      return isIndifferent(pod, args) || !mayConcern(pod, cluster)
        ? undefined
        : affinityScorer(pod, cluster, args);
    },
  };
}

function parseProblem({ affinity, antiAffinity }: PodInfo): string | undefined {
  const problem = affinity.problem ?? antiAffinity.problem;
  return problem === undefined ? undefined : `parsing pod: ${problem}`;
}

function isIndifferent(pod: PodInfo, { ignorePreferredTermsOfExistingPods }: InterPodAffinityArgs): boolean {
  const preferences = pod.affinity.preferred.length + pod.antiAffinity.preferred.length;
  return ignorePreferredTermsOfExistingPods === true && preferences === 0;
}

export const interPodAffinityEntry = {
  name: "InterPodAffinity",
  points: ["preFilter", "filter", "preScore", "score"],
  weight: 2,
  args: interPodAffinityArgs,
  create: interPodAffinity,
  hints: () => interPodAffinityHints,
} as const satisfies PluginEntry<InterPodAffinityArgs>;
