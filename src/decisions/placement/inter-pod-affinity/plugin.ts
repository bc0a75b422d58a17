import type { PodInfo } from "../snapshot/pod-info.ts";
import { fails, type Plugin, unresolvable } from "../plugin.ts";
import { affinityFilter } from "./filter.ts";
import { affinityScorer, type InterPodAffinityArgs } from "./score.ts";

/** Keeps Pods near to or far from others, as they and those others want it. */
export function interPodAffinity(args: InterPodAffinityArgs = {}): Plugin {
  return {
    name: "InterPodAffinity",

    preFilter(pod, snapshot) {
      const problem = pod.affinity.problem ?? pod.antiAffinity.problem;
      if (problem !== undefined) {
        const message = `parsing pod: ${problem}`;
        return { refusal: unresolvable(message), preScore: () => fails(message) };
      }
      const filter = affinityFilter(pod, snapshot);
      return {
        ...(filter === undefined ? {} : { filter }),
        ...(isIndifferent(pod, args) ? {} : { preScore: () => affinityScorer(pod, snapshot, args) }),
      };
    },
  };
}

function isIndifferent(pod: PodInfo, { ignorePreferredTermsOfExistingPods }: InterPodAffinityArgs): boolean {
  const preferences = pod.affinity.preferred.length + pod.antiAffinity.preferred.length;
  return ignorePreferredTermsOfExistingPods === true && preferences === 0;
}
