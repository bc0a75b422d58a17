import { expect, test } from "vitest";
import { compareVersions } from "./versions.ts";

test("versions are sorted by their numbers; a candidate is before its release, and names come first", () => {
  const sorted = ["next", "0.9.0", "0.10.0-rc.1", "0.10.0", "1.0.0"];
  expect([...sorted].reverse().sort(compareVersions)).toEqual(sorted);
});
