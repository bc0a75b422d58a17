import { expect, test } from "vitest";
import { runAssignment } from "../../src/simulation/run-assignment.ts";
import { storiesFrom } from "./choose-stories.ts";
import { replayCommand } from "./summary.ts";

/** So many stories, every one of which has to keep all promises; a test tells ten of them. */
export function describeStories(first: number, count: number): void {
  for (let from = first; from < first + count; from += 10) {
    test(`all promises are kept in stories ${from} to ${from + 9}`, async () => {
      for (const story of storiesFrom(from, 10)) {
        const { breach, error } = await runAssignment(story);
        expect({ replay: replayCommand(story), breach, error }).toEqual({ replay: replayCommand(story) });
      }
    });
  }
}
