import { comparingLists } from "../cost/cost-rule.ts";
import { bool, parameter } from "../types/cel-type.ts";
import { type CelList, itemsOf } from "../values/cel-value.ts";
import { areEqual } from "../values/equality.ts";
import { type CelFunction, form, listOfType } from "./overload.ts";

const items = listOfType(parameter("T"));

function contains(all: CelList, some: CelList): boolean {
  const members = itemsOf(all);
  return itemsOf(some).every((item) => members.some((each) => areEqual(each, item)));
}

/** The library of sets, which are lists whose order and repetitions do not count. */
export const setFunctions: readonly CelFunction[] = [
  {
    name: "sets.contains",
    overloads: [
      form(
        { id: "list_sets_contains_list", takes: [items, items], gives: bool, cost: comparingLists(1) },
        contains,
      ),
    ],
  },
  {
    name: "sets.equivalent",
    overloads: [
      form(
        { id: "list_sets_equivalent_list", takes: [items, items], gives: bool, cost: comparingLists(2) },
        (left, right) => contains(left, right) && contains(right, left),
      ),
    ],
  },
  {
    name: "sets.intersects",
    overloads: [
      form(
        { id: "list_sets_intersects_list", takes: [items, items], gives: bool, cost: comparingLists(1) },
        (left, right) => itemsOf(left).some((item) => itemsOf(right).some((each) => areEqual(each, item))),
      ),
    ],
  },
];
