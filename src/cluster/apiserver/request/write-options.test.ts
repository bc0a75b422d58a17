import { expect, test } from "vitest";
import { writeOptionsOf } from "./write-options.ts";

test.for([
  {
    name: "a control character, at its position in bytes",
    fieldManager: "Zoë\u0007",
    want: /^CreateOptions.meta.k8s.io "" is invalid: fieldManager: Invalid value: .*: invalid character U\+0007 \(at position 4\)$/,
  },
  { name: "a space that is not that of ASCII", fieldManager: "a\u00A0b", want: /U\+00A0 \(at position 1\)/ },
  {
    name: "several such characters, each of which is named",
    fieldManager: "\t\n",
    want: /U\+0009 \(at position 0\).*U\+000A \(at position 1\)/s,
  },
  {
    name: "more than 128 bytes",
    fieldManager: "ë".repeat(65),
    want: /fieldManager: Too long: may not be more than 128 bytes/,
  },
])("a field manager with $name is refused", ({ fieldManager, want }) => {
  expect(() => writeOptionsOf({ fieldManager }, "CreateOptions")).toThrow(want);
});

test("a field manager may have any characters that can be printed", () => {
  expect(writeOptionsOf({ fieldManager: "Zoë Öztürk, ☃" }, "CreateOptions").dryRun).toBe(false);
});
