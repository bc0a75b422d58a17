import { CelError, type CelList, type CelMap, type CelValue } from "../values/cel-value.ts";
import { typeNameOf } from "../values/type-name.ts";

/** The position in what a loop goes through. */
export interface Iteration {
  readonly size: number;
  /** The item of a list, the key of a map. */
  readonly single: (index: number) => CelValue;
  /** The position and the item, or the key and the value. */
  readonly entry: (index: number) => readonly [CelValue, CelValue];
  index: number;
}

export function listIteration(items: CelList): Iteration {
  const single = (index: number) => items.at(index);
  return { size: items.size, single, entry: (index) => [BigInt(index), items.at(index)], index: 0 };
}

export function mapIteration(map: CelMap): Iteration {
  const keys = map.keys();
  const single = (index: number) => keys[index] ?? null;
  return {
    size: keys.length,
    single,
    entry: (index) => [single(index), map.get(single(index)) ?? null],
    index: 0,
  };
}

/** Upstream names types as its own language does. */
export function notIterable(range: CelValue, hasTwoVariables: boolean): CelError {
  const name = typeNameOf(range)
    .replace(/^.*\./, "")
    .replace(/_type$/, "");
  const shown = `types.${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return new CelError(
    hasTwoVariables
      ? `unsupported comprehension range type: ${shown}`
      : `got '${shown}', expected iterable type`,
  );
}
