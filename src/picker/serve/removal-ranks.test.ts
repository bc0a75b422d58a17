import { expect, test } from "vitest";
import type { PodScore } from "./evaluate-rule.ts";
import { removalRanks } from "./removal-ranks.ts";

const scored = (pod: string, score: number, isProtected = false): PodScore => ({ pod, score, isProtected });

test("Pods go by their scores, and equal ones are equal", () => {
  const ranks = removalRanks([
    scored("busy", 7),
    scored("first", -Infinity),
    scored("idle", 0),
    scored("also-idle", 0),
    scored("last", Infinity),
  ]);
  expect(Object.fromEntries(ranks)).toEqual({ first: 0, idle: 1, "also-idle": 1, busy: 2, last: 3 });
});

test("protected Pods come behind all others, in the order of their scores", () => {
  const ranks = removalRanks([scored("held", 2, true), scored("unread", 0, true), scored("free", 9)]);
  expect(Object.fromEntries(ranks)).toEqual({ free: 0, unread: 1, held: 2 });
});
