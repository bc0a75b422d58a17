import type { LabelSelector, ObjectMeta } from "../../../api/generated/meta-v1.ts";
import { humanDuration } from "../../../api/duration.ts";
import { compileLabelSelector } from "../../../api/labels/compile-label-selector.ts";
import { formatLabelSelection } from "../../../api/labels/label-selector.ts";
import { type Instant, parseTime } from "../../../api/time.ts";

export const noneText = "<none>";
export const unknown = "<unknown>";
export const unset = "<unset>";

/** Returns the number, 0 when it is absent. */
export function countOrZero(number: number | null | undefined): number {
  return number ?? 0;
}

/** Returns the text, empty when it is absent. */
export function textOrEmpty(text: string | null | undefined): string {
  return text ?? "";
}

/** Returns the text, or `<none>` without one. */
export function orNone(text: string | null | undefined): string {
  return textOrEmpty(text) || noneText;
}

/** Returns the text, or `<unknown>` without one. */
export function orUnknown(text: string | null | undefined): string {
  return textOrEmpty(text) || unknown;
}

/** Returns the text, or `<unset>` when it is absent; an empty text stays. */
export function orUnset(text: string | undefined): string {
  return text ?? unset;
}

/** Joins the first few texts and counts the rest. */
export function firstOf(texts: readonly string[], limit: number, separator = ","): string {
  const shown = texts.slice(0, limit).join(separator);
  return texts.length > limit ? `${shown} + ${texts.length - limit} more...` : shown;
}

/** Formats labels as `a=b,c=d`, sorted. */
export function labelMapText(labels: Readonly<Record<string, string>> | null | undefined): string {
  const pairs = Object.entries(labels ?? {}).map(([key, value]) => `${key}=${value}`);
  return orNone(pairs.sort().join(","));
}

/** Formats a label selector as the `-l` flag takes it. */
export function selectorText(selector: LabelSelector | null | undefined): string {
  const compiled = compileLabelSelector(selector, "");
  return compiled.ok ? orNone(formatLabelSelection(compiled.selection)) : "<invalid>";
}

/** Returns the age of an object, as kubectl prints it. */
export function ageOf(object: { readonly metadata: ObjectMeta }, now: Instant): string {
  return ageSince(parseTime(object.metadata.creationTimestamp), now);
}

/** Returns how long ago an instant was; `<unknown>` when there is none. */
export function ageSince(instant: Instant | undefined, now: Instant): string {
  return instant === undefined ? unknown : humanDuration(now - instant);
}
