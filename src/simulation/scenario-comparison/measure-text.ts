import { formatDuration } from "../../api/duration.ts";
import type { MeasureName } from "./run-measures.ts";
import type { Distribution } from "./distribution.ts";

/** With fewer seeds than this, the text shows the extremes instead of the outer tenths. */
const fewSeeds = 10;

/** A number of a measure for people: durations as `1m30s`, without fractions from a minute on; hours with two digits. */
export function measureText(name: MeasureName, value: number): string {
  if (name.endsWith("Seconds")) return durationText(value);
  if (name === "podHours") return value.toFixed(2).replace(/^-(?=0\.00$)/, "");
  return Number.isInteger(value) ? String(value) : value.toFixed(1);
}

/** A difference for people: with a sign unless it is zero. */
export function differenceText(name: MeasureName, value: number): string {
  const text = measureText(name, value);
  return value > 0 && Number.parseFloat(text) !== 0 ? `+${text}` : text;
}

/** A spread for people: `4 (2 … 6)`, the median and between what the seeds are; one number where these read the same. */
export function spreadText(
  name: MeasureName,
  spread: Distribution | undefined,
  textOf: (name: MeasureName, value: number) => string = measureText,
): string {
  if (spread === undefined) return "none";
  const { count, median, min, max, p10, p90 } = spread;
  const outer = count < fewSeeds ? [min, max] : [p10, p90];
  const middle = textOf(name, median);
  const [low = "", high = ""] = outer.map((each) => textOf(name, each));
  return low === middle && high === middle ? middle : `${middle} (${low} … ${high})`;
}

/** What the numbers in parentheses are. */
export function spreadMeaning(seeds: number): string {
  const meaning = seeds < fewSeeds ? "the lowest and the highest" : "the 10th and the 90th percentile";
  return `medians over the seeds (in parentheses ${meaning}); differences are taken seed by seed`;
}

function durationText(seconds: number): string {
  const stepMs = Math.abs(seconds) < 60 ? 1 : 1000;
  return formatDuration(Math.round((seconds * 1000) / stepMs) * stepMs);
}
