import type { StoredObject } from "../../src/api/object.ts";
import type { Resource } from "../../src/api/resource.ts";
import type { Client, ObjectName } from "../../src/machinery/client/client.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";

const clock = new WallClock();

/** Longer than anything takes on a machine that does much else besides: only what never happens waits so long. */
const longestMs = 240_000;

/** Asks until there is an answer. Throws what was waited for when there is none in time. */
export async function eventually<T>(
  what: string,
  ask: () => Promise<T | undefined>,
  timeoutMs = longestMs,
): Promise<T> {
  const until = clock.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (clock.now() > until) throw new Error(`not within ${timeoutMs / 1000} s: ${what}`);
    await clock.sleep(100);
  }
}

/** Resolves with an object as soon as it is as it should be; the error shows how it was instead. */
export async function untilObject<T extends StoredObject>(
  client: Client,
  resource: Resource<T>,
  at: ObjectName,
  is: (object: T) => boolean,
  timeoutMs = longestMs,
): Promise<T> {
  let last: T | undefined;
  const look = async () => {
    last = await client.get(resource, at);
    return is(last) ? last : undefined;
  };
  try {
    return await eventually(`${resource.kind} ${at.name}`, look, timeoutMs);
  } catch (error) {
    throw new Error(`${String(error)}; it was: ${JSON.stringify(last)}`, { cause: error });
  }
}
