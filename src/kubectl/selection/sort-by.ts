import { compareText } from "../../api/compare-text.ts";
import type { JsonObject } from "../../api/json.ts";
import { parseQuantity, compareQuantities } from "../../api/quantity/quantity.ts";
import { failure } from "../command-failure.ts";
import { templateValues, valueText } from "../output/json-path.ts";
import { relaxedPath } from "../output/relaxed-path.ts";
import type { TableRow } from "../output/table.ts";

/** Objects in the order of `--sort-by`; in their own without it. */
export function sortedItems<T extends JsonObject>(items: readonly T[], path: string): readonly T[] {
  return path === "" ? items : sorted(items, (item) => item, path);
}

/** Rows of a table in the order of their objects. */
export function sortedRows(rows: readonly TableRow[], path: string): readonly TableRow[] {
  return path === "" ? rows : sorted(rows, (row) => row.object ?? {}, path);
}

function sorted<T>(items: readonly T[], objectOf: (item: T) => JsonObject, path: string): readonly T[] {
  const template = relaxedPath(path) ?? path;
  const keyed = items.map((item) => ({ item, key: templateValues(template, objectOf(item))[0] }));
  if (items.length > 0 && keyed.every(({ key }) => key === undefined))
    throw failure(`couldn't find any field with path ${JSON.stringify(template)} in the list of objects`);
  return keyed.toSorted((one, other) => compareValues(one.key, other.key)).map(({ item }) => item);
}

/** What is missing comes first; quantities are compared as amounts. */
function compareValues(one: unknown, other: unknown): number {
  const missing = [one, other].map((value) => value === undefined || value === null);
  if (missing.includes(true)) return Number(missing[1]) - Number(missing[0]);
  if (typeof one === "number" && typeof other === "number") return one - other;
  const [a, b] = [quantityOf(one), quantityOf(other)];
  if (a !== undefined && b !== undefined) return compareQuantities(a, b);
  return compareText(valueText(one), valueText(other));
}

const quantityOf = (value: unknown) => (typeof value === "string" ? parseQuantity(value) : undefined);
