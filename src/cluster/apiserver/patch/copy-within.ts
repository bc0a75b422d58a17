import { isJsonObject, type Json } from "../../../api/json.ts";
import { deepestNesting } from "../../../api/parse-json.ts";
import { isList } from "./patch-safety.ts";

/** A copy and about how many bytes it takes as JSON. */
export interface BoundedCopy {
  readonly value: Json;
  readonly bytes: number;
}

/**
 * Copies a value if it fits into a budget, and stops looking as soon as it does not.
 * A real copy, because two places sharing one value would change together under a draft.
 */
export function copyWithin(value: Json, budgetBytes: number): BoundedCopy | undefined {
  const spend = { left: budgetBytes };
  const copied = copyValue(value, spend, 0);
  return spend.left < 0 ? undefined : { value: copied, bytes: budgetBytes - spend.left };
}

interface Spend {
  left: number;
}

function copyValue(value: Json, spend: Spend, depth: number): Json {
  spend.left -= ownBytes(value);
  if (depth >= deepestNesting) spend.left = -1;
  if (spend.left < 0) return null;
  if (isList(value)) return value.map((each) => copyValue(each, spend, depth + 1));
  if (!isJsonObject(value)) return value;
  const copy: Record<string, Json> = {};
  for (const [key, member] of Object.entries(value)) {
    if (spend.left < 0) break;
    spend.left -= key.length + 4;
    if (member !== undefined) copy[key] = copyValue(member, spend, depth + 1);
  }
  return copy;
}

function ownBytes(value: Json): number {
  return typeof value === "string" ? value.length + 3 : 4;
}
