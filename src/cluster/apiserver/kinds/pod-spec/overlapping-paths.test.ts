import * as fc from "fast-check";
import { expect, test } from "vitest";
import { overlappingPaths } from "./overlapping-paths.ts";

test.for([
  { name: "no paths", paths: [], want: [] },
  { name: "files beside each other", paths: ["a/b", "a/c", "a/bc", "ab"], want: [] },
  { name: "a path that comes three times", paths: ["a", "b", "a", "a"], want: [2, 3] },
  { name: "a directory after its files", paths: ["a/b", "a/c", "a"], want: [2] },
  { name: "files after their directory", paths: ["a", "a/b", "a-b", "a/c/d"], want: [1, 3] },
])("$name: $want overlap", ({ paths, want }) => {
  expect(overlappingPaths(paths)).toEqual(want);
});

test("the same paths overlap as when each is compared with all before it", () => {
  const path = fc.array(fc.constantFrom("a", "b", "-", ""), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(fc.array(path.map((names) => names.join("/"))), (paths) => {
      const isBelow = (one: string, other: string) => `${one}/`.startsWith(`${other}/`);
      const compared = paths.flatMap((one, index) =>
        paths.slice(0, index).some((other) => isBelow(one, other) || isBelow(other, one)) ? [index] : [],
      );
      expect(overlappingPaths(paths)).toEqual(compared);
    }),
  );
});
