import { fails, type Plugin, unresolvable } from "../plugin.ts";
import type { PodInfo } from "../snapshot/pod-info.ts";
import type { InterPodAffinityArgs } from "../../../src/decisions/placement/inter-pod-affinity/args.ts";
import { affinityFilter } from "./filter.ts";
import { affinityScorer } from "./score.ts";

/** Keeps Pods near to or away from others, as their affinity and that of the others demands or prefers. */
export function interPodAffinity(args: InterPodAffinityArgs = {}): Plugin {
  return {
    name: "InterPodAffinity",

    preFilter(pod, snapshot) {
      const problem = parseProblem(pod);
      if (problem !== undefined) return { refusal: unresolvable(problem) };
      const filter = affinityFilter(pod, snapshot);
      return filter === undefined ? undefined : { filter };
    },

    preScore(pod, snapshot) {
      const problem = parseProblem(pod);
      if (problem !== undefined) return fails(problem);
      return isIndifferent(pod, args) ? undefined : affinityScorer(pod, snapshot, args);
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
