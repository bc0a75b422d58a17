import { expect, test } from "vitest";
import { contentsAfter } from "./linearizability.ts";
import type { Answer, Operation, Request } from "./operation.ts";

/** An operation on the one object, from one instant to another. */
const operation = (
  [sentAt, answeredAt]: readonly [number, number],
  request: Request,
  answer: Answer,
): Operation => ({ client: "client", key: "key", sentAt, answeredAt, request, answer });

const done: Answer = { kind: "done" };
const lost: Answer = { kind: "unknown", because: "killed" };
const never = Number.POSITIVE_INFINITY;
const create = (content: string): Request => ({ verb: "create", content });
const update = (from: string, content: string): Request => ({ verb: "update", from, content });
const remove: Request = { verb: "delete" };
const get: Request = { verb: "get" };
const read = (content?: string): Answer => ({ kind: "read", content });

test.for([
  { name: "nothing happened", operations: [], want: ["-"] },
  { name: "an acknowledged write is left", operations: [operation([1, 2], create("a"), done)], want: ["a"] },
  {
    name: "a write without an answer is left or not",
    operations: [operation([1, never], create("a"), lost)],
    want: ["-", "a"],
  },
  {
    name: "what was seen of a write that is not acknowledged may be lost",
    operations: [operation([1, never], create("a"), lost), operation([2, 3], get, read("a"))],
    want: ["-", "a"],
  },
  {
    name: "a read that goes back in one process is wrong",
    operations: [
      operation([1, never], create("a"), lost),
      operation([2, 3], get, read("a")),
      operation([4, 5], get, read()),
    ],
    want: [],
  },
  {
    name: "concurrent reads may be in either order",
    operations: [
      operation([1, 6], create("a"), done),
      operation([2, 4], get, read("a")),
      operation([3, 5], get, read()),
    ],
    want: ["a"],
  },
  {
    name: "two updates of one version cannot both succeed",
    operations: [
      operation([1, 2], create("a"), done),
      operation([3, 5], update("a", "b"), done),
      operation([4, 6], update("a", "c"), done),
    ],
    want: [],
  },
  {
    name: "a conflict needs another write",
    operations: [
      operation([1, 2], create("a"), done),
      operation([3, 4], update("a", "b"), { kind: "conflict" }),
    ],
    want: [],
  },
  {
    name: "a conflict with a write that got no answer is right, and both are left",
    operations: [
      operation([1, 2], create("a"), done),
      operation([3, never], update("a", "c"), lost),
      operation([4, 5], update("a", "b"), { kind: "conflict" }),
    ],
    want: ["a", "c"],
  },
  {
    name: "a write after one without an answer keeps that one",
    operations: [
      operation([1, 2], create("a"), done),
      operation([3, never], update("a", "b"), lost),
      operation([4, 5], update("b", "c"), done),
    ],
    want: ["c"],
  },
  {
    name: "a deletion that found nothing needs one before it",
    operations: [
      operation([1, 2], create("a"), done),
      operation([3, 6], remove, done),
      operation([4, 5], remove, { kind: "not-found" }),
    ],
    want: ["-"],
  },
  {
    name: "an object cannot be created twice",
    operations: [operation([1, 2], create("a"), done), operation([3, 4], create("b"), done)],
    want: [],
  },
])("$name", ({ operations, want }) => {
  const after = contentsAfter(operations, new Set([undefined]));
  expect([...after].map((content) => content ?? "-").sort()).toEqual(want);
});

test("an acknowledged write that is missing after a kill explains no later read", () => {
  const left = contentsAfter([operation([1, 2], create("a"), done)], new Set([undefined]));
  expect(contentsAfter([operation([3, 4], get, read())], left)).toEqual(new Set());
});

test("two hundred operations that overlap in pairs are searched at once", () => {
  const operations = Array.from({ length: 200 }, (_, index) =>
    operation(
      [index * 2, index * 2 + 3],
      index === 0 ? create("v0") : update(`v${index - 1}`, `v${index}`),
      done,
    ),
  );
  expect([...contentsAfter(operations, new Set([undefined]))]).toEqual(["v199"]);
});
