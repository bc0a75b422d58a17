import { deepEqual } from "../../../api/deep-equal.ts";
import { isJsonObject, type Json } from "../../../api/json.ts";
import type { MergeRule } from "./merge-rule.ts";
import { elementIdentity, patchDirective } from "./strategic-directives.ts";

/** An element of the merged list. */
interface Entry {
  readonly identity: Json | undefined;
  readonly value: Json;
  /** Its position relative to the elements that were there before; absent for most new elements. */
  readonly place: number | undefined;
}

export interface ListMerge {
  readonly before: readonly Json[];
  readonly patch: readonly Json[];
  /** The `$setElementOrder` of the patch; absent: the order of its elements. */
  readonly order: readonly Json[] | undefined;
  readonly rule: MergeRule;
  /** Merges an element into the one with the same identity, or creates it. */
  readonly mergeElement: (before: Json | undefined, patch: Json) => Json | undefined;
}

/** Merges lists whose elements have identities; returns the same list when nothing changes. */
export function mergeList(merge: ListMerge): readonly Json[] {
  const { before, patch, rule } = merge;
  const sent = patch.filter((element) => directiveOf(element) === undefined);
  const replaces = patch.some((element) => directiveOf(element) === "replace");
  const entries = mergeEntries(replaces ? [] : remaining(merge), sent, merge);
  const order = merge.order ?? sent;
  const merged = arrange(
    entries,
    order.map((element) => elementIdentity(element, rule.mergeKey)),
  );
  const same = replaces ? deepEqual(before, merged) : sameElements(before, merged);
  return same ? before : merged;
}

/** Returns the elements that the patch does not delete. */
function remaining({ before, patch, rule }: ListMerge): readonly Entry[] {
  const deleted = new Set(
    patch
      .filter((element) => directiveOf(element) === "delete")
      .map((element) => elementIdentity(element, rule.mergeKey)),
  );
  return before
    .map((value, place) => ({ identity: elementIdentity(value, rule.mergeKey), value, place }))
    .filter(({ identity }) => identity === undefined || !deleted.has(identity));
}

function mergeEntries(entries: readonly Entry[], sent: readonly Json[], merge: ListMerge): readonly Entry[] {
  // Keyed by identity, in list order; an element without an identity, or with a repeated one, is its own key and never merged.
  const byIdentity = new Map<unknown, Entry>();
  for (const entry of entries) {
    const { identity } = entry;
    byIdentity.set(identity === undefined || byIdentity.has(identity) ? entry : identity, entry);
  }
  for (const element of sent) {
    const identity = elementIdentity(element, merge.rule.mergeKey);
    const existing = byIdentity.get(identity);
    const value = merge.mergeElement(existing?.value, element);
    const place = existing === undefined ? newPlace(byIdentity.size, merge) : existing.place;
    if (value !== undefined) byIdentity.set(identity ?? element, { identity, value, place });
  }
  return [...byIdentity.values()];
}

/**
 * Under an explicit order, new elements take the positions that deletions have freed at the end of the list.
 * upstream: StrategicMergePatch compares with the list it has already edited in place.
 */
function newPlace(position: number, { before, order }: ListMerge): number | undefined {
  return order !== undefined && position < before.length ? before.length + position : undefined;
}

/**
 * Sorts the listed elements by the order and inserts the others: each before the first listed element that it preceded.
 */
function arrange(entries: readonly Entry[], order: readonly (Json | undefined)[]): readonly Json[] {
  const ranks = new Map(order.map((identity, rank) => [identity, rank]));
  const rankOf = ({ identity }: Entry) => (identity === undefined ? undefined : ranks.get(identity));
  const listed = entries.filter((entry) => rankOf(entry) !== undefined);
  listed.sort((left, right) => (rankOf(left) ?? 0) - (rankOf(right) ?? 0));
  const others = entries.filter((entry) => rankOf(entry) === undefined);
  const arranged: Json[] = [];
  let next = 0;
  for (const entry of listed) {
    for (let other = others[next]; other !== undefined && stoodBefore(other, entry); other = others[next]) {
      arranged.push(other.value);
      next += 1;
    }
    arranged.push(entry.value);
  }
  return arranged.concat(others.slice(next).map(({ value }) => value));
}

function stoodBefore(one: Entry, other: Entry): boolean {
  return one.place !== undefined && other.place !== undefined && one.place < other.place;
}

function directiveOf(element: Json): string | undefined {
  const directive = isJsonObject(element) ? element[patchDirective] : undefined;
  return directive === "delete" || directive === "replace" ? directive : undefined;
}

function sameElements(left: readonly Json[], right: readonly Json[]): boolean {
  return left.length === right.length && left.every((element, index) => element === right[index]);
}
