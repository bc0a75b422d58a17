import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { drawChart } from "./draw-chart.ts";
import { grid, readGolden, rowsOf, scaleDowns, summaryTable, unbroken } from "./golden-table.ts";
import { runStory } from "./run-story.ts";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const read = (file: string) => readFileSync(path.join(root, file), "utf8");
const golden = readGolden(read("test/golden/logarithmic-scale-down.tsv"));
const spreadGolden = readGolden(read("test/golden/topology-aware-scale-down.tsv"), { spreads: true });

describe("a ReplicaSet that shrinks after a zone has failed and come back", () => {
  const cases = scaleDowns(golden);

  test("has a zone without Pods, each time, when the gate is off", () => {
    const off = cases.filter(({ buckets }) => !buckets);
    expect(off.length).toBeGreaterThan(100);
    expect(off.filter(({ skew }) => skew !== unbroken)).toEqual([]);
  });

  // Later the ages are mixed: some of the young may share a bucket with the old and others not.
  test("has one as well when the young are in another bucket than the old", () => {
    const apart = cases.filter(
      ({ buckets, shared, ratio, round }) => buckets && !shared && (round === 0 || ratio <= 0.5),
    );
    expect(apart.length).toBeGreaterThan(100);
    expect(apart.filter(({ skew }) => skew !== unbroken)).toEqual([]);
  });

  test("has Pods in every zone when all ages share a bucket", () => {
    const together = cases.filter(({ buckets, shared }) => buckets && shared);
    expect(together.length).toBeGreaterThan(100);
    expect(together.filter(({ skew }) => skew >= unbroken)).toEqual([]);
  });

  test("never shares a bucket when the youngest are at most half as old as the oldest", () => {
    expect(cases.filter(({ ratio, shared }) => ratio <= 0.5 && shared)).toEqual([]);
  });

  test("has one Pod a node, so that nothing but time tells them apart", () => {
    expect(golden.filter(({ perNode }) => perNode !== 1)).toEqual([]);
  });
});

test("it has as many Pods in every zone when the spread decides, at every ratio and every time", () => {
  const cases = scaleDowns(spreadGolden);
  expect(cases).toHaveLength(scaleDowns(golden).length);
  expect(cases.filter(({ skew }) => skew > 0)).toEqual([]);
});

// The full suite tells all of them.
test.for([
  { ratio: 0.1, seed: 1 },
  { ratio: 0.6, seed: 2 },
  { ratio: 0.9, seed: 2 },
])("the story ends as the golden table says at $ratio, seed $seed", async ({ ratio, seed }) => {
  for (const buckets of [true, false]) {
    const known = golden.find(
      (each) => each.ratio === ratio && each.seed === seed && each.buckets === buckets,
    );
    expect(await runStory({ ratio, seed, buckets })).toEqual(known);
  }
  const even = spreadGolden.find((each) => each.ratio === ratio && each.seed === seed && each.buckets);
  expect(await runStory({ ratio, seed, buckets: true, spreads: true })).toEqual(even);
});

/** `TRIMTAB_DOCS=write` writes the table instead of comparing it. */
const isWriting = process.env["TRIMTAB_DOCS"] === "write";
const examined = "docs/measurements/logarithmic-scale-down-examined.md";

test("the golden table has every telling, and the documentation shows it", () => {
  if (isWriting) {
    const page = read(examined).replace(
      /^\| youngest \/ oldest .*(\n\|.*)*/m,
      summaryTable(golden, spreadGolden),
    );
    writeFileSync(path.join(root, examined), page);
  }
  const words = (text: string) => text.replaceAll(/[\s-]+/g, " ");
  expect(golden).toHaveLength(grid().length);
  expect(words(read(examined))).toContain(words(summaryTable(golden, spreadGolden)));
  expect(read("docs/measurements/logarithmic-scale-down.svg")).toBe(drawChart(rowsOf(golden, spreadGolden)));
});
