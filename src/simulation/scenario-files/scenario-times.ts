import { parseDuration } from "../../api/duration.ts";
import type { AssertionDocument, EventDocument, ScenarioDocument } from "./scenario-document.ts";

const afterLastEventMs = 10 * 60_000;

/** A duration of a validated scenario, in milliseconds. */
export function millisecondsOf(text: string): number {
  return parseDuration(text) ?? 0;
}

/** When an event happens, in milliseconds from the beginning: once, or again and again. */
export function timesOf({ at, every, times }: EventDocument): readonly number[] {
  const first = millisecondsOf(at);
  if (every === undefined) return [first];
  return Array.from({ length: times ?? 1 }, (_, index) => first + index * millisecondsOf(every));
}

/** How long a scenario runs, in milliseconds. */
export function scenarioDuration({ duration, events = [], assertions = [] }: ScenarioDocument): number {
  if (duration !== undefined) return millisecondsOf(duration);
  const moments = [...events.map((event) => timesOf(event).at(-1) ?? 0), ...assertions.map(lastMomentOf)];
  return moments.reduce((last, moment) => Math.max(last, moment), 0) + afterLastEventMs;
}

function lastMomentOf({ from, until, at, complete }: AssertionDocument): number {
  const start = millisecondsOf(from ?? "0");
  return Math.max(
    start + millisecondsOf(complete?.within ?? "0"),
    millisecondsOf(until ?? "0"),
    at === undefined || at === "end" ? 0 : millisecondsOf(at),
  );
}
