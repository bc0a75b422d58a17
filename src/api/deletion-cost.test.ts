import { expect, test, describe } from "vitest";
import { parseDeletionCost, deletionCost } from "./deletion-cost.ts";
import { pod } from "../testing/pod.ts";

test.for([
  ["0", 0],
  ["10", 10],
  ["-1", -1],
  ["-0", 0],
  ["-05", -5],
  ["-2147483648", -2147483648],
  ["2147483647", 2147483647],
] as const)("a deletion cost of %s is read as %d", ([text, want]) => {
  expect(parseDeletionCost(text)).toBe(want);
});

test.for([
  "",
  "+10",
  "008",
  "00",
  "1.5",
  "1e3",
  " 5",
  "5 ",
  "1_000",
  "--1",
  "-",
  "abc",
  "2147483648",
  "-2147483649",
])("%j is no deletion cost", (text) => {
  expect(parseDeletionCost(text)).toBeUndefined();
});

describe("deletionCost", () => {
  test.for([
    ["0", 0],
    ["10", 10],
    ["-1", -1],
    ["-0", 0],
    ["-05", -5],
    ["-2147483648", -2147483648],
    ["2147483647", 2147483647],
  ] as const)("reads %j", ([text, want]) => {
    expect(deletionCost(pod("a", { deletionCost: text }))).toBe(want);
  });

  const words = ["", "+10", "008", "00", "1.5", "1e3", " 5", "5 ", "1_000", "--1", "-", "abc", "0x10", "5\n"];
  const outOfRange = ["2147483648", "-2147483649", "99999999999999999999"];
  test.for([...words, ...outOfRange])("takes %j for 0", (text) => {
    expect(deletionCost(pod("a", { deletionCost: text }))).toBe(0);
  });

  test("is 0 without the annotation", () => {
    expect(deletionCost(pod("a"))).toBe(0);
  });
});
