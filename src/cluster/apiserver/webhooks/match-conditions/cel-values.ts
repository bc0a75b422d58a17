import type { Json } from "../../../../api/json.ts";
import type { ValueSizes } from "./expression-cost.ts";

/** A value in CEL; whole numbers have its type int. */
export type CelValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | readonly CelValue[]
  | ReadonlyMap<string, CelValue>;

/** Values and their sizes. */
export interface SizedValues {
  readonly value: CelValue;
  readonly sizes: ValueSizes;
}

/** Converts JSON for CEL; objects become maps, whose keys can be anything, `constructor` included. */
export function celValueOf(json: Json): SizedValues {
  const sizes = { values: 0, longestList: 0, longestText: 0 };
  return { value: converted(json, sizes), sizes };
}

type Counting = { -readonly [Key in keyof ValueSizes]: ValueSizes[Key] };

function converted(json: Json, sizes: Counting): CelValue {
  sizes.values += 1;
  if (typeof json === "number") return Number.isSafeInteger(json) ? BigInt(json) : json;
  if (typeof json === "string") sizes.longestText = Math.max(sizes.longestText, json.length);
  return typeof json === "object" && json !== null ? convertedMembers(json, sizes) : json;
}

function convertedMembers(json: object, sizes: Counting): CelValue {
  if (Array.isArray(json)) {
    sizes.longestList = Math.max(sizes.longestList, json.length);
    return json.map((each) => converted(each as Json, sizes));
  }
  const members = new Map<string, CelValue>();
  for (const [name, member] of Object.entries(json) as [string, Json | undefined][]) {
    if (member !== undefined) members.set(name, converted(member, sizes));
  }
  sizes.longestList = Math.max(sizes.longestList, members.size);
  return members;
}

/** Returns the sizes of several values together. */
export function sizesOfAll(all: readonly ValueSizes[]): ValueSizes {
  return {
    values: all.reduce((sum, { values }) => sum + values, 0),
    longestList: Math.max(0, ...all.map(({ longestList }) => longestList)),
    longestText: Math.max(0, ...all.map(({ longestText }) => longestText)),
  };
}
