import { deepEqual } from "../../../api/deep-equal.ts";
import { isJsonObject, type Json } from "../../../api/json.ts";
import type { MergeRule } from "./merge-rule.ts";
import { identityOf, patchDirective } from "./strategic-directives.ts";

/** An element on its way into the merged list. */
interface Entry {
  readonly identity: Json | undefined;
  readonly value: Json;
  /** Where it stands towards those that were there before; new elements mostly stand nowhere. */
  readonly place: number | undefined;
}

export interface ListMerge {
  readonly before: readonly Json[];
  readonly patch: readonly Json[];
  /** The order asked for; that of the patch when nothing is asked. */
  readonly order: readonly Json[] | undefined;
  readonly rule: MergeRule;
  /** Merges one element into the one it meets, or makes a new one. */
  readonly mergeElement: (before: Json | undefined, patch: Json) => Json | undefined;
}

/** Merges lists whose elements can be told apart; the same list comes back when nothing changes. */
export function mergeList(merge: ListMerge): readonly Json[] {
  const { before, patch, rule } = merge;
  const sent = patch.filter((element) => directiveOf(element) === undefined);
  const replaces = patch.some((element) => directiveOf(element) === "replace");
  const entries = mergeEntries(replaces ? [] : survivors(merge), sent, merge);
  const order = merge.order ?? sent;
  const merged = arrange(
    entries,
    order.map((element) => identityOf(element, rule.mergeKey)),
  );
  const same = replaces ? deepEqual(before, merged) : sameElements(before, merged);
  return same ? before : merged;
}

/** What is left of the list after the patch's deletions. */
function survivors({ before, patch, rule }: ListMerge): readonly Entry[] {
  const deleted = new Set(
    patch
      .filter((element) => directiveOf(element) === "delete")
      .map((element) => identityOf(element, rule.mergeKey)),
  );
  return before
    .map((value, place) => ({ identity: identityOf(value, rule.mergeKey), value, place }))
    .filter(({ identity }) => identity === undefined || !deleted.has(identity));
}

function mergeEntries(entries: readonly Entry[], sent: readonly Json[], merge: ListMerge): readonly Entry[] {
  // Keyed by identity, in the order of the list; what has none, or shares one, is keyed by itself and met by nobody.
  const byIdentity = new Map<unknown, Entry>();
  for (const entry of entries) {
    const { identity } = entry;
    byIdentity.set(identity === undefined || byIdentity.has(identity) ? entry : identity, entry);
  }
  for (const element of sent) {
    const identity = identityOf(element, merge.rule.mergeKey);
    const met = byIdentity.get(identity);
    const value = merge.mergeElement(met?.value, element);
    const place = met === undefined ? newPlace(byIdentity.size, merge) : met.place;
    if (value !== undefined) byIdentity.set(identity ?? element, { identity, value, place });
  }
  return [...byIdentity.values()];
}

/**
 * Under an explicit order, elements that are new move into the room that deletions left at the end of the list.
 * upstream: StrategicMergePatch compares with the list it has already edited in place.
 */
function newPlace(position: number, { before, order }: ListMerge): number | undefined {
  return order !== undefined && position < before.length ? before.length + position : undefined;
}

/**
 * Puts the mentioned elements into the order asked for and weaves in the others: each goes before the first
 * mentioned element it used to stand before.
 */
function arrange(entries: readonly Entry[], order: readonly (Json | undefined)[]): readonly Json[] {
  const ranks = new Map(order.map((identity, rank) => [identity, rank]));
  const rankOf = ({ identity }: Entry) => (identity === undefined ? undefined : ranks.get(identity));
  const mentioned = entries.filter((entry) => rankOf(entry) !== undefined);
  mentioned.sort((left, right) => (rankOf(left) ?? 0) - (rankOf(right) ?? 0));
  const others = entries.filter((entry) => rankOf(entry) === undefined);
  const arranged: Json[] = [];
  let next = 0;
  for (const entry of mentioned) {
    for (let other = others[next]; other !== undefined && stoodBefore(other, entry); other = others[next]) {
      arranged.push(other.value);
      next += 1;
    }
    arranged.push(entry.value);
  }
  return [...arranged, ...others.slice(next).map(({ value }) => value)];
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
