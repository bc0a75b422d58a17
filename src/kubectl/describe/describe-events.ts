import type { JsonObject } from "../../api/json.ts";
import { alignColumns, detailSpacing } from "../output/align-columns.ts";
import { at, numberAt, textAt } from "../selection/kube-object.ts";
import { type Lines, sinceText } from "./describe-lines.ts";

/** The text of a description, with its events in columns of their own. */
export function describedText(lines: Lines, events: readonly JsonObject[] | undefined, now: number): string {
  if (events === undefined) return `${aligned(lines)}\n`;
  if (events.length === 0) return `${aligned([...lines, "Events:\t<none>"])}\n`;
  return `${aligned(lines)}\n${aligned(eventLines(events, now))}\n`;
}

const aligned = (lines: Lines) => alignColumns(lines.join("\n"), detailSpacing);

function eventLines(events: readonly JsonObject[], now: number): Lines {
  const rows = [...events]
    .toSorted((one, other) => timeOf(one).localeCompare(timeOf(other)))
    .map((event) => eventLine(event, now));
  return ["Events:", "  Type\tReason\tAge\tFrom\tMessage", "  ----\t------\t----\t----\t-------", ...rows];
}

/** By which events are sorted. */
const timeOf = (event: JsonObject) => textAt(event, "lastTimestamp");

function eventLine(event: JsonObject, now: number): string {
  const source = textAt(event, "source", "component") || textAt(event, "reportingComponent");
  const cells = [
    textAt(event, "type"),
    textAt(event, "reason"),
    intervalText(event, now),
    source,
    textAt(event, "message").trim(),
  ];
  return `  ${cells.join("\t")}`;
}

/** How long ago an event was, and how often. */
export function intervalText(event: JsonObject, now: number): string {
  const first = sinceText(at(event, "eventTime") ?? at(event, "firstTimestamp"), now);
  const series = at(event, "series");
  if (series !== undefined && series !== null)
    return `${sinceText(at(series, "lastObservedTime"), now)} (x${numberAt(series, "count") ?? 0} over ${first})`;
  const count = numberAt(event, "count") ?? 0;
  return count > 1 ? `${sinceText(at(event, "lastTimestamp"), now)} (x${count} over ${first})` : first;
}
