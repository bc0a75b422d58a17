import type { Labels } from "../../../api/labels/label-selector.ts";

// Objects are typed as the API server stores them, but decisions are also asked about ones it never saw. These read a
// member that may be anything at all and give back what its type promises.

/** The objects in what should be a list of objects. */
export function itemsOf<T extends object>(list: readonly T[] | null | undefined): readonly T[] {
  if (!Array.isArray(list)) return [];
  return (list as readonly unknown[]).every(isObject) ? list : list.filter(isObject);
}

/** The texts in what should be a list of texts. */
export function textsOf(list: readonly string[] | null | undefined): readonly string[] {
  return Array.isArray(list) ? list.filter((item) => typeof item === "string") : [];
}

/** The text, or "" for anything else. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The number, or what to take instead of anything else. */
export function numberOf(value: unknown, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}

/** The members of what should be a map of texts. */
export function pairsOf(map: Labels): readonly (readonly [key: string, value: string])[] {
  return isObject(map) ? Object.entries(map).filter(([, value]) => typeof value === "string") : [];
}

/** The value of a label, if the object has it; what objects inherit is no label. */
export function labelOf(labels: Labels, key: string): string | undefined {
  const value: unknown = labels?.[key];
  return typeof value === "string" ? value : undefined;
}

/** Whether something has members. */
export function isObject<T>(value: T): value is T & object {
  return typeof value === "object" && value !== null;
}
