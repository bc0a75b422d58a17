import type { Container, PodSpec } from "../../api/generated/core-v1.ts";
import type { Sent } from "../../api/sent.ts";
import { type Amounts, largerOf, readAmounts, sumOfAmounts } from "./amounts.ts";

/** The amounts of a container that are added up. */
export type Side = "requests" | "limits";

const none: Amounts = new Map();

/**
 * Returns the total of a Pod's containers: regular ones and sidecars run side by side, other init containers one after
 * the other. Amounts of the Pod as a whole replace those of its containers; its overhead is added.
 */
export function podTotals(spec: Sent<PodSpec>, side: Side): Amounts {
  const totals = known.get(spec) ?? {};
  const found = totals[side];
  if (found !== undefined) return found;
  const computed = totalOf(spec, side);
  known.set(spec, { ...totals, [side]: computed });
  return computed;
}

/** Caches totals: stored objects never change, and the Pods of a namespace are counted again and again. */
const known = new WeakMap<Sent<PodSpec>, { readonly [side in Side]?: Amounts }>();

function totalOf(spec: Sent<PodSpec>, side: Side): Amounts {
  const total = new Map([...containerTotals(spec, side), ...readAmounts(spec.resources?.[side])]);
  const overhead = readAmounts(spec.overhead);
  if (side === "requests") return sumOfAmounts(total, overhead);
  // A resource without a limit stays without one.
  return sumOfAmounts(total, new Map([...overhead].filter(([name]) => total.has(name))));
}

function containerTotals({ containers = [], initContainers = [] }: Sent<PodSpec>, side: Side): Amounts {
  const amountsOf = (container: Sent<Container>) => readAmounts(container.resources?.[side]);
  let sidecars = none;
  let starting = none;
  for (const container of initContainers) {
    const together = sumOfAmounts(sidecars, amountsOf(container));
    if (container.restartPolicy === "Always") sidecars = together;
    starting = largerOf(starting, together);
  }
  return largerOf(containers.map(amountsOf).reduce(sumOfAmounts, sidecars), starting);
}
