import { type Instant, parseTime } from "../../src/api/time.ts";
import type { ClusterFacts } from "../../src/page/contract.ts";

/** The time of the cluster, reckoned on from when the server last said it. */
export interface HeardTime {
  readonly said: Instant;
  /** When it was said, by the browser's clock. */
  readonly at: Instant;
  readonly speed: number;
}

/** The time that facts say, heard at a moment of the browser's clock. */
export function clusterTime({ time }: Pick<ClusterFacts, "time">, at: Instant): HeardTime {
  return { said: parseTime(time.now) ?? at, at, speed: time.paused ? 0 : time.speed };
}

/** Limits the times that are kept: seven hours of one every five seconds. */
const mostHeard = 5000;

/** The time of the cluster as it passed: its clock may have been paused, set forward or sped up since the page was opened. */
export class ClusterTimes {
  readonly #heard: HeardTime[] = [];

  /** Adds a time; it has to be later than all others. */
  add(time: HeardTime): void {
    this.#heard.push(time);
    if (this.#heard.length > mostHeard * 1.25) this.#heard.splice(0, this.#heard.length - mostHeard);
  }

  /** The cluster's time at a moment of the browser's clock: between what was heard before and after it. */
  at(moment: Instant): Instant {
    const after = this.#heard.findIndex(({ at }) => at > moment);
    const before = this.#heard.at(after === -1 ? -1 : Math.max(0, after - 1));
    if (before === undefined) return moment;
    const next = after > 0 ? this.#heard[after] : undefined;
    const speed = next === undefined ? before.speed : (next.said - before.said) / (next.at - before.at);
    return before.said + (moment - before.at) * speed;
  }
}
