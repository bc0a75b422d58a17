import { forbidden, invalid } from "../../../field-error.ts";
import type { LabelSelector } from "../../../generated/meta-v1.ts";
import { each, type FieldErrors, none } from "../../field-checks.ts";
import { validateLabelKey } from "../../label-selectors.ts";
import type { Sent } from "../../sent.ts";

/** What narrows a selector by the Pod's own labels. */
export interface LabelKeys {
  readonly matchLabelKeys?: readonly string[];
  readonly mismatchLabelKeys?: readonly string[];
  readonly labelSelector?: Sent<LabelSelector>;
}

/**
 * Validates keys that are to be merged into a selector. At creation that has happened already, so a key is only one
 * too many when the selector has it twice.
 */
export function validateLabelKeys(keys: LabelKeys, path: string): FieldErrors {
  const { matchLabelKeys, mismatchLabelKeys, labelSelector } = keys;
  const mismatched = new Set(mismatchLabelKeys);
  return [
    ...validateKeys(matchLabelKeys, `${path}.matchLabelKeys`, labelSelector),
    ...validateKeys(mismatchLabelKeys, `${path}.mismatchLabelKeys`, labelSelector),
    ...validateNotInSelector(matchLabelKeys ?? [], labelSelector ?? {}, path),
    ...each(matchLabelKeys, `${path}.matchLabelKeys`, (key, at) =>
      mismatched.has(key) ? [invalid(at, key, "exists in both matchLabelKeys and mismatchLabelKeys")] : none,
    ),
  ];
}

function validateKeys(
  keys: readonly string[] | undefined,
  path: string,
  selector: Sent<LabelSelector> | undefined,
): FieldErrors {
  if (keys === undefined || keys.length === 0) return none;
  if (selector === undefined) return [forbidden(path, "must not be specified when labelSelector is not set")];
  return each(keys, path, validateLabelKey);
}

// upstream gives these errors the index of the key, but the path of the whole
function validateNotInSelector(
  keys: readonly string[],
  selector: Sent<LabelSelector>,
  path: string,
): FieldErrors {
  const seen = new Set(Object.keys(selector.matchLabels ?? {}));
  const indexes = new Map(keys.map((key, index) => [key, index]));
  return (selector.matchExpressions ?? []).flatMap(({ key = "" }) => {
    const index = indexes.get(key);
    const isTwice = index !== undefined && seen.has(key);
    seen.add(key);
    return isTwice
      ? [invalid(`${path}[${index}]`, key, "exists in both matchLabelKeys and labelSelector")]
      : none;
  });
}
