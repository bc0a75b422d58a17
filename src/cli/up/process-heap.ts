import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { HeapReading } from "../../cluster/apiserver/storage/storage-limits.ts";
import type { Clock } from "../../machinery/clock/clock.ts";

/** Reads a heap and collects its garbage. */
export interface HeapAccess {
  readonly read: () => HeapReading;
  /** Collects garbage, which stops the process for as long as that takes. */
  readonly collect: () => void;
}

/** Collects garbage before a reading above this share of the limit. */
const garbageMatters = 0.75;
const shortestPauseMs = 1000;
/** Waits this many times the duration of a collection before the next, so that they take at most a twentieth of the time. */
const pausePerCollection = 20;

/**
 * Reads a heap without garbage where that matters: V8 collects only when a program allocates, so after many objects were
 * deleted the heap could look full for long.
 */
export function heapReader(
  clock: Pick<Clock, "now">,
  { read, collect }: HeapAccess = processHeap,
): () => HeapReading {
  let nextAt = clock.now();
  return () => {
    const reading = read();
    const now = clock.now();
    if (shareOf(reading) < garbageMatters || now < nextAt) return reading;
    collect();
    const tookMs = clock.now() - now;
    nextAt = clock.now() + Math.max(shortestPauseMs, pausePerCollection * tookMs);
    return read();
  };
}

const shareOf = ({ usedBytes, limitBytes }: HeapReading) => usedBytes / limitBytes;

/** V8 counts the space for young objects in the limit, but what lives long cannot use it. */
const youngBytes = 48 * 2 ** 20;

/** The heap of this process. */
export const processHeap: HeapAccess = {
  read() {
    const { used_heap_size: usedBytes, heap_size_limit: limitBytes } = getHeapStatistics();
    return { usedBytes, limitBytes: limitBytes - youngBytes };
  },
  collect() {
    setFlagsFromString("--expose-gc");
    (runInNewContext("gc") as () => void)();
  },
};
