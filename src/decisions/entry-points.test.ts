import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const source = new URL("../", import.meta.url);

/** What a module imports when it runs: `import type` and `export type` are erased, a `type` within braces is not. */
const runtimeImport = /^(?:import|export)\s(?!type\s)[^;]*?from\s+"(\.[^"]+)";/gm;

/** The files that are loaded with a file, by their paths in `src`. */
function loadedWith(entry: string): ReadonlySet<string> {
  const loaded = new Set<string>();
  const pending = [new URL(entry, source).href];
  for (const file of pending) {
    if (loaded.has(file)) continue;
    loaded.add(file);
    for (const [, path = ""] of readFileSync(new URL(file), "utf8").matchAll(runtimeImport))
      pending.push(new URL(path, file).href);
  }
  return new Set([...loaded].map((file) => file.slice(source.href.length)));
}

const isSchema = (file: string) => file.startsWith("api/schema/") || file.startsWith("api/generated/");

test.for(["index.ts", "decisions/downscale/index.ts", "decisions/placement/index.ts"])(
  "%s loads no schema table and no layer above the decisions",
  (entry) => {
    const loaded = [...loadedWith(entry)].filter((file) => file !== "index.ts");
    expect(loaded.filter(isSchema)).toEqual([]);
    expect(loaded.filter((file) => !file.startsWith("api/") && !file.startsWith("decisions/"))).toEqual([]);
    expect(loaded.length).toBeGreaterThan(10);
  },
);

test("decisions/rollout compares templates by the schema table, which this test would see", () => {
  expect([...loadedWith("decisions/rollout/index.ts")].some(isSchema)).toBe(true);
});
