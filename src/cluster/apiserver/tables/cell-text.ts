import { compileLabelSelector } from "../../../api/labels/compile-label-selector.ts";
import { formatLabelSelection } from "../../../api/labels/label-selector.ts";
import type { LabelSelector } from "../../../api/generated/meta-v1.ts";

export const none = "<none>";
export const unknown = "<unknown>";

/** A number that counts as zero while nobody has said it. */
export function countOf(number: number | null | undefined): number {
  return number ?? 0;
}

/** A text that is empty while nobody has said it. */
export function textOf(text: string | null | undefined): string {
  return text ?? "";
}

/** The text, or `<none>` in its place. */
export function orNone(text: string | null | undefined): string {
  return textOf(text) || none;
}

/** The text, or `<unknown>` in its place. */
export function orUnknown(text: string | null | undefined): string {
  return textOf(text) || unknown;
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
