import { isJsonObject, type Json, type JsonObject } from "../../../api/json.ts";
import type { MergeRule } from "./merge-rule.ts";
import { type PatchFailure, patchFailure } from "./patch-result.ts";
import { isList } from "./patch-safety.ts";
import {
  hasDirectives,
  elementIdentity,
  isDirective,
  listDirective,
  orderDirective,
  orderOf,
  patchDirective,
  retainedKeys,
  retainKeysDirective,
} from "./strategic-directives.ts";

const known: ReadonlySet<Json> = new Set<Json>(["replace", "delete", "merge"]);

/**
 * Checks a strategic merge patch against the schema. A patch that passes can be merged into any document: the merge
 * itself does not fail.
 */
export function checkStrategicPatch(patch: JsonObject, rule: MergeRule): PatchFailure | undefined {
  const failure = hasDirectives(patch) ? checkDirectives(patch, rule) : undefined;
  if (failure !== undefined) return failure;
  for (const [key, value] of Object.entries(patch)) {
    const found = isDirective(key) ? undefined : checkValue(value, rule.member(key));
    if (found !== undefined) return found;
  }
  return undefined;
}

function checkValue(value: Json | undefined, rule: MergeRule): PatchFailure | undefined {
  if (isJsonObject(value)) return checkStrategicPatch(value, rule);
  if (!isList(value)) return undefined;
  for (const element of value) {
    const failure = checkElement(element, rule);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

function checkElement(element: Json, rule: MergeRule): PatchFailure | undefined {
  const keyed = rule.strategy === "merge" && rule.mergeKey !== undefined;
  if (!isJsonObject(element)) {
    return keyed
      ? patchFailure(400, `a list merged by ${rule.mergeKey} has an element that is no object`)
      : undefined;
  }
  if (keyed && element[patchDirective] !== "replace") {
    if (isMissing(elementIdentity(element, rule.mergeKey)))
      return patchFailure(422, `map: ${show(element)} does not contain declared merge key: ${rule.mergeKey}`);
  }
  return checkStrategicPatch(element, rule);
}

function checkDirectives(patch: JsonObject, rule: MergeRule): PatchFailure | undefined {
  const directive = patch[patchDirective];
  if (directive !== undefined && !known.has(directive))
    return patchFailure(400, `unknown patch type ${JSON.stringify(directive)} in ${patchDirective}`);
  for (const [key, value] of Object.entries(patch)) {
    const field = listDirective(key);
    if (field === undefined && key !== retainKeysDirective) continue;
    if (!isList(value)) return patchFailure(400, `${key} must be a list`);
    const failure =
      checkEntries(key, value, rule) ??
      (field === undefined ? undefined : checkOrder(patch, field, rule.member(field)));
    if (failure !== undefined) return failure;
  }
  return checkRetainedKeys(patch);
}

/** Checks that each entry of a directive identifies something: a key, a value, or an element by its merge key. */
function checkEntries(key: string, entries: readonly Json[], rule: MergeRule): PatchFailure | undefined {
  const stray = entries.find((entry) => !isEntry(key, entry, rule));
  return stray === undefined
    ? undefined
    : patchFailure(400, `${key} lists ${show(stray)}, which names nothing`);
}

function isEntry(key: string, entry: Json, rule: MergeRule): boolean {
  if (key === retainKeysDirective) return typeof entry === "string";
  const ordered = orderDirective(key);
  if (ordered === undefined) return typeof entry !== "object";
  const { strategy, mergeKey } = rule.member(ordered);
  return strategy !== "merge" || !isMissing(elementIdentity(entry, mergeKey));
}

function isMissing(identity: Json | undefined): boolean {
  return identity === undefined || identity === null;
}

function checkRetainedKeys(patch: JsonObject): PatchFailure | undefined {
  const retained = retainedKeys(patch);
  if (retained === undefined) return undefined;
  const lost = Object.keys(patch).find(
    (key) => patch[key] !== null && !isDirective(key) && !retained.has(key),
  );
  return lost === undefined
    ? undefined
    : patchFailure(400, `${retainKeysDirective} does not list ${lost}, which the patch sets`);
}

/** Checks that the elements of a patch are in the order of its `$setElementOrder`, which must list them all. */
function checkOrder(patch: JsonObject, field: string, rule: MergeRule): PatchFailure | undefined {
  const order = orderOf(patch, field);
  const sent = Object.hasOwn(patch, field) ? patch[field] : undefined;
  if (order === undefined || rule.strategy !== "merge" || !isList(sent)) return undefined;
  const places = new Map(order.map((element, place) => [elementIdentity(element, rule.mergeKey), place]));
  let last = -1;
  for (const element of sent) {
    if (isJsonObject(element) && Object.hasOwn(element, patchDirective)) continue;
    const place = places.get(elementIdentity(element, rule.mergeKey));
    if (place === undefined || place < last)
      return patchFailure(400, `$setElementOrder/${field} does not match the elements of ${field}`);
    last = place;
  }
  return undefined;
}

function show(element: Json): string {
  const text = JSON.stringify(element);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
