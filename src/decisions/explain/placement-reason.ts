import type {
  ConstraintExplanation,
  PlacementExplanation,
  SelectorExplanation,
} from "../placement/explain-placement.ts";
import { countReasons } from "../placement/node-rejection.ts";
import type { Placement, PlacementOutcome } from "../placement/place-pod.ts";
import type { PluginFailure, PostFilterResult } from "../placement/plugin.ts";
import { type PodInfo, priorityOf } from "../placement/objects/pod-info.ts";

/**
 * Why a Pod cannot be scheduled, in Kubernetes' words for the `FailedScheduling` event and the `PodScheduled`
 * condition; `undefined` when it can. Preemption appends its own message.
 */
export function failedSchedulingMessage(placement: Placement): string | undefined {
  const { outcome, nodes } = placement;
  const prefix = `0/${nodes} nodes are available:`;
  switch (outcome.kind) {
    case "placed":
      return undefined;
    case "no-nodes":
      return "no nodes available to schedule pods";
    case "failed":
      return breakdownMessage(outcome.breakdown);
    case "refused":
      return `${prefix} ${outcome.rejection.reasons.join(", ")}.`;
    case "unfit":
      return `${prefix} ${histogram(placement)}.`;
  }
}

function histogram({ refused, leftOut, nodes, examined }: Placement): string {
  const unexamined =
    leftOut === undefined ? [] : Array.from({ length: nodes - examined }, () => leftOut.reasons);
  return countReasons([...refused.reasons(), ...unexamined]);
}

/** The error of a plugin, with its name and extension point. */
function breakdownMessage({ plugin, point, message }: PluginFailure): string {
  return `running ${point} plugin "${plugin}": ${message}`;
}

/** The node and what decided for it, or why no node was found. */
export function placementSummary(placement: Placement): string {
  const { outcome, feasible } = placement;
  return failedSchedulingMessage(placement) ?? selectionText(outcome, feasible.length);
}

/** What decided for a node: `node-3: best of 5 with 642, drawn from 2 as good`. */
export function describeSelection({ outcome, nodes }: PlacementExplanation): string {
  return selectionText(outcome, nodes.filter(({ verdict }) => verdict !== "refused").length);
}

function selectionText(outcome: PlacementOutcome, compared: number): string {
  if (outcome.kind !== "placed") return "no node";
  const { node, by } = outcome;
  switch (by.kind) {
    case "nomination":
      return `${node}: nominated before, and it still fits`;
    case "only-node":
      return `${node}: the only node that fits`;
    case "score":
      return describeBest(node, by.total, { compared, ties: by.best.length });
  }
}

/** How many nodes a score was compared among, and how many of them have the best one. */
export interface ComparedNodes {
  readonly compared: number;
  readonly ties: number;
}

/** What decided for the node with the best score. */
export function describeBest(node: string, total: number, { compared, ties }: ComparedNodes): string {
  return `${node}: best of ${compared} with ${total}${ties > 1 ? `, drawn from ${ties} as good` : ""}`;
}

const sources: Readonly<Record<ConstraintExplanation["source"], string>> = {
  pod: "the Pod itself",
  list: "the operator's defaults",
  "built-in": "the built-in defaults",
};

/** A topology spread constraint, and where it comes from. */
export function describeConstraint(
  constraint: ConstraintExplanation,
  derived: SelectorExplanation | undefined,
): string {
  const { maxSkew, topologyKey, whenUnsatisfiable, selector, source } = constraint;
  const strictness = whenUnsatisfiable === "DoNotSchedule" ? "must" : "should";
  const selected = selector === undefined ? "no Pods" : `Pods with ${selector || "any labels"}`;
  const from = source === "pod" || derived === undefined ? "" : `, for ${describeSources(derived)}`;
  return `${selected} ${strictness} be spread by ${topologyKey}, at most ${maxSkew} more in one than in another (${sources[source]}${from})`;
}

function describeSources({ from }: SelectorExplanation): string {
  return from.map(({ kind, name }) => `${kind} ${name}`).join(" and ");
}

/** Limits the victims that are named. */
const named = 5;

/** What preemption does for a Pod: `preempts pod default/low (priority 100) on node n: fewest victims`. */
export function describePreemption(result: PostFilterResult): string {
  if (result.kind !== "preempts") return result.message;
  const { node, victims, because } = result;
  const names = victims.slice(0, named).map(describeVictim).join(", ");
  const more = victims.length > named ? ` and ${victims.length - named} more` : "";
  return `preempts ${victims.length === 1 ? "pod" : "pods"} ${names}${more} on node ${node}: ${because}`;
}

function describeVictim({ namespace, name, pod }: PodInfo): string {
  return `${namespace}/${name} (priority ${priorityOf(pod)})`;
}
