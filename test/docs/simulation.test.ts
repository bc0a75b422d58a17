import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { invariants } from "../chaos/invariants/invariants.ts";

test("docs/simulation.md lists every invariant with its description, and no other", () => {
  const page = readFileSync(new URL("../../docs/simulation.md", import.meta.url), "utf8");
  const listed = [...page.matchAll(/^\| `([a-z-]+)` +\| (.*?) +\|$/gm)].map(([, name, description]) => ({
    name,
    description,
  }));
  const known = invariants.map(({ name, description }) => ({ name, description }));
  expect(new Set(listed)).toEqual(new Set(known));
});
