import { quotient } from "../arithmetic.ts";
import { countReasons } from "../node-rejection.ts";
import type { FailedAttempt, Plugin, PostFilterResult } from "../plugin.ts";
import type { PluginEntry } from "../plugin-entry.ts";
import type { NodeInfo } from "../objects/node-info.ts";
import type { PodInfo } from "../objects/pod-info.ts";
import type { ClusterView } from "../view/cluster-view.ts";
import { type DefaultPreemptionArgs, defaultPreemptionArgs } from "./args.ts";
import { chooseCandidate } from "./choose-candidate.ts";
import {
  whyNotEligible,
  type PreemptionCandidate,
  selectVictims,
  type VictimSearch,
} from "./select-victims.ts";

const notHelpful = "Preemption is not helpful for scheduling";
const noVictims = "No preemption victims found for incoming pod";

/** Makes room for a Pod by removing less important ones from the node where that does the least harm. */
export function defaultPreemption(args: DefaultPreemptionArgs): Plugin {
  return {
    name: "DefaultPreemption",

    *postFilter(pod, cluster, attempt): Generator<void, PostFilterResult, void> {
      const obstacle = whyNotEligible(pod, cluster, attempt);
      if (obstacle !== undefined) return { kind: "waits", message: `preemption: ${obstacle}` };
      const { candidates, reasons } = yield* findCandidates(pod, { cluster, attempt, args });
      const chosen = chooseCandidate(candidates);
      if (chosen === undefined) {
        const total = cluster.nodes.length;
        return {
          kind: "gives-up",
          message: `preemption: 0/${total} nodes are available: ${countReasons(reasons)}.`,
        };
      }
      const { candidate, because } = chosen;
      return { kind: "preempts", node: candidate.node, victims: candidate.victims, because };
    },
  };
}

interface SearchContext {
  readonly cluster: ClusterView;
  readonly attempt: FailedAttempt;
  readonly args: DefaultPreemptionArgs;
}

interface FoundCandidates {
  readonly candidates: readonly PreemptionCandidate[];
  /** Why every other node is not a candidate, one entry per node. */
  readonly reasons: readonly (readonly string[])[];
}

/** Tries the nodes that removing Pods could help, from a random one on, until there are enough candidates. */
function* findCandidates(
  pod: PodInfo,
  { cluster, attempt, args }: SearchContext,
): Generator<void, FoundCandidates, void> {
  const nodes = nodesToTry(cluster, attempt);
  const reasons: (readonly string[])[] = Array.from({ length: cluster.nodes.length - nodes.length }, () => [
    notHelpful,
  ]);
  const wanted = candidatesToFind(nodes.length, args);
  const candidates: PreemptionCandidate[] = [];
  const offset = nodes.length === 0 ? 0 : attempt.draw(nodes.length);
  for (const node of [...nodes.slice(offset), ...nodes.slice(0, offset)]) {
    if (candidates.length >= wanted && candidates.some(({ violations }) => violations === 0)) break;
    const search = selectVictims(pod, node, { ...attempt, cluster });
    if (search.kind === "candidate") candidates.push(search.candidate);
    else reasons.push(reasonsOf(search));
    yield;
  }
  return { candidates, reasons };
}

function nodesToTry({ nodes }: ClusterView, { refused }: FailedAttempt): readonly NodeInfo[] {
  return nodes.filter(({ name }) => refused.get(name) === "Unschedulable");
}

function candidatesToFind(nodes: number, args: DefaultPreemptionArgs): number {
  const share = quotient(nodes * args.minCandidateNodesPercentage, 100);
  return Math.min(Math.max(share, args.minCandidateNodesAbsolute), nodes);
}

function reasonsOf(search: Exclude<VictimSearch, { kind: "candidate" }>): readonly string[] {
  if (search.kind === "no-victims") return [noVictims];
  const { rejection } = search;
  return rejection.kind === "fails" ? [rejection.message] : rejection.reasons;
}

export const defaultPreemptionEntry = {
  name: "DefaultPreemption",
  points: ["postFilter"],
  args: defaultPreemptionArgs,
  create: defaultPreemption,
} as const satisfies PluginEntry<DefaultPreemptionArgs>;
