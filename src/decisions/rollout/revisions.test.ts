import { expect, test } from "vitest";
import { replicaSet } from "../../testing/index.ts";
import { lastRevision, nextRevision, raiseRevision, appendToHistory } from "./revisions.ts";

const revision = "deployment.kubernetes.io/revision";
const history = "deployment.kubernetes.io/revision-history";

function revisions(...texts: (string | undefined)[]) {
  return texts.map((text, index) => replicaSet(`web-${index}`, text === undefined ? {} : { revision: text }));
}

test.for([
  { name: "is 1 without old ReplicaSets", old: [], want: 1n },
  { name: "follows the highest", old: ["3", "7", "5"], want: 8n },
  { name: "skips what cannot be read", old: ["3", "seven", ""], want: 4n },
  { name: "counts no revision as 0", old: [undefined], want: 1n },
  { name: "ignores negative ones", old: ["-4"], want: 1n },
  { name: "is exact beyond 2^53", old: ["9007199254740993"], want: 9007199254740994n },
])("the next revision $name", ({ old, want }) => {
  expect(nextRevision(revisions(...old))).toBe(want);
});

test.for([
  { name: "is the second highest", all: ["1", "4", "3"], want: 3n },
  { name: "is the highest itself when two have it", all: ["4", "4", "1"], want: 4n },
  { name: "is 0 with only one", all: ["4"], want: 0n },
  { name: "is 0 without any", all: [], want: 0n },
])("the last revision $name", ({ all, want }) => {
  expect(lastRevision(revisions(...all))).toBe(want);
});

test.for([
  { name: "sets the first revision", before: {}, want: { [revision]: "5" } },
  { name: "keeps a higher one", before: { [revision]: "9" }, want: { [revision]: "9" } },
  { name: "keeps an equal one", before: { [revision]: "5" }, want: { [revision]: "5" } },
  {
    name: "remembers the one before",
    before: { [revision]: "2" },
    want: { [revision]: "5", [history]: "2" },
  },
  {
    name: "adds to what it remembers",
    before: { [revision]: "3", [history]: "1,2" },
    want: { [revision]: "5", [history]: "1,2,3" },
  },
  { name: "gives up on one that cannot be read", before: { [revision]: "two" }, want: undefined },
])("raiseRevision to 5 $name", ({ before, want }) => {
  expect(raiseRevision(before, 5n)).toEqual(want);
});

test.for([
  { name: "starts with one entry", before: "", add: "1", want: "1" },
  { name: "keeps two short entries within five characters", before: "1,2", add: "3", want: "1,2,3" },
  { name: "drops the oldest beyond five characters", before: "1,2,3", add: "4", want: "2,3,4" },
  { name: "drops as many as it takes", before: "1,2,3", add: "44444", want: "44444" },
  { name: "does not record what cannot fit", before: "1,2,3", add: "666666", want: "1,2,3" },
])("a history $name", ({ before, add, want }) => {
  expect(appendToHistory(before, add, 5)).toBe(want);
});

test("a history stays within 2000 characters", () => {
  const full = Array.from({ length: 400 }, (_, index) => String(1000 + index)).join(",");
  const next = appendToHistory(full, "1400");
  expect(full).toHaveLength(1999);
  expect(next).toHaveLength(1999);
  expect(next.endsWith(",1399,1400")).toBe(true);
  expect(next.startsWith("1001,")).toBe(true);
});
