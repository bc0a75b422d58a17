import {
  addQuantities,
  compareQuantities,
  isWhole,
  parseQuantity,
  type Quantity,
  subtractQuantities,
} from "../../../../api/quantity/quantity.ts";
import { reading } from "../cost/cost-rule.ts";
import { bool, double, int, opaque } from "../types/cel-type.ts";
import { CelError, type CelValue, type Opaque } from "../values/cel-value.ts";
import { type CelFunction, form, instanceOf, integer, method, type Overload, text } from "./overload.ts";

const typeName = "kubernetes.Quantity";
const type = opaque(typeName);
const nanosPerUnit = 10n ** 9n;

/** An amount such as `1.5Gi`. */
class QuantityValue implements Opaque {
  readonly kind = "opaque";
  readonly typeName = typeName;
  readonly size = 1;
  readonly quantity: Quantity;

  constructor(quantity: Quantity) {
    this.quantity = quantity;
  }

  equals(other: Opaque): boolean {
    return other instanceof QuantityValue && compareQuantities(this.quantity, other.quantity) === 0;
  }
}

const amount = instanceOf(type, QuantityValue);
const read = reading(0);
const problem = new CelError(
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
);

function quantityIn(value: string): CelValue {
  const parsed = parseQuantity(value);
  return parsed === undefined ? problem : new QuantityValue(parsed);
}

function wholeOf({ quantity }: QuantityValue): bigint | undefined {
  const whole = quantity.nanos / nanosPerUnit;
  return isWhole(quantity) && BigInt.asIntN(64, whole) === whole ? whole : undefined;
}

const ofInt = (value: bigint): Quantity => ({ nanos: value * nanosPerUnit, format: "decimal" });

function calculations(name: string, calculate: (a: Quantity, b: Quantity) => Quantity): readonly Overload[] {
  return [
    method(
      { id: `quantity_${name}`, takes: [amount, amount], gives: type },
      (a, b) => new QuantityValue(calculate(a.quantity, b.quantity)),
    ),
    method(
      { id: `quantity_${name}_int`, takes: [amount, integer], gives: type },
      (a, b) => new QuantityValue(calculate(a.quantity, ofInt(b))),
    ),
  ];
}

function comparison(id: string, holds: (order: number) => boolean): readonly Overload[] {
  return [
    method({ id, takes: [amount, amount], gives: bool }, (a, b) =>
      holds(compareQuantities(a.quantity, b.quantity)),
    ),
  ];
}

/** The library of quantities. */
export const quantityFunctions: readonly CelFunction[] = [
  {
    name: "quantity",
    overloads: [form({ id: "string_to_quantity", takes: [text], gives: type, cost: read }, quantityIn)],
  },
  {
    name: "isQuantity",
    overloads: [
      form(
        { id: "is_quantity_string", takes: [text], gives: bool, cost: read },
        (value) => parseQuantity(value) !== undefined,
      ),
    ],
  },
  {
    name: "sign",
    overloads: [
      form({ id: "quantity_sign", takes: [amount], gives: int }, ({ quantity }) =>
        BigInt(compareQuantities(quantity, ofInt(0n))),
      ),
    ],
  },
  { name: "isGreaterThan", overloads: comparison("quantity_is_greater_than", (order) => order > 0) },
  { name: "isLessThan", overloads: comparison("quantity_is_less_than", (order) => order < 0) },
  {
    name: "compareTo",
    overloads: [
      method({ id: "quantity_compare_to", takes: [amount, amount], gives: int }, (a, b) =>
        BigInt(compareQuantities(a.quantity, b.quantity)),
      ),
    ],
  },
  {
    name: "asApproximateFloat",
    overloads: [
      method(
        { id: "quantity_get_float", takes: [amount], gives: double },
        ({ quantity }) => Number(quantity.nanos) / 1e9,
      ),
    ],
  },
  {
    name: "asInteger",
    overloads: [
      method(
        { id: "quantity_get_int", takes: [amount], gives: int },
        (value) => wholeOf(value) ?? new CelError("cannot convert value to integer"),
      ),
    ],
  },
  {
    name: "isInteger",
    overloads: [
      method(
        { id: "quantity_is_integer", takes: [amount], gives: bool },
        (value) => wholeOf(value) !== undefined,
      ),
    ],
  },
  { name: "add", overloads: calculations("add", addQuantities) },
  { name: "sub", overloads: calculations("sub", subtractQuantities) },
];
