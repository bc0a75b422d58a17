import { compareText } from "../../api/compare-text.ts";
import { humanDuration } from "../../api/duration.ts";
import type { Json, JsonObject } from "../../api/json.ts";
import { canonicalQuantity } from "../../api/quantity/format-quantity.ts";
import { formatRfc1123, parseTime } from "../../api/time.ts";
import { lastAppliedAnnotation } from "../../api/well-known.ts";
import { at, listAt, mapAt, textAt } from "../selection/kube-object.ts";

/** Lines of a description, whose cells tabs separate. */
export type Lines = readonly string[];

type Texts = Readonly<Record<string, string>>;

export const byKey = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]) =>
  compareText(one, other);

/** A title with values below each other; `<none>` without any. */
export function titled(title: string, values: readonly string[], indent = ""): Lines {
  if (values.length === 0) return [`${indent}${title}:\t<none>`];
  return values.map((value, index) => (index === 0 ? `${indent}${title}:\t${value}` : `${indent}\t${value}`));
}

/** Labels, or another map: one pair on each line. */
export function pairLines(title: string, pairs: Texts, indent = ""): Lines {
  return titled(title, sortedPairs(pairs), indent);
}

export function sortedPairs(pairs: Texts): readonly string[] {
  return Object.entries(pairs)
    .toSorted(byKey)
    .map(([key, value]) => `${key}=${value}`);
}

/** A map in one line. */
export function pairsText(pairs: Texts): string {
  const sorted = sortedPairs(pairs);
  return sorted.length === 0 ? "<none>" : sorted.join(",");
}

const longestAnnotation = 140;

/** Annotations; long ones below their key, and cut. */
export function annotationLines(title: string, annotations: Texts): Lines {
  const shown = Object.entries(annotations)
    .filter(([key]) => key !== lastAppliedAnnotation)
    .toSorted(byKey);
  return titled(
    title,
    shown.flatMap(([key, given]) => annotationText(key, given)),
  );
}

function annotationText(key: string, given: string): Lines {
  const value = given.replace(/\n$/, "");
  const isLong = value.length + key.length + 2 > longestAnnotation || value.includes("\n");
  if (!isLong) return [`${key}: ${value}`];
  return [`${key}:`, ...value.split("\n").map((line) => `  ${shortened(line, longestAnnotation - 2)}`)];
}

const shortened = (text: string, length: number) =>
  text.length > length ? `${text.slice(0, length)}...` : text;

/** A timestamp as descriptions show it. */
export function describedTime(value: Json | undefined): string {
  const instant = parseTime(typeof value === "string" ? value : undefined);
  return instant === undefined ? "Mon, 01 Jan 0001 00:00:00 +0000" : formatRfc1123(instant);
}

/** How long ago a timestamp was. */
export function sinceText(value: Json | undefined, now: number): string {
  const instant = parseTime(typeof value === "string" ? value : undefined);
  return instant === undefined ? "<unknown>" : humanDuration(now - instant);
}

/** Name, namespace, labels and annotations: what most descriptions begin with. */
export function headLines(object: JsonObject): Lines {
  return [...nameLines(object), ...metadataLines(object)];
}

export function nameLines(object: JsonObject): Lines {
  return [
    `Name:\t${textAt(object, "metadata", "name")}`,
    `Namespace:\t${textAt(object, "metadata", "namespace")}`,
  ];
}

export function metadataLines(object: JsonObject): Lines {
  return [
    ...pairLines("Labels", mapAt(object, "metadata", "labels")),
    ...annotationLines("Annotations", mapAt(object, "metadata", "annotations")),
  ];
}

/** The controller of an object, in a line. */
export function controllerLines(object: JsonObject): Lines {
  const owner = listAt(object, "metadata", "ownerReferences").find(({ controller }) => controller === true);
  return owner === undefined ? [] : [`Controlled By:\t${textAt(owner, "kind")}/${textAt(owner, "name")}`];
}

/** A line for a value, if there is one. */
export function optional(title: string, value: Json | undefined): Lines {
  return value === undefined || value === null || value === "" ? [] : [`${title}:\t${textAt(value)}`];
}

/** An amount in its canonical form; zero for none. */
export function amountText(value: Json | undefined): string {
  return typeof value === "string" || typeof value === "number"
    ? (canonicalQuantity(value) ?? String(value))
    : "0";
}

/** `True` or `False`. */
export const boolText = (value: Json | undefined): string => (value === true ? "True" : "False");

/** A selector in the form of the API, with its expressions. */
export function describedSelector(selector: Json | undefined): string {
  const expressions = listAt(selector, "matchExpressions").map(expressionText);
  const all = [...sortedPairs(mapAt(selector, "matchLabels")), ...expressions];
  return all.length === 0 ? "<none>" : all.join(",");
}

function expressionText(expression: JsonObject): string {
  const [key, operator] = [textAt(expression, "key"), textAt(expression, "operator")];
  const values = (at(expression, "values") ?? []) as readonly string[];
  if (operator === "Exists") return key;
  if (operator === "DoesNotExist") return `!${key}`;
  return `${key} ${operator.toLowerCase()} (${[...values].toSorted(compareText).join(",")})`;
}
