import { expect, test } from "vitest";
import { drawChart } from "./draw-chart.ts";
import { grid, rowsOf, spreadGrid, writeGolden } from "./golden-table.ts";
import { runStory, type StoryParameters, type StoryResult } from "./run-story.ts";

async function tell(tellings: readonly StoryParameters[]): Promise<readonly StoryResult[]> {
  const endings: StoryResult[] = [];
  for (const telling of tellings) endings.push(await runStory(telling));
  return endings;
}

test(
  "the story of the proposal ends as the golden tables say, in every telling",
  { timeout: 1_800_000 },
  async () => {
    const endings = await tell(grid());
    const spread = await tell(spreadGrid());
    await expect(writeGolden(endings)).toMatchFileSnapshot("../golden/logarithmic-scale-down.tsv");
    await expect(writeGolden(spread)).toMatchFileSnapshot("../golden/topology-aware-scale-down.tsv");
    await expect(drawChart(rowsOf(endings, spread))).toMatchFileSnapshot(
      "../../docs/measurements/logarithmic-scale-down.svg",
    );
  },
);
