import { isJsonObject, type JsonObject } from "../json.ts";

// Members that are maps, not objects with members of their own: Kubernetes cannot tell an empty one from none.
const maps: ReadonlySet<string> = new Set([
  "annotations",
  "binaryData",
  "data",
  "labels",
  "limits",
  "matchLabels",
  "nodeSelector",
  "options",
  "overhead",
  "requests",
  "userAnnotations",
  "volumeAttributes",
]);

/**
 * Whether two values mean the same to Kubernetes: null, an empty list and an empty map are as good as absent, but an
 * empty object is something (`securityContext: {}` is not the absence of one).
 */
export function sameValue(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left) || Array.isArray(right)) return sameList(left ?? [], right ?? []);
  if (isJsonObject(left) && isJsonObject(right)) return sameMembers(left, right);
  return (left ?? undefined) === (right ?? undefined);
}

function sameList(left: unknown, right: unknown): boolean {
  if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
  return left.every((item, index) => sameValue(item, right[index]));
}

function sameMembers(left: JsonObject, right: JsonObject): boolean {
  const alike = (key: string): boolean => {
    const absent = maps.has(key) ? {} : undefined;
    return sameValue(own(left, key) ?? absent, own(right, key) ?? absent);
  };
  return (
    Object.keys(left).every(alike) &&
    Object.keys(right).every((key) => Object.hasOwn(left, key) || alike(key))
  );
}

function own(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
