import { expect, test } from "vitest";
import { VirtualClock } from "../../machinery/clock/virtual-clock.ts";
import { heapReader, processHeap } from "./process-heap.ts";

function fakeHeap() {
  const heap = { live: 0, garbage: 0, collections: 0 };
  const access = {
    read: () => ({ usedBytes: heap.live + heap.garbage, limitBytes: 100 }),
    collect: () => {
      heap.garbage = 0;
      heap.collections++;
    },
  };
  return { heap, access };
}

test("what was deleted does not count when memory looks full", () => {
  const { heap, access } = fakeHeap();
  const read = heapReader(new VirtualClock(), access);
  Object.assign(heap, { live: 10, garbage: 50 });
  expect(read().usedBytes).toBe(60); // far from the limit: not worth a collection
  Object.assign(heap, { live: 10, garbage: 80 });
  expect(read().usedBytes).toBe(10);
  expect(heap.collections).toBe(1);
});

test("a heap that is full of objects is collected for a twentieth of the time at most", () => {
  const { heap, access } = fakeHeap();
  heap.live = 90;
  let now = 0;
  const collect = () => {
    access.collect();
    now += 2000;
  };
  const read = heapReader({ now: () => now }, { ...access, collect });
  for (; now < 200_000; now += 100) read();
  expect(heap.collections).toBe(5);
});

test("the heap of this process can be read and collected", () => {
  const { usedBytes, limitBytes } = processHeap.read();
  expect(usedBytes).toBeLessThan(limitBytes);
  processHeap.collect();
});
