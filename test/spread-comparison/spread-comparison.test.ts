import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { compareSpreads } from "./compare-spreads.ts";
import { clusterCount, meanOf, readGolden, summaryTable } from "./golden-table.ts";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const read = (file: string) => readFileSync(path.join(root, file), "utf8");
const golden = readGolden(read("test/golden/default-spread-vs-selector-spread.tsv"));

test("the golden table has every cluster", () => {
  expect(golden).toHaveLength(clusterCount);
});

// The full suite computes all of them.
test.for([0, 51, 102, 153, 204, 255, 306, 357, 408, 459])(
  "cluster %i is spread as the golden table says",
  (index) => {
    expect(compareSpreads(index)).toEqual(golden[index]);
  },
);

test("default constraints leave zones at most one Pod more uneven than SelectorSpread, on average", () => {
  const defaults = meanOf(golden.map((each) => each.defaults.zone));
  const selectorSpread = meanOf(golden.map((each) => each.selectorSpread.zone));
  expect(defaults).toBeLessThanOrEqual(selectorSpread + 1);
});

test("the documentation shows the golden table", () => {
  const words = (text: string) => text.replaceAll(/[\s-]+/g, " ");
  expect(words(read("docs/measurements/default-spread-vs-selector-spread.md"))).toContain(
    words(summaryTable(golden)),
  );
});
