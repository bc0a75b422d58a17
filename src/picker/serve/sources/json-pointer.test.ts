import { expect, test } from "vitest";
import { valueAt } from "./json-pointer.ts";

const document = { queue: { length: 3, "a/b": 1, "m~n": 2, "": 0 }, list: [5, [6]] };

test.for([
  ["", document],
  ["/queue/length", 3],
  ["/queue/a~1b", 1],
  ["/queue/m~0n", 2],
  ["/queue/", 0],
  ["/list/0", 5],
  ["/list/1/0", 6],
  ["/list/01", undefined],
  ["/list/-", undefined],
  ["/list/length", undefined],
  ["/queue/length/x", undefined],
  ["/constructor", undefined],
  ["/queue/__proto__", undefined],
] as const)("%j leads to %j", ([pointer, want]) => {
  expect(valueAt(document, pointer)).toEqual(want);
});
