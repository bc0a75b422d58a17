import { isExtendedResource, isHugePages, isNativeResource } from "../../../api/resource-names.ts";
import {
  addQuantities,
  compareQuantities,
  milliUnits,
  parseQuantity,
  type Quantity,
  wholeUnits,
  zero,
} from "../../../api/quantity/quantity.ts";
import { isObject } from "./reading.ts";

/** Amounts of resources by name: CPU in thousandths, everything else in whole units. */
export type ResourceAmounts = ReadonlyMap<string, number>;

/** Amounts before rounding; requests are summed exactly and rounded once. */
export type Quantities = ReadonlyMap<string, Quantity>;

/** A resource list of an API object. */
export type ResourceList = Readonly<Record<string, string | number>> | null | undefined;

/** The resources that every node counts. */
export const basicResources: readonly string[] = ["cpu", "memory", "ephemeral-storage"];

/** Whether a resource is a scalar resource: an extended resource, huge pages or attachable volumes. */
export function isScalarResource(name: string): boolean {
  if (basicResources.includes(name)) return false;
  const isPrefixedNative = name.includes("/") && isNativeResource(name);
  if (isPrefixedNative || isHugePages(name) || name.startsWith("attachable-volumes-")) return true;
  return isExtendedResource(name);
}

/** The quantities of a resource list; a value that is no quantity is left out. */
export function quantitiesOf(list: ResourceList): Quantities {
  const quantities = new Map<string, Quantity>();
  if (!isObject(list)) return quantities;
  for (const [name, value] of Object.entries(list)) {
    const quantity =
      typeof value === "string" || typeof value === "number" ? parseQuantity(value) : undefined;
    if (quantity === undefined) continue;
    if (basicResources.includes(name) || isScalarResource(name)) quantities.set(name, quantity);
  }
  return quantities;
}

/** The sum, resource by resource. */
export function sumOfQuantities(a: Quantities, b: Quantities): Quantities {
  return combine(a, b, addQuantities);
}

/** The larger of two, resource by resource. */
export function largerQuantities(a: Quantities, b: Quantities): Quantities {
  return combine(a, b, (left, right) => (compareQuantities(left, right) < 0 ? right : left));
}

function combine(
  a: Quantities,
  b: Quantities,
  choose: (left: Quantity, right: Quantity) => Quantity,
): Quantities {
  const combined = new Map(a);
  for (const [name, quantity] of b) combined.set(name, choose(combined.get(name) ?? zero, quantity));
  return combined;
}

/** Rounds quantities up to the units of amounts. */
export function amountsOf(quantities: Quantities): ResourceAmounts {
  const amounts = new Map<string, number>();
  for (const [name, quantity] of quantities) {
    amounts.set(name, name === "cpu" ? milliUnits(quantity) : wholeUnits(quantity));
  }
  return amounts;
}

/** The sum of many amounts, resource by resource. */
export function totalAmounts(all: Iterable<ResourceAmounts>): ResourceAmounts {
  const total = new Map<string, number>();
  for (const amounts of all) {
    for (const [name, amount] of amounts) total.set(name, (total.get(name) ?? 0) + amount);
  }
  return total;
}

/** The amount of a resource; 0 when there is none. */
export function resourceAmount(amounts: ResourceAmounts, name: string): number {
  return amounts.get(name) ?? 0;
}
