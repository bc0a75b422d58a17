import { expect, test } from "vitest";
import { formatFieldPath } from "./field-path.ts";

test.for([
  { path: [], want: "" },
  { path: ["spec"], want: "spec" },
  { path: ["spec", "containers", 0, "env", 12, "name"], want: "spec.containers[0].env[12].name" },
  { path: ["metadata", "labels", "example.com/a"], want: "metadata.labels.example.com/a" },
])("$path is $want", ({ path, want }) => {
  expect(formatFieldPath(path)).toBe(want);
});
