import { expect, test } from "vitest";
import type { JsonObject } from "../../src/api/json.ts";
import { pickerSentence } from "./picker-sentence.ts";

const asked = { requested: 2, candidates: 5 };

test.for<{ picker: JsonObject; want: string }>([
  { picker: { outcome: "NotNeeded" }, want: "The pod picker was not asked: the rules above it decide." },
  {
    picker: { outcome: "Ranked", asked, answered: { chosen: 2, tied: 0 } },
    want: "The pod picker was asked to choose 2 of 5 Pods and chose 2: its choice goes first.",
  },
  {
    picker: { outcome: "Ranked", asked, answered: { chosen: 3, tied: 3 } },
    want: "The pod picker was asked to choose 2 of 5 Pods and chose 3, 3 of them tied: its choice goes first.",
  },
  {
    picker: { outcome: "Empty", asked },
    want: "The pod picker was asked to choose 2 of 5 Pods and chose none: the rules decide.",
  },
  {
    picker: { outcome: "Failed", asked, class: "Timeout" },
    want: "The pod picker was asked to choose 2 of 5 Pods and gave no answer that can be used (Timeout): the rules decide.",
  },
])("$picker.outcome: $want", ({ picker, want }) => {
  expect(pickerSentence(picker)).toBe(want);
});
