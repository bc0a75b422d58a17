import { bool, list, optional, parameter } from "../types/cel-type.ts";
import { sizeOf } from "../values/value-size.ts";
import {
  CelError,
  type CelList,
  type CelValue,
  isList,
  isMap,
  itemsOf,
  listOf,
  none,
  Optional,
  Uint,
  Duration,
  Bytes,
} from "../values/cel-value.ts";
import { anything, type CelFunction, form, listOfType, method, optionalOfType } from "./overload.ts";

const v = parameter("V");
const maybe = optionalOfType(v);
const any = anything(v);

/** Reports whether a value is what its type begins with: false, zero, empty or null. */
function isZero(value: CelValue): boolean {
  if (typeof value !== "object" || value === null) return !value;
  if (value instanceof Uint) return value.value === 0n;
  if (value instanceof Duration) return value.nanos === 0n;
  if (value instanceof Optional) return value.value === undefined;
  return (isList(value) || isMap(value) || value instanceof Bytes) && sizeOf(value) === 0;
}

function presentOf(items: CelList): CelValue {
  const values = itemsOf(items).map((item) => (item instanceof Optional ? item.value : item));
  return listOf(values.filter((value) => value !== undefined));
}

/** The functions of optional values. */
export const optionalFunctions: readonly CelFunction[] = [
  {
    name: "optional.of",
    overloads: [
      form({ id: "optional_of", takes: [any], gives: optional(v) }, (value) => new Optional(value)),
    ],
  },
  {
    name: "optional.ofNonZeroValue",
    overloads: [
      form({ id: "optional_ofNonZeroValue", takes: [any], gives: optional(v) }, (value) =>
        isZero(value) ? none : new Optional(value),
      ),
    ],
  },
  {
    name: "optional.none",
    overloads: [form({ id: "optional_none", takes: [], gives: optional(v) }, () => none)],
  },
  {
    name: "value",
    overloads: [
      method({ id: "optional_value", takes: [maybe], gives: v }, ({ value }) =>
        value === undefined ? new CelError("optional.none() dereference") : value,
      ),
    ],
  },
  {
    name: "hasValue",
    overloads: [
      method({ id: "optional_hasValue", takes: [maybe], gives: bool }, ({ value }) => value !== undefined),
    ],
  },
  {
    name: "or",
    overloads: [
      method({ id: "optional_or_optional", takes: [maybe, maybe], gives: optional(v) }, (first, second) =>
        first.value === undefined ? second : first,
      ),
    ],
  },
  {
    name: "orValue",
    overloads: [
      method({ id: "optional_orValue_value", takes: [maybe, any], gives: v }, ({ value }, other) =>
        value === undefined ? other : value,
      ),
    ],
  },
  {
    name: "optional.unwrap",
    overloads: [form({ id: "optional_unwrap", takes: [listOfType(optional(v))], gives: list(v) }, presentOf)],
  },
  {
    name: "unwrapOpt",
    overloads: [
      method({ id: "optional_unwrapOpt", takes: [listOfType(optional(v))], gives: list(v) }, presentOf),
    ],
  },
  {
    name: "first",
    overloads: [
      method({ id: "list_first", takes: [listOfType(v)], gives: optional(v) }, (items) =>
        items.size === 0 ? none : new Optional(items.at(0)),
      ),
    ],
  },
  {
    name: "last",
    overloads: [
      method({ id: "list_last", takes: [listOfType(v)], gives: optional(v) }, (items) =>
        items.size === 0 ? none : new Optional(items.at(items.size - 1)),
      ),
    ],
  },
];
