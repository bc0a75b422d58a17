import { expect, test } from "vitest";
import { nearestName } from "./nearest-name.ts";

test.for([
  { typed: "contollers", want: "controllers" },
  { typed: "controllres", want: "controllers" },
  { typed: "pu", want: "up" },
  { typed: "upp", want: "up" },
  { typed: "control", want: "controllers" },
  { typed: "examples", want: "example" },
  { typed: "verison", want: "version" },
  { typed: "apply", want: undefined },
  { typed: "x", want: undefined },
  { typed: "", want: undefined },
])("$typed is taken for $want", ({ typed, want }) => {
  expect(nearestName(typed, ["up", "controllers", "example", "version"])).toBe(want);
});
