import { type Instant, parseTime } from "../../src/api/time.ts";
import type { ClusterFacts } from "../../src/page/contract.ts";

/** The time of the cluster, reckoned on from when the server last said it. */
export interface ClusterTime {
  readonly said: Instant;
  /** When it was said, by the browser's clock. */
  readonly at: Instant;
  readonly speed: number;
}

/** The time that facts say, heard at a moment of the browser's clock. */
export function clusterTime({ time }: Pick<ClusterFacts, "time">, at: Instant): ClusterTime {
  return { said: parseTime(time.now) ?? at, at, speed: time.paused ? 0 : time.speed };
}

/** The cluster's time at a moment of the browser's clock. */
export function clusterNow({ said, at, speed }: ClusterTime, now: Instant): Instant {
  return said + (now - at) * speed;
}
