import { SchedulerCache } from "../../src/scheduler/cache/scheduler-cache.ts";

/** The events that change what a cache counts. */
const events = ["setNode", "removeNode", "setPod", "removePod", "assume"] as const;

/**
 * Makes scheduler caches count everything again after every event, until the returned function is called. An event after
 * which a counter is wrong throws an error that names it.
 */
export function recountCaches(): () => void {
  const { prototype } = SchedulerCache;
  const originals = events.map((event) => [event, prototype[event]] as const);
  for (const [event, original] of originals)
    replaceMethod(event, function (this: SchedulerCache, ...args: readonly unknown[]): unknown {
      const result: unknown = Reflect.apply(original, this, args);
      const problem = this.recount();
      if (problem !== undefined) throw new Error(`${event} broke a counter: ${problem}`);
      return result;
    });
  return () => {
    for (const [event, original] of originals) replaceMethod(event, original);
  };
}

function replaceMethod(event: (typeof events)[number], value: unknown): void {
  Object.defineProperty(SchedulerCache.prototype, event, { value, configurable: true, writable: true });
}
