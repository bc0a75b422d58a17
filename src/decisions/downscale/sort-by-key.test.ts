import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type KeyColumn, newKeyColumn, setKey } from "./key-column.ts";
import type { Key } from "./rules.ts";
import { sortByKey } from "./sort-by-key.ts";

const keys: fc.Arbitrary<readonly Key[]> = fc.oneof(
  fc.array(fc.integer({ min: -3, max: 40 }), { maxLength: 60 }),
  fc.array(fc.constantFrom(-Infinity, -1, 0.5, 2 ** 40, 7), { maxLength: 60 }),
  fc.array(fc.integer(), { maxLength: 60 }),
  fc.array(fc.integer({ min: -(2 ** 50), max: 2 ** 50 }), { maxLength: 60 }),
  fc.array(fc.string({ maxLength: 3 }), { maxLength: 60 }),
  fc.array(fc.string({ unit: fc.constantFrom("a", "b", "é", "€", "\0", "\u007f"), maxLength: 9 }), {
    maxLength: 60,
  }),
  fc.array(fc.uuid(), { maxLength: 60 }),
);

function columnOf(keys: readonly Key[]): KeyColumn {
  const column = newKeyColumn(keys.length);
  for (const [index, key] of keys.entries()) setKey(column, index, key);
  return column;
}

test("sortByKey sorts a stretch stably and leaves the rest alone", () => {
  fc.assert(
    fc.property(keys, fc.nat(60), fc.nat(60), (keys, one, other) => {
      const [from, to] = [Math.min(one, other, keys.length), Math.min(Math.max(one, other), keys.length)];
      const order = Uint32Array.from(keys.keys()).reverse();
      const before = [...order];
      sortByKey(order, columnOf(keys), { from, to });
      const rising = before.slice(from, to).sort((a, b) => {
        const [x, y] = [keys[a] ?? 0, keys[b] ?? 0];
        if (x === y) return 0;
        return x < y ? -1 : 1;
      });
      expect([...order]).toEqual([...before.slice(0, from), ...rising, ...before.slice(to)]);
    }),
  );
});

test("sortByKey sorts no more than the places that matter, and keeps what equals the last of them together", () => {
  const many = { minLength: 1500, maxLength: 3000, size: "max" } as const;
  const text = fc.oneof(fc.string({ maxLength: 2 }), fc.uuid());
  const manyKeys = fc.oneof(
    fc.array(text, many),
    fc.array(fc.constantFrom("node-of-zone-a", "node-of-zone-b", "node-of-zone-c"), many),
    fc.array(fc.integer(), many),
  ) as fc.Arbitrary<readonly Key[]>;
  fc.assert(
    fc.property(manyKeys, fc.nat(300), (keys, length) => {
      const order = Uint32Array.from(keys.keys());
      sortByKey(order, columnOf(keys), { from: 0, to: keys.length, length: length + 1 });
      const rising = keys.toSorted((a, b) => (a < b ? -1 : Number(a > b)));
      const sorted = Array.from(order, (index) => keys[index]);
      const exact = rising.lastIndexOf(rising[length] ?? 0) + 1;
      expect(sorted.slice(0, exact)).toEqual(rising.slice(0, exact));
      expect(new Set(order).size).toBe(keys.length);
    }),
    { numRuns: 30 },
  );
});
