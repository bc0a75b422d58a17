import type { Clock } from "../clock/clock.ts";
import { type Random, randomInt } from "../random/random.ts";

const longestName = 253;
const perMillisecond = 1_000_000;

/**
 * Gives `<object>.<hex>` names: the hex is a time in nanoseconds, as in Kubernetes. Below the millisecond it counts on
 * from a random start, so no two names of one source are alike, and hardly those of two.
 */
export function eventNames(clock: Clock, random: Random): (objectName: string) => string {
  let next = randomInt(random, perMillisecond);
  return (objectName) => {
    const nanoseconds = BigInt(Math.floor(clock.now())) * BigInt(perMillisecond) + BigInt(next);
    next = (next + 1) % perMillisecond;
    const suffix = `.${nanoseconds.toString(16)}`;
    // What is cut off may not leave a dash or dot before the dot.
    const base = objectName.slice(0, longestName - suffix.length).replace(/[^a-z0-9]+$/i, "");
    return base + suffix;
  };
}
