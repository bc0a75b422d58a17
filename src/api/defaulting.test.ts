import { expect, test } from "vitest";
import { eachItem, fillAbsent, fillEmpty, mapMembers, withMember } from "./defaulting.ts";

interface Thing {
  readonly name?: string;
  readonly count?: number;
  readonly items?: readonly number[];
}
const thing = (members: Thing): Thing => members;

test.for([
  { name: "fills what is not there", object: thing({}), want: { name: "x", count: 1 } },
  {
    name: "keeps an empty text and a zero",
    object: thing({ name: "", count: 0 }),
    want: { name: "", count: 0 },
  },
])("fillAbsent $name", ({ object, want }) => {
  expect(fillAbsent(object, { name: "x", count: 1 })).toEqual(want);
});

test("fillEmpty takes an empty text and a zero for absent", () => {
  expect(fillEmpty(thing({ name: "", count: 0 }), { name: "x", count: 1 })).toEqual({ name: "x", count: 1 });
});

test("an object that lacks nothing is handed back itself", () => {
  const full = thing({ name: "y", count: 2, items: [1] });
  expect(fillEmpty(full, { name: "x", count: 1 })).toBe(full);
  expect(mapMembers(full, { name: (name) => name, items: eachItem((item) => item) })).toBe(full);
});

test("mapMembers maps the members that are there", () => {
  const maps = { count: (count: number) => count + 1, items: eachItem((item: number) => item + 1) };
  expect(mapMembers(thing({ name: "y", items: [1, 2] }), maps)).toEqual({ name: "y", items: [2, 3] });
});

test("withMember of undefined leaves no trace of the member", () => {
  expect(Object.keys(withMember(thing({ name: "y", count: 2 }), "count", undefined))).toEqual(["name"]);
});
