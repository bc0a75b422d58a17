import type { Container, PodSpec } from "../../api/generated/core-v1.ts";
import type { Sent } from "../../api/sent.ts";
import { type Amounts, largerOf, readAmounts, sumOf } from "./amounts.ts";

/** Which of a container's amounts are summed up. */
export type Side = "requests" | "limits";

const none: Amounts = new Map();

/**
 * What all containers of a Pod have together: regular ones and sidecars side by side, other init containers one after
 * the other. What the Pod has as a whole counts instead, where it says so; its overhead is added.
 */
export function podTotals(spec: Sent<PodSpec>, side: Side): Amounts {
  const totals = known.get(spec) ?? {};
  const found = totals[side];
  if (found !== undefined) return found;
  const computed = totalOf(spec, side);
  known.set(spec, { ...totals, [side]: computed });
  return computed;
}

/** Stored objects never change, and a namespace may have very many Pods, which are counted again and again. */
const known = new WeakMap<Sent<PodSpec>, { readonly [side in Side]?: Amounts }>();

function totalOf(spec: Sent<PodSpec>, side: Side): Amounts {
  const total = new Map([...containerTotals(spec, side), ...readAmounts(spec.resources?.[side])]);
  const overhead = readAmounts(spec.overhead);
  if (side === "requests") return sumOf(total, overhead);
  // A resource without a limit stays without one.
  return sumOf(total, new Map([...overhead].filter(([name]) => total.has(name))));
}

function containerTotals({ containers = [], initContainers = [] }: Sent<PodSpec>, side: Side): Amounts {
  const amountsOf = (container: Sent<Container>) => readAmounts(container.resources?.[side]);
  let sidecars = none;
  let starting = none;
  for (const container of initContainers) {
    const together = sumOf(sidecars, amountsOf(container));
    if (container.restartPolicy === "Always") sidecars = together;
    starting = largerOf(starting, together);
  }
  return largerOf(containers.map(amountsOf).reduce(sumOf, sidecars), starting);
}
