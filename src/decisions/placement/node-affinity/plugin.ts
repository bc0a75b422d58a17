import type {
  NodeAffinity,
  NodeSelectorTerm,
  PreferredSchedulingTerm,
} from "../../../api/generated/core-v1.ts";
import { scaleToLargest } from "../arithmetic.ts";
import {
  compileTerm,
  compileTerms,
  type NodeMatch,
  requiredNodeAffinity,
} from "../snapshot/node-selector.ts";
import type { PodInfo } from "../snapshot/pod-info.ts";
import { isObject, itemsOf, numberOf, textsOf } from "../snapshot/reading.ts";
import {
  type Failure,
  fails,
  fits,
  type PreFilterResult,
  type Plugin,
  type Scorer,
  unresolvable,
} from "../plugin.ts";

/** What an operator adds to every Pod's node affinity. */
export interface NodeAffinityArgs {
  readonly addedAffinity?: NodeAffinity;
}

const mismatch = unresolvable("node(s) didn't match Pod's node affinity/selector");
const enforced = unresolvable("node(s) didn't match scheduler-enforced node affinity");
const conflict = unresolvable("pod affinity terms conflict");

/** Refuses nodes the Pod, or the operator for it, does not want; prefers those it would rather have. */
export function nodeAffinity({ addedAffinity }: NodeAffinityArgs = {}): Plugin {
  const added = addedAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const matchesAdded = isObject(added) ? compileTerms(added.nodeSelectorTerms) : undefined;
  return {
    name: "NodeAffinity",

    preFilter(pod) {
      const preferred = [...preferredTerms(addedAffinity), ...preferredTerms(affinityOf(pod))];
      const scoring = preferred.length === 0 ? {} : { preScore: () => preferenceScorer(preferred) };
      return { ...filterOpinion(pod, matchesAdded), ...scoring };
    },
  };
}

function affinityOf({ pod }: PodInfo): NodeAffinity | undefined {
  return pod.spec?.affinity?.nodeAffinity;
}

function filterOpinion(pod: PodInfo, matchesAdded: NodeMatch | undefined): PreFilterResult {
  const required = affinityOf(pod)?.requiredDuringSchedulingIgnoredDuringExecution;
  if (!isObject(required) && !isObject(pod.pod.spec?.nodeSelector) && matchesAdded === undefined) return {};
  const names = namedNodes(itemsOf(required?.nodeSelectorTerms));
  if (names?.size === 0) return { refusal: conflict };
  const matches = requiredNodeAffinity(pod);
  return {
    ...(names === undefined ? {} : { nodeNames: names }),
    filter(node) {
      if (matchesAdded?.(node) === false) return enforced;
      return matches(node) ? fits : mismatch;
    },
  };
}

/** The nodes that terms pin by name, when every one of them does: then no other has to be looked at. */
function namedNodes(terms: readonly NodeSelectorTerm[]): ReadonlySet<string> | undefined {
  if (terms.length === 0) return undefined;
  const perTerm = terms.map((term) => {
    const lists = itemsOf(term.matchFields)
      .filter(({ key, operator }) => key === "metadata.name" && operator === "In")
      .map(({ values }) => textsOf(values));
    return lists[0]?.filter((name) => lists.every((list) => list.includes(name)));
  });
  return perTerm.includes(undefined) ? undefined : new Set(perTerm.flatMap((names) => names ?? []));
}

function preferredTerms(affinity: NodeAffinity | null | undefined): readonly PreferredSchedulingTerm[] {
  return itemsOf(affinity?.preferredDuringSchedulingIgnoredDuringExecution);
}

function preferenceScorer(preferred: readonly PreferredSchedulingTerm[]): Scorer | Failure {
  const terms = preferred.map(({ preference, weight }) => ({
    weight: numberOf(weight, 0),
    matches: compileTerm(preference ?? {}),
  }));
  const unreadable = terms.findIndex(({ matches }) => matches === undefined);
  if (unreadable >= 0) return fails(`preferred node affinity: term ${unreadable} cannot be read`);
  return {
    kind: "scores",
    score: (node) =>
      terms.reduce((sum, { weight, matches }) => sum + (matches?.(node) === true ? weight : 0), 0),
    normalize: scaleToLargest,
  };
}
