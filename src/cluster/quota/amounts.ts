import { formatQuantity } from "../../api/quantity/format-quantity.ts";
import {
  addQuantities,
  compareQuantities,
  parseQuantity,
  type Quantity,
  subtractQuantities,
  zero,
} from "../../api/quantity/quantity.ts";

/** Amounts by the name of a resource. */
export type Amounts = ReadonlyMap<string, Quantity>;

/** Amounts as objects write them. */
export type AmountTexts = Readonly<Record<string, string | number>>;

/** A count of one. */
export const one: Quantity = { nanos: 1_000_000_000n, format: "decimal" };

/** Returns a count as a quantity. */
export const count = (number: number): Quantity => ({ ...one, nanos: one.nanos * BigInt(number) });

/** Reads amounts; a text that is not a quantity counts as zero. */
export function readAmounts(texts: AmountTexts | undefined): Amounts {
  return new Map(Object.entries(texts ?? {}).map(([name, text]) => [name, parseQuantity(text) ?? zero]));
}

/** Returns amounts as objects write them, ordered by name. */
export function amountTexts(amounts: Amounts): Readonly<Record<string, string>> {
  return Object.fromEntries(sorted(amounts).map(([name, amount]) => [name, formatQuantity(amount)]));
}

/** Returns amounts as messages write them: `cpu=2,pods=1`. */
export function amountsText(amounts: Amounts): string {
  return sorted(amounts)
    .map(([name, amount]) => `${name}=${formatQuantity(amount)}`)
    .join(",");
}

const sorted = (amounts: Amounts) => [...amounts].toSorted(([a], [b]) => (a < b ? -1 : 1));

/** Returns the sum by resource. */
export function sumOfAmounts(left: Amounts, right: Amounts): Amounts {
  if (right.size === 0) return left;
  const sum = new Map(left);
  for (const [name, amount] of right) sum.set(name, addQuantities(sum.get(name) ?? zero, amount));
  return sum;
}

/** Returns the difference by resource, without the resources that are equal. */
export function differenceOf(left: Amounts, right: Amounts): Amounts {
  const difference = new Map<string, Quantity>();
  for (const name of new Set([...left.keys(), ...right.keys()])) {
    const amount = subtractQuantities(left.get(name) ?? zero, right.get(name) ?? zero);
    if (amount.nanos !== 0n) difference.set(name, amount);
  }
  return difference;
}

/** Returns the larger amount by resource. */
export function largerOf(left: Amounts, right: Amounts): Amounts {
  const larger = new Map(left);
  for (const [name, amount] of right) {
    const other = larger.get(name);
    if (other === undefined || compareQuantities(other, amount) < 0) larger.set(name, amount);
  }
  return larger;
}

/** Returns the amounts of the named resources. */
export function only(amounts: Amounts, names: { has(name: string): boolean }): Amounts {
  return new Map([...amounts].filter(([name]) => names.has(name)));
}
