import type { PodFacts } from "../facts/pod-facts.ts";
import { fails, type Plugin, unresolvable } from "../plugin.ts";
import { affinityFilter } from "./filter.ts";
import { affinityScorer, type InterPodAffinityArgs } from "./score.ts";

/** Keeps Pods near to or far from others, as they and those others want it. */
export function interPodAffinity(args: InterPodAffinityArgs = {}): Plugin {
  return {
    name: "InterPodAffinity",

    consider(pod, snapshot) {
      const problem = pod.affinity.problem ?? pod.antiAffinity.problem;
      if (problem !== undefined) {
        const message = `parsing pod: ${problem}`;
        return { refusal: unresolvable(message), prepare: () => fails(message) };
      }
      const filter = affinityFilter(pod, snapshot);
      return {
        ...(filter === undefined ? {} : { filter }),
        ...(isIndifferent(pod, args) ? {} : { prepare: () => affinityScorer(pod, snapshot, args) }),
      };
    },
  };
}

function isIndifferent(pod: PodFacts, { ignorePreferredTermsOfExistingPods }: InterPodAffinityArgs): boolean {
  const preferences = pod.affinity.preferred.length + pod.antiAffinity.preferred.length;
  return ignorePreferredTermsOfExistingPods === true && preferences === 0;
}
