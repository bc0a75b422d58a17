import { expect, test } from "vitest";
import { drawChart } from "./draw-chart.ts";
import { grid, rowsOf, writeGolden } from "./golden-table.ts";
import { type StoryResult, runStory } from "./run-story.ts";

test(
  "the story of the proposal ends as the golden table says, in every telling",
  { timeout: 900_000 },
  async () => {
    const endings: StoryResult[] = [];
    for (const telling of grid()) endings.push(await runStory(telling));
    await expect(writeGolden(endings)).toMatchFileSnapshot("../golden/logarithmic-scale-down.tsv");
    await expect(drawChart(rowsOf(endings))).toMatchFileSnapshot("../../docs/logarithmic-scale-down.svg");
  },
);
