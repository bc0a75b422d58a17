import { expect, test } from "vitest";
import { runAndReport } from "../../src/simulation/run-and-report.ts";
import { runsFrom } from "./choose-runs.ts";
import { replayCommand } from "./summary.ts";

/** So many stories, every one of which has to keep all promises; a test tells ten of them. */
export function describeRuns(first: number, count: number): void {
  for (let from = first; from < first + count; from += 10) {
    test(`all promises are kept in stories ${from} to ${from + 9}`, async () => {
      for (const story of runsFrom(from, 10)) {
        const { violation, error } = await runAndReport(story);
        expect({ replay: replayCommand(story), violation, error }).toEqual({ replay: replayCommand(story) });
      }
    });
  }
}
