import { onTestFinished } from "vitest";
import type { StoredObject } from "../../src/api/object.ts";
import type { Resource } from "../../src/api/resource.ts";
import type { Client } from "../../src/machinery/client/client.ts";

/** Every object that has been in a collection since it is followed, in its last version. */
export interface Followed<T> {
  /** Resolves with all objects as soon as they are as wanted; rejects when the watch ends. */
  until(wanted: (objects: readonly T[]) => boolean): Promise<readonly T[]>;
}

/** Follows a namespace's part of a collection until the test ends; what is gone is still there as it was last. */
export function follow<T extends StoredObject>(
  client: Client,
  resource: Resource<T>,
  namespace: string,
): Followed<T> {
  const ending = new AbortController();
  const seen = new Map<string, T>();
  const waiting = new Set<() => void>();
  const read = async (): Promise<never> => {
    for await (const event of client.watch(resource, { namespace }, ending.signal)) {
      if (event.type === "BOOKMARK") continue;
      seen.set(event.object.metadata.uid, event.object);
      for (const look of waiting) look();
    }
    throw new Error(`the watch of ${resource.plural} has ended`);
  };
  const reading = read();
  const ended = reading.catch(() => undefined); // `until` may not be waiting
  onTestFinished(async () => {
    ending.abort(new Error("the test is over"));
    await ended;
  });
  return {
    until(wanted) {
      const found = new Promise<readonly T[]>((resolve) => {
        const look = () => {
          if (!wanted([...seen.values()])) return;
          waiting.delete(look);
          resolve([...seen.values()]);
        };
        waiting.add(look);
        look();
      });
      return Promise.race([found, reading]);
    },
  };
}
