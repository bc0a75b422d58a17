import type { Labels } from "../../../api/labels/label-selector.ts";

// Objects have the types of what the API server stores, but decisions also run on objects that it never validated.
// These functions read a member of any type and return a value of the declared one.

/** The objects of a list; empty for anything else. */
export function itemsOf<T extends object>(list: readonly T[] | null | undefined): readonly T[] {
  if (!Array.isArray(list)) return [];
  return (list as readonly unknown[]).every(isObject) ? list : list.filter(isObject);
}

/** The strings of a list; empty for anything else. */
export function textsOf(list: readonly string[] | null | undefined): readonly string[] {
  return Array.isArray(list) ? list.filter((item) => typeof item === "string") : [];
}

/** The string, or "" for anything else. */
export function stringOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The number, or the default for anything else. */
export function numberOf(value: unknown, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}

/** The pairs of a map of strings; empty for anything else. */
export function pairsOf(map: Labels): readonly (readonly [key: string, value: string])[] {
  return isObject(map) ? Object.entries(map).filter(([, value]) => typeof value === "string") : [];
}

/** The value of a label, if there is one; inherited members are no labels. */
export function labelOf(labels: Labels, key: string): string | undefined {
  const value: unknown = labels?.[key];
  return typeof value === "string" ? value : undefined;
}

/** Whether a value is an object. */
export function isObject<T>(value: T): value is T & object {
  return typeof value === "object" && value !== null;
}
