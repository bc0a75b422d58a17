import type { LabelSelector, ObjectMeta } from "../../../api/generated/meta-v1.ts";
import { humanDuration } from "../../../api/duration.ts";
import { compileLabelSelector } from "../../../api/labels/compile-label-selector.ts";
import { formatLabelSelection } from "../../../api/labels/label-selector.ts";
import { type Instant, parseTime } from "../../../api/time.ts";

export const noneText = "<none>";
export const unknown = "<unknown>";
export const unset = "<unset>";

/** A number, 0 when absent. */
export function countOrZero(number: number | null | undefined): number {
  return number ?? 0;
}

/** A text, empty when absent. */
export function textOrEmpty(text: string | null | undefined): string {
  return text ?? "";
}

/** The text, or `<none>` in its place. */
export function orNone(text: string | null | undefined): string {
  return textOrEmpty(text) || noneText;
}

/** The text, or `<unknown>` in its place. */
export function orUnknown(text: string | null | undefined): string {
  return textOrEmpty(text) || unknown;
}

/** The text, or `<unset>` if there is none; an empty one stays. */
export function orUnset(text: string | undefined): string {
  return text ?? unset;
}

/** Joins the first few texts and counts the rest. */
export function firstOf(texts: readonly string[], limit: number, separator = ","): string {
  const shown = texts.slice(0, limit).join(separator);
  return texts.length > limit ? `${shown} + ${texts.length - limit} more...` : shown;
}

/** A label map as `a=b,c=d`, sorted. */
export function labelMapText(labels: Readonly<Record<string, string>> | null | undefined): string {
  const pairs = Object.entries(labels ?? {}).map(([key, value]) => `${key}=${value}`);
  return orNone(pairs.sort().join(","));
}

/** A label selector the way `-l` takes it. */
export function selectorText(selector: LabelSelector | null | undefined): string {
  const compiled = compileLabelSelector(selector, "");
  return compiled.ok ? orNone(formatLabelSelection(compiled.selection)) : "<invalid>";
}

/** The age of an object, as kubectl prints it. */
export function ageOf(object: { readonly metadata: ObjectMeta }, now: Instant): string {
  return ageSince(parseTime(object.metadata.creationTimestamp), now);
}

/** How long ago an instant was; `<unknown>` when there is none. */
export function ageSince(instant: Instant | undefined, now: Instant): string {
  return instant === undefined ? unknown : humanDuration(now - instant);
}
