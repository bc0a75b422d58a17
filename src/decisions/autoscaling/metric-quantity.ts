import { formatQuantity } from "../../api/quantity/format-quantity.ts";
import { milliUnits, parseQuantity } from "../../api/quantity/quantity.ts";

/** The thousandths of a target; `undefined` without one. */
export function milliOf(value: string | number | undefined): number | undefined {
  const quantity = parseQuantity(value);
  return quantity === undefined ? undefined : milliUnits(quantity);
}

/** An amount in thousandths as the status shows it. */
export function decimal(milli: number): string {
  return formatQuantity({ nanos: BigInt(Math.round(milli)) * 1_000_000n, format: "decimal" });
}

/** An amount of memory in thousandths of a byte as the status shows it. */
export function binary(milli: number): string {
  return formatQuantity({ nanos: BigInt(Math.round(milli)) * 1_000_000n, format: "binary" });
}
