import type {
  NodeAffinity,
  NodeSelectorTerm,
  PreferredSchedulingTerm,
} from "../../../api/generated/core-v1.ts";
import { scaleToLargest } from "../arithmetic.ts";
import { nodeBecomes, type QueueingHints, templateHints } from "../cluster-event.ts";
import {
  type Failure,
  fails,
  fits,
  type Plugin,
  type PreFilterResult,
  type Scorer,
  unresolvable,
} from "../plugin.ts";
import type { PluginEntry } from "../plugin-entry.ts";
import { compileTerm, compileTerms, type NodeMatch, requiredNodeAffinity } from "../objects/node-selector.ts";
import type { PodInfo } from "../objects/pod-info.ts";
import { isObject, itemsOf, numberOf, textsOf } from "../objects/reading.ts";
import { type NodeAffinityArgs, nodeAffinityArgs } from "./args.ts";

const mismatch = unresolvable("node(s) didn't match Pod's node affinity/selector");
const enforced = unresolvable("node(s) didn't match scheduler-enforced node affinity");
const conflict = unresolvable("pod affinity terms conflict");

/** Rejects nodes that the node affinity of the Pod or of the operator excludes, and prefers those the Pod prefers. */
export function nodeAffinity({ addedAffinity }: NodeAffinityArgs = {}): Plugin {
  const matchesAdded = compileAdded(addedAffinity);
  return {
    name: "NodeAffinity",
    preFilter: (pod) => preFilter(pod, matchesAdded),

    preScore(pod) {
      const preferred = [...preferredTerms(addedAffinity), ...preferredTerms(affinityOf(pod))];
      return preferred.length === 0 ? undefined : preferenceScorer(preferred);
    },
  };
}

function compileAdded(added: NodeAffinity | undefined): NodeMatch | undefined {
  const required = added?.requiredDuringSchedulingIgnoredDuringExecution;
  return isObject(required) ? compileTerms(required.nodeSelectorTerms) : undefined;
}

function affinityOf({ pod }: PodInfo): NodeAffinity | undefined {
  return pod.spec?.affinity?.nodeAffinity;
}

function preFilter(pod: PodInfo, matchesAdded: NodeMatch | undefined): PreFilterResult | undefined {
  const required = affinityOf(pod)?.requiredDuringSchedulingIgnoredDuringExecution;
  if (!isObject(required) && !isObject(pod.pod.spec?.nodeSelector) && matchesAdded === undefined)
    return undefined;
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

/** The nodes that the terms name, when every term names some: no other has to be examined. */
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

/** A node that matches the affinity of the Pod and of the operator. */
function hints({ addedAffinity }: NodeAffinityArgs): QueueingHints {
  const matchesAdded = compileAdded(addedAffinity) ?? (() => true);
  return templateHints(["Node/Add", "Node/UpdateNodeLabel"], (waiting, event) => {
    const matches = requiredNodeAffinity(waiting);
    return nodeBecomes(event, (node) => matchesAdded(node) && matches(node));
  });
}

export const nodeAffinityEntry = {
  name: "NodeAffinity",
  points: ["preFilter", "filter", "preScore", "score"],
  weight: 2,
  args: nodeAffinityArgs,
  create: nodeAffinity,
  hints,
} as const satisfies PluginEntry<NodeAffinityArgs>;
