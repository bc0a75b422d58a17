import type { Container, PodSpec } from "../generated/core-v1.ts";
import {
  addQuantities,
  compareQuantities,
  parseQuantity,
  type Quantity,
  zero,
} from "../quantity/quantity.ts";
import type { Sent } from "../sent.ts";

type Resources = Sent<Container>["resources"];
type Totals = Map<string, Quantity>;

const counted = ["cpu", "memory"];

/** The quality of service class of a Pod, derived from its requests and limits. */
export function qosClass(spec: Sent<PodSpec>): "BestEffort" | "Burstable" | "Guaranteed" {
  const demands = demandsOf(spec);
  const requests = totalsOf(demands.map((demand) => demand?.requests));
  const limits = totalsOf(demands.map((demand) => demand?.limits));
  if (requests.size === 0 && limits.size === 0) return "BestEffort";
  const limited = demands.every((demand) => totalsOf([demand?.limits]).size === counted.length);
  return limited && areEqual(requests, limits) ? "Guaranteed" : "Burstable";
}

/** The resources of the Pod as a whole, or else of each container. */
function demandsOf({ resources, containers = [], initContainers = [] }: Sent<PodSpec>): readonly Resources[] {
  if (resources !== undefined) return [resources];
  return [...containers, ...initContainers].map((container) => container.resources);
}

function totalsOf(amounts: readonly (Readonly<Record<string, string | number>> | undefined)[]): Totals {
  const totals: Totals = new Map();
  for (const name of counted) {
    for (const amount of amounts) {
      const quantity = parseQuantity(amount?.[name]) ?? zero;
      if (quantity.nanos > 0n) totals.set(name, addQuantities(totals.get(name) ?? zero, quantity));
    }
  }
  return totals;
}

function areEqual(requests: Totals, limits: Totals): boolean {
  if (requests.size !== limits.size) return false;
  return [...requests].every(([name, request]) => {
    const limit = limits.get(name);
    return limit !== undefined && compareQuantities(request, limit) === 0;
  });
}
