import type { Instant } from "../../api/time.ts";
import { exponentialBackoffMs } from "../../machinery/exponential-backoff.ts";

/** The limits of the back-off after a failed attempt. */
export interface BackOff {
  readonly initialMs: number;
  /** 0 disables the back-off. */
  readonly maxMs: number;
}

/** The failed attempts of a Pod, and when it was enqueued last. */
export interface FailedAttempts {
  /** Attempts in which plugins rejected the Pod. */
  readonly unschedulableCount: number;
  /** Errors since the last attempt without one; while there are any, only these count. */
  readonly consecutiveErrors: number;
  readonly enqueuedAt: Instant;
}

const secondMs = 1000;

/** The doubling duration: 1, 2, 4, 8, 10, 10 … seconds by default. */
export function backOffMs(
  { unschedulableCount, consecutiveErrors }: FailedAttempts,
  backOff: BackOff,
): number {
  const count = consecutiveErrors > 0 ? consecutiveErrors : unschedulableCount;
  if (count === 0) return 0;
  return exponentialBackoffMs(backOff, count - 1);
}

/** When a Pod's back-off expires: a whole second, so that Pods return in groups that priority can order. */
export function backOffExpiry(failures: FailedAttempts, backOff: BackOff): Instant {
  return wholeSecond(failures.enqueuedAt + backOffMs(failures, backOff));
}

/** Whether a Pod still backs off; the second of the expiry belongs to the back-off. */
export function isBackingOff(failures: FailedAttempts, backOff: BackOff, now: Instant): boolean {
  if (backOffMs(failures, backOff) === 0) return false;
  return backOffExpiry(failures, backOff) >= wholeSecond(now);
}

/** The instant at which a back-off with this expiry is over. */
export function backOffEnd(expiry: Instant): Instant {
  return expiry + secondMs;
}

function wholeSecond(instant: Instant): Instant {
  return Math.floor(instant / secondMs) * secondMs;
}
