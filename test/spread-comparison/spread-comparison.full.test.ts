import { expect, test } from "vitest";
import { compareSpreads } from "./compare-spreads.ts";
import { clusterCount, writeGolden } from "./golden-table.ts";

test("default constraints and SelectorSpread spread as the golden table says, on every cluster", async () => {
  const all = Array.from({ length: clusterCount }, (_, index) => compareSpreads(index));
  await expect(writeGolden(all)).toMatchFileSnapshot("../golden/default-spread-vs-selector-spread.tsv");
});
