import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import path from "node:path";
import { expect, test } from "vitest";
import { kinds } from "./kinds.ts";
import { runFile } from "./run-file.ts";

const folder = path.dirname(fileURLToPath(import.meta.url));
const files = readdirSync(folder).filter((name) => name.endsWith(".json"));

test.for(files)("every case of %s holds", (name) => {
  const { passed, failures } = runFile(path.join(folder, name));
  expect(failures.slice(0, 5)).toEqual([]);
  expect(passed).toBeGreaterThan(0);
});

test("an unknown kind is a failure that names the known ones", () => {
  const { failures } = runFile(path.join(folder, "fixtures", "unknown-kind.json"));
  expect(failures).toEqual([
    `unknown-kind.json: unknown kind "tea-leaves"; known: ${Object.keys(kinds).join(", ")}`,
  ]);
});
