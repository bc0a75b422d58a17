import type {
  ConstraintExplanation,
  PlacementExplanation,
  SelectorExplanation,
} from "../placement/explain-placement.ts";
import type { Placement } from "../placement/place-pod.ts";
import type { Breakdown } from "../placement/plugin.ts";

/**
 * Why a Pod goes nowhere, word for word as Kubernetes says it in the `FailedScheduling` event and the `PodScheduled`
 * condition; `undefined` when it goes somewhere. What preemption has to add comes after it.
 */
export function failedSchedulingMessage(placement: Placement): string | undefined {
  const { outcome, nodes } = placement;
  const nowhere = `0/${nodes} nodes are available:`;
  switch (outcome.kind) {
    case "placed":
      return undefined;
    case "no-nodes":
      return "no nodes available to schedule pods";
    case "failed":
      return breakdownMessage(outcome.breakdown);
    case "refused":
      return `${nowhere} ${outcome.rejection.reasons.join(", ")}.`;
    case "unfit":
      return `${nowhere} ${histogram(placement)}.`;
  }
}

/** Every reason with how many nodes it holds for; a node with several reasons counts for each. */
function histogram({ refused, leftOut, nodes, examined }: Placement): string {
  const counts = new Map<string, number>();
  const count = (reason: string, times: number): void => {
    if (times > 0) counts.set(reason, (counts.get(reason) ?? 0) + times);
  };
  for (const { rejection } of refused) for (const reason of rejection.reasons) count(reason, 1);
  for (const reason of leftOut?.reasons ?? []) count(reason, nodes - examined);
  return [...counts]
    .map(([reason, times]) => `${times} ${reason}`)
    .sort()
    .join(", ");
}

/** What went wrong, and in which plugin. */
export function breakdownMessage({ plugin, point, message }: Breakdown): string {
  return `running ${point} plugin "${plugin}": ${message}`;
}

/** What settled where a Pod goes: `node-3: best of 5 with 642, drawn from 2 as good`. */
export function describeSelection({ outcome, nodes }: PlacementExplanation): string {
  if (outcome.kind !== "placed") return "no node";
  const { node, by } = outcome;
  switch (by.kind) {
    case "nomination":
      return `${node}: nominated before, and it still fits`;
    case "only-node":
      return `${node}: the only node that fits`;
    case "score": {
      const compared = nodes.filter(({ verdict }) => verdict !== "refused").length;
      const drawn = by.best.length > 1 ? `, drawn from ${by.best.length} as good` : "";
      return `${node}: best of ${compared} with ${by.total}${drawn}`;
    }
  }
}

const wishes: Readonly<Record<ConstraintExplanation["source"], string>> = {
  pod: "the Pod itself",
  list: "the operator's defaults",
  "built-in": "the built-in defaults",
};

/** A constraint, and where it comes from. */
export function describeConstraint(
  constraint: ConstraintExplanation,
  derived: SelectorExplanation | undefined,
): string {
  const { maxSkew, topologyKey, whenUnsatisfiable, selector, source } = constraint;
  const strictness = whenUnsatisfiable === "DoNotSchedule" ? "must" : "should";
  const whose = selector === undefined ? "no Pods" : `Pods with ${selector || "any labels"}`;
  const from = source === "pod" || derived === undefined ? "" : `, for ${sourcesOf(derived)}`;
  return `${whose} ${strictness} be within ${maxSkew} of each other per ${topologyKey} (${wishes[source]}${from})`;
}

function sourcesOf({ from }: SelectorExplanation): string {
  return from.map(({ kind, name }) => `${kind} ${name}`).join(" and ");
}
