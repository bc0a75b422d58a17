import { isJsonObject, type JsonObject } from "../json.ts";
import { parseQuantity } from "../quantity/quantity.ts";

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

// Maps of quantities, which are the same when they are as much: 1Gi and 1024Mi.
const amounts: ReadonlySet<string> = new Set(["allocatable", "capacity", "limits", "overhead", "requests"]);

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
    const before = own(left, key) ?? absent;
    const after = own(right, key) ?? absent;
    return sameValue(before, after) || (amounts.has(key) && sameAmounts(before, after));
  };
  return (
    Object.keys(left).every(alike) &&
    Object.keys(right).every((key) => Object.hasOwn(left, key) || alike(key))
  );
}

function sameAmounts(left: unknown, right: unknown): boolean {
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => sameAmount(left[name], own(right, name)))
  );
}

function sameAmount(left: unknown, right: unknown): boolean {
  if (typeof left !== "string" || typeof right !== "string") return left === right;
  const amount = parseQuantity(left);
  return left === right || (amount !== undefined && amount.nanos === parseQuantity(right)?.nanos);
}

function own(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
