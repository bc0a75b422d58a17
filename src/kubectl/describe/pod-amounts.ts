import type { JsonObject } from "../../api/json.ts";
import {
  addQuantities,
  compareQuantities,
  parseQuantity,
  type Quantity,
  zero,
} from "../../api/quantity/quantity.ts";
import { at, listAt, mapAt } from "../selection/kube-object.ts";

export type PodAmounts = ReadonlyMap<string, Quantity>;

type Which = "requests" | "limits";

function amountsOf(resources: unknown): PodAmounts {
  const entries = Object.entries((resources ?? {}) as Readonly<Record<string, string>>);
  return new Map(entries.map(([name, value]) => [name, parseQuantity(value) ?? zero]));
}

function combined(
  one: PodAmounts,
  other: PodAmounts,
  combine: (a: Quantity, b: Quantity) => Quantity,
): PodAmounts {
  const names = new Set([...one.keys(), ...other.keys()]);
  return new Map(
    [...names].map((name) => {
      const [a, b] = [one.get(name), other.get(name)];
      return [name, a === undefined ? (b ?? zero) : b === undefined ? a : combine(a, b)];
    }),
  );
}

/** The sums of two lists of amounts. */
export const added = (one: PodAmounts, other: PodAmounts) => combined(one, other, addQuantities);

const larger = (one: PodAmounts, other: PodAmounts) =>
  combined(one, other, (a, b) => (compareQuantities(a, b) >= 0 ? a : b));

/**
 * What a Pod requests, or may use at most: the sum over its containers, or what an init container needs beside the
 * sidecars that started before it; and the overhead.
 */
export function podAmounts(pod: JsonObject, which: Which): PodAmounts {
  const of = (container: JsonObject) => amountsOf(at(container, "resources", which));
  let total = listAt(pod, "spec", "containers").reduce<PodAmounts>(
    (sum, each) => added(sum, of(each)),
    new Map(),
  );
  let sidecars: PodAmounts = new Map();
  let starting: PodAmounts = new Map();
  for (const container of listAt(pod, "spec", "initContainers")) {
    if (container["restartPolicy"] === "Always") {
      sidecars = added(sidecars, of(container));
      total = added(total, of(container));
      starting = larger(starting, sidecars);
    } else starting = larger(starting, added(of(container), sidecars));
  }
  const needed = larger(total, starting);
  const own = larger(amountsOf(mapAt(pod, "spec", "resources", which)), new Map());
  const overhead = amountsOf(at(pod, "spec", "overhead"));
  const all = new Map([...needed, ...own]);
  return which === "requests" ? added(all, overhead) : addedWhereSet(all, overhead);
}

/** Overhead raises a limit, and does not make one. */
function addedWhereSet(limits: PodAmounts, overhead: PodAmounts): PodAmounts {
  return new Map(
    [...limits].map(([name, value]) => [name, addQuantities(value, overhead.get(name) ?? zero)]),
  );
}
