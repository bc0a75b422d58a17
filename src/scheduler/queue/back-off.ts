import type { Instant } from "../../api/time.ts";
import { exponentialBackoffMs } from "../../machinery/exponential-backoff.ts";

/** How long Pods are left alone after a failed attempt. */
export interface BackOff {
  readonly initialMs: number;
  /** 0: not at all. */
  readonly maxMs: number;
}

/** How often a Pod has failed, and since when it waits again. */
export interface FailedAttempts {
  /** Attempts after which plugins were to blame. */
  readonly unschedulableCount: number;
  /** Attempts in a row after which nobody was; they count alone while there are any. */
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

/** When a Pod's time off is over: a whole second, so that Pods come back in groups that priority can order. */
export function backOffExpiry(failures: FailedAttempts, backOff: BackOff): Instant {
  return wholeSecond(failures.enqueuedAt + backOffMs(failures, backOff));
}

/** Whether a Pod still has time off; the second in which it ends belongs to it. */
export function isBackingOff(failures: FailedAttempts, backOff: BackOff, now: Instant): boolean {
  if (backOffMs(failures, backOff) === 0) return false;
  return backOffExpiry(failures, backOff) >= wholeSecond(now);
}

/** The instant from which on a time off that expires then is over. */
export function backOffEnd(expiry: Instant): Instant {
  return expiry + secondMs;
}

function wholeSecond(instant: Instant): Instant {
  return Math.floor(instant / secondMs) * secondMs;
}
