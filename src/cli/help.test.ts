import { expect, test } from "vitest";
import type { Flag } from "./command.ts";
import { helpOf } from "./help.ts";

test.for<{ name: string; flag: Pick<Flag, "type" | "default">; want: string }>([
  {
    name: "with a default tells it",
    flag: { type: "string", default: "1" },
    want: "--f N  Numbers (default 1)",
  },
  { name: "without a default tells none", flag: { type: "string" }, want: "--f N  Numbers" },
  {
    name: "that is empty by default tells none",
    flag: { type: "string", default: "" },
    want: "--f N  Numbers",
  },
  {
    name: "that is off by default tells none",
    flag: { type: "boolean", default: false },
    want: "--f  Numbers",
  },
])("a flag $name", ({ flag, want }) => {
  const flags = { f: { ...flag, value: "N", help: "Numbers" } };
  const help = helpOf({ name: "count", summary: "Count.", flags, run: async () => 0 });
  expect(help.split("\n").at(-1)?.trim()).toBe(want);
});
