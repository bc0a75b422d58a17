import { areEqual, identityOf } from "./equality.ts";
import { type CelList, type CelValue, itemsOf } from "./cel-value.ts";

/** Concatenates lists. Sets are united, and items of a list map replace those that have their keys. */
export function joinLists(left: CelList, right: CelList): CelList {
  if (left.identity === undefined) return plain([...itemsOf(left), ...itemsOf(right)], undefined);
  if (left.identity === "set") return unitedSets(left, right);
  return unitedByKeys(left, right, left.identity);
}

function plain(items: readonly CelValue[], identity: CelList["identity"]): CelList {
  return { kind: "list", size: items.length, at: (index) => items[index] ?? null, identity };
}

function unitedSets(left: CelList, right: CelList): CelList {
  const items = [...itemsOf(left)];
  const texts = new Set(items.filter((item) => typeof item === "string"));
  for (const item of itemsOf(right)) {
    const isKnown = typeof item === "string" ? texts.has(item) : items.some((each) => areEqual(each, item));
    if (!isKnown) items.push(item);
    if (typeof item === "string") texts.add(item);
  }
  return plain(items, "set");
}

function unitedByKeys(left: CelList, right: CelList, keys: readonly string[]): CelList {
  const items = [...itemsOf(left)];
  const positions = new Map(items.map((item, index) => [identityOf(item, keys), index]));
  for (const item of itemsOf(right)) {
    const position = positions.get(identityOf(item, keys));
    if (position === undefined) items.push(item);
    else items[position] = item;
  }
  return plain(items, keys);
}
