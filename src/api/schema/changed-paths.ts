import { isJsonObject, type JsonObject } from "../json.ts";
import { equalMember, membersOf, semanticEqual } from "./semantic-equality.ts";
import type { Member } from "./shape.ts";

type Pair<T = unknown> = readonly [before: T, after: T];

/** Where two values of a type differ semantically, as deep as both have the same structure. */
export function changedPaths(type: string, pair: Pair, path: string): readonly string[] {
  if (semanticEqual(type, ...pair)) return [];
  if (!areObjects(pair)) return [path];
  const members = membersOf(type);
  return keysOf(pair).flatMap((key) =>
    changedMemberPaths(members?.get(key), [pair[0][key], pair[1][key]], `${path}.${key}`),
  );
}

function changedMemberPaths(member: Member | undefined, pair: Pair, path: string): readonly string[] {
  if (equalMember(member, ...pair)) return [];
  const { type = "", form = "single" } = member ?? {};
  if (form === "map" && areObjects(pair))
    return keysOf(pair).flatMap((key) => changedPaths(type, [pair[0][key], pair[1][key]], `${path}.${key}`));
  if (!areLists(pair)) return changedPaths(type, pair, path);
  const [before, after] = pair;
  return before.flatMap((item, index) => changedPaths(type, [item, after[index]], `${path}[${index}]`));
}

function areObjects(pair: Pair): pair is Pair<JsonObject> {
  return pair.every(isJsonObject);
}

/** Lists of different lengths are compared as a whole. */
function areLists(pair: Pair): pair is Pair<readonly unknown[]> {
  const [before, after] = pair;
  return Array.isArray(before) && Array.isArray(after) && before.length === after.length;
}

function keysOf(pair: Pair<JsonObject>): readonly string[] {
  return [...new Set(pair.flatMap((object) => Object.keys(object)))];
}
