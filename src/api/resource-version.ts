const counter = /^[1-9]\d*$/;

/** Whether a text is a resource version that can be compared: a decimal counter that has begun to count. */
export function isResourceVersion(text: string): boolean {
  return counter.test(text);
}

/**
 * Compares two resource versions for `sort`; `undefined` if either cannot be compared.
 * They are unbounded: never a JS number, so the longer one is the larger one and equal lengths compare as text.
 */
export function compareResourceVersions(left: string, right: string): number | undefined {
  if (!isResourceVersion(left) || !isResourceVersion(right)) return undefined;
  if (left.length !== right.length) return left.length - right.length;
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
