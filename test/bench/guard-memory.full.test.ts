import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { memoryDifferences, readMemoryTable } from "../../bench/guard.ts";
import type { Counts } from "../../bench/guard-counts.ts";

test("a Pod costs as much memory as the committed table says (npm run bench -- guard --update)", () => {
  const words = ["--input-type=module", "--eval"];
  const program = `import { memoryCounts } from "./.build/bench/guard-memory.js"; console.log(JSON.stringify(memoryCounts()))`;
  const counts = JSON.parse(
    execFileSync(process.execPath, [...words, program], { encoding: "utf8" }),
  ) as Counts;
  expect(memoryDifferences(counts, readMemoryTable())).toEqual([]);
});
