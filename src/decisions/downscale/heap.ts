/** Whether one item belongs before another. */
type IsBefore<T> = (one: T, other: T) => boolean;

/** Adds an item to a binary heap, whose first item is before all others. */
export function pushOnto<T>(heap: T[], item: T, isBefore: IsBefore<T>): void {
  let place = heap.length;
  heap.push(item);
  while (place > 0) {
    const parent = (place - 1) >> 1;
    const above = heap[parent] as T;
    if (!isBefore(item, above)) break;
    heap[place] = above;
    place = parent;
  }
  heap[place] = item;
}

/** Takes the first item out of a heap. */
export function popFirst<T>(heap: T[], isBefore: IsBefore<T>): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  heap[0] = last;
  sinkFirst(heap, isBefore);
}

/** Restores a heap whose first item belongs further back than before. */
export function sinkFirst<T>(heap: T[], isBefore: IsBefore<T>): void {
  const item = heap[0] as T;
  let place = 0;
  for (;;) {
    const left = 2 * place + 1;
    if (left >= heap.length) break;
    const right = left + 1;
    const isRight = right < heap.length && isBefore(heap[right] as T, heap[left] as T);
    const child = isRight ? right : left;
    if (!isBefore(heap[child] as T, item)) break;
    heap[place] = heap[child] as T;
    place = child;
  }
  heap[place] = item;
}
