import { expect, test } from "vitest";
import { fillAbsent, fillEmpty, mapItems, mapMember, withMember } from "./filling.ts";

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
  const full = thing({ name: "y", count: 2 });
  expect(fillEmpty(full, { name: "x", count: 1 })).toBe(full);
  expect(mapMember(full, "name", (name) => name)).toBe(full);
  expect(mapItems(full, "items", (item) => item)).toBe(full);
});

test("mapItems maps each item and nothing else", () => {
  expect(mapItems(thing({ name: "y", items: [1, 2] }), "items", (item: number) => item + 1)).toEqual({
    name: "y",
    items: [2, 3],
  });
});

test("withMember of undefined leaves no trace of the member", () => {
  expect(Object.keys(withMember(thing({ name: "y", count: 2 }), "count", undefined))).toEqual(["name"]);
});
