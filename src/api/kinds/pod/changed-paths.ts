import { isJsonObject } from "../../json.ts";
import { sameValue } from "../same-value.ts";

/** Where two values differ, as deep as both have something to compare. */
export function changedPaths(before: unknown, after: unknown, path: string): readonly string[] {
  if (sameValue(before, after)) return [];
  if (isList(before) && isList(after) && before.length === after.length)
    return before.flatMap((item, index) => changedPaths(item, after[index], `${path}[${index}]`));
  if (!isJsonObject(before) || !isJsonObject(after)) return [path];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => changedPaths(before[key], after[key], `${path}.${key}`));
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}
