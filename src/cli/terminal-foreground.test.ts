import { expect, test } from "vitest";
import { isForegroundGroup } from "./terminal-foreground.ts";

test.for([
  ["in front of its terminal", "41 (node) S 40 41 12 34816 41 4194304 1", true],
  ["in the background", "41 (node) S 40 41 12 34816 12 4194304 1", false],
  ["without a terminal", "41 (node) S 40 41 12 0 -1 4194304 1", false],
  ["with a name that looks like fields", "41 (a) S 1 2 3 4 2 (b)) S 40 41 12 34816 12 4194304 1", false],
] as const)("a process %s", ([, stat, want]) => {
  expect(isForegroundGroup(stat)).toBe(want);
});
