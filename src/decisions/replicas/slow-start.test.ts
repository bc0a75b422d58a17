import { expect, test } from "vitest";
import { slowStart } from "./slow-start.ts";

test.for([
  { name: "nothing in no batch", count: 0, want: [] },
  { name: "one alone", count: 1, want: [1] },
  { name: "ten in batches that double, the last with what is left", count: 10, want: [1, 2, 4, 3] },
  { name: "five hundred in nine batches", count: 500, want: [1, 2, 4, 8, 16, 32, 64, 128, 245] },
])("slowStart creates $name", ({ count, want }) => {
  expect(slowStart(count)).toEqual(want);
});
