import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { invariants } from "../../src/simulation/invariants/invariants.ts";

test("docs/virtual-world.md lists every invariant with its promise, and no other", () => {
  const page = readFileSync(new URL("../../docs/virtual-world.md", import.meta.url), "utf8");
  const listed = [...page.matchAll(/^\| `([a-z-]+)` +\| (.*?) +\|$/gm)].map(([, name, promise]) => ({
    name,
    promise,
  }));
  const known = invariants.map(({ name, description }) => ({ name, promise: description }));
  expect(new Set(listed)).toEqual(new Set(known));
});
