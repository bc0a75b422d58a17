import * as fc from "fast-check";
import { expect, test } from "vitest";
import { KeyedHeap } from "./keyed-heap.ts";

interface Item {
  readonly key: string;
  readonly rank: number;
}

test("whatever is put in and taken out, the first is always the least", () => {
  const key = fc.nat(9).map(String);
  const step = fc.oneof(
    fc.record({ put: fc.record({ key, rank: fc.nat(20) }) }),
    fc.record({ remove: key }),
    fc.constant({ pop: true }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const heap = new KeyedHeap<Item>(
        ({ key }) => key,
        (a, b) => a.rank - b.rank,
      );
      const model = new Map<string, Item>();
      for (const each of steps) {
        if ("put" in each) {
          heap.put(each.put);
          model.set(each.put.key, each.put);
        } else if ("remove" in each) {
          expect(heap.remove(each.remove)).toEqual(model.get(each.remove));
          model.delete(each.remove);
        } else {
          const popped = heap.pop();
          expect(popped?.rank).toBe(leastOf(model));
          model.delete(popped?.key ?? "");
        }
        expect(heap.size).toBe(model.size);
        expect(heap.peek()?.rank).toBe(leastOf(model));
        for (const [key, item] of model) expect(heap.get(key)).toBe(item);
      }
    }),
  );
});

function leastOf(model: ReadonlyMap<string, Item>): number | undefined {
  return [...model.values()].map(({ rank }) => rank).sort((a, b) => a - b)[0];
}
