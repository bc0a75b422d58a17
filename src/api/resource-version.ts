const counter = /^[1-9]\d*$/;

/** Reports whether a resource version can be compared: a decimal number greater than zero. */
export function isResourceVersion(text: string): boolean {
  return counter.test(text);
}

/**
 * Compares two resource versions for `sort`; `undefined` if either cannot be compared.
 * They may exceed a JS number, so the longer one is the larger one, and equal lengths compare as text.
 */
export function compareResourceVersions(left: string, right: string): number | undefined {
  if (!isResourceVersion(left) || !isResourceVersion(right)) return undefined;
  if (left.length !== right.length) return left.length - right.length;
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
