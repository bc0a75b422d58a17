import { getHeapStatistics } from "node:v8";
import type { HeapReading } from "../cluster/apiserver/storage/storage-limits.ts";

/** Reads the heap of this process, garbage included: V8 collects it before the limit is reached. */
export function processHeap(): HeapReading {
  const { used_heap_size: usedBytes, heap_size_limit: limitBytes } = getHeapStatistics();
  return { usedBytes, limitBytes };
}
