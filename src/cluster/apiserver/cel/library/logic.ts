import { bool, int, list, map, optional, parameter } from "../types/cel-type.ts";
import { searchingList } from "../cost/cost-rule.ts";
import { areEqual } from "../values/equality.ts";
import {
  CelError,
  type CelList,
  type CelMap,
  type CelValue,
  isList,
  isMap,
  none,
  noSuchOverload,
  Optional,
  Uint,
} from "../values/cel-value.ts";
import {
  anything,
  type CelFunction,
  form,
  integer,
  listOfType,
  mapOfType,
  optionalOfType,
  type Parameter,
  truth,
} from "./overload.ts";

const a = parameter("A");
const b = parameter("B");
const key: Parameter = anything(a);

/** What evaluation does by itself: here are only its types. */
const evaluated = () => noSuchOverload;

/** Operators of the language that are no calculations. */
export const logicFunctions: readonly CelFunction[] = [
  { name: "_&&_", overloads: [form({ id: "logical_and", takes: [truth, truth], gives: bool }, evaluated)] },
  { name: "_||_", overloads: [form({ id: "logical_or", takes: [truth, truth], gives: bool }, evaluated)] },
  {
    name: "_?_:_",
    overloads: [form({ id: "conditional", takes: [truth, anything(a), anything(a)], gives: a }, evaluated)],
  },
  { name: "!_", overloads: [form({ id: "logical_not", takes: [truth], gives: bool }, (value) => !value)] },
  {
    name: "@not_strictly_false",
    overloads: [
      form({ id: "not_strictly_false", takes: [anything(bool)], gives: bool }, (it) => it !== false),
    ],
  },
  {
    name: "_[_]",
    overloads: [
      form({ id: "index_list", takes: [listOfType(a), anything(int)], gives: a }, itemAt),
      form({ id: "index_map", takes: [mapOfType(a, b), key], gives: b }, entryAt),
      form(
        {
          id: "optional_list_index_value",
          takes: [optionalOfType(list(a)), anything(int)],
          gives: optional(a),
        },
        optionalAt,
      ),
      form(
        { id: "optional_map_index_value", takes: [optionalOfType(map(a, b)), key], gives: optional(b) },
        optionalAt,
      ),
    ],
  },
  {
    name: "_[?_]",
    overloads: [
      form(
        { id: "list_optindex_optional_int", takes: [listOfType(a), integer], gives: optional(a) },
        optionalAt,
      ),
      form(
        {
          id: "optional_list_optindex_optional_int",
          takes: [optionalOfType(list(a)), integer],
          gives: optional(a),
        },
        optionalAt,
      ),
      form(
        { id: "map_optindex_optional_value", takes: [mapOfType(a, b), key], gives: optional(b) },
        optionalAt,
      ),
      form(
        {
          id: "optional_map_optindex_optional_value",
          takes: [optionalOfType(map(a, b)), key],
          gives: optional(b),
        },
        optionalAt,
      ),
    ],
  },
  {
    name: "@in",
    overloads: [
      form({ id: "in_list", takes: [anything(a), listOfType(a)], gives: bool, cost: searchingList }, isIn),
      form(
        { id: "in_map", takes: [key, mapOfType(a, b)], gives: bool },
        (name, members) => members.get(name) !== undefined,
      ),
    ],
  },
];

function isIn(value: CelValue, items: CelList): boolean {
  for (let index = 0; index < items.size; index += 1) if (areEqual(value, items.at(index))) return true;
  return false;
}

/** Returns a position as a number; `undefined` if it is none. */
function positionOf(index: CelValue): number | undefined {
  const plain = index instanceof Uint ? index.value : index;
  if (typeof plain === "bigint") return Number(plain);
  return typeof plain === "number" && Number.isInteger(plain) ? plain : undefined;
}

function itemAt(items: CelList, index: CelValue): CelValue {
  const position = positionOf(index);
  if (position === undefined) return noSuchOverload;
  if (position >= 0 && position < items.size) return items.at(position);
  // As a number, a large index differs from what was asked for.
  return new CelError(`index out of bounds: ${typeof index === "bigint" ? index : position}`);
}

function entryAt(members: CelMap, name: CelValue): CelValue {
  return members.get(name) ?? noSuchKey(name);
}

export function noSuchKey(key: CelValue): CelError {
  if (key instanceof Uint) return new CelError(`no such key: ${key.value}`);
  return new CelError(`no such key: ${typeof key === "object" ? "" : String(key)}`);
}

function optionalAt(from: CelValue, index: CelValue): CelValue {
  if (from instanceof Optional) return from.value === undefined ? none : optionalAt(from.value, index);
  if (isMap(from)) {
    const value = from.get(index);
    return value === undefined ? none : new Optional(value);
  }
  if (!isList(from)) return noSuchOverload;
  const position = positionOf(index);
  if (position === undefined || position < 0 || position >= from.size) return none;
  return new Optional(from.at(position));
}
