import type { Lease, LeaseSpec } from "../../api/generated/coordination-v1.ts";
import { formatMicroTime, type Instant, parseTime } from "../../api/time.ts";

// upstream: LeaseDuration, RenewDeadline and RetryPeriod, by default 15, 10 and 2 seconds
/** The durations of an election. */
export interface ElectionTiming {
  /** How long candidates wait for a leader that does not renew. */
  readonly leaseDurationMs: number;
  /** After how long without a renewal a leader stops: earlier than another candidate may begin. */
  readonly renewDeadlineMs: number;
  /** How often the Lease is read. */
  readonly retryPeriodMs: number;
}

export const defaultTiming: ElectionTiming = {
  leaseDurationMs: 15_000,
  renewDeadlineMs: 10_000,
  retryPeriodMs: 2000,
};

/** A Lease held by another candidate, as observed. */
export interface ObservedLease {
  readonly lease: Lease;
  /** When this version was first observed, in monotonic time of this process: the clocks of other machines are not trusted. */
  readonly since: Instant;
}

/**
 * The state of a candidate.
 *
 *   following ──▶ leading ──▶ following …
 */
export type ElectionState =
  | { readonly name: "following"; readonly seen: ObservedLease | undefined }
  | { readonly name: "leading"; readonly renewedAt: Instant };

export type ElectionEvent =
  /** The Lease was read; `undefined`: there is none. */
  | { readonly type: "read"; readonly lease: Lease | undefined }
  /** The Lease was written. */
  | { readonly type: "written" }
  /** Reading or writing failed. */
  | { readonly type: "failed" };

export interface Candidate {
  readonly identity: string;
  readonly timing: ElectionTiming;
}

/** The state after an event, and the Lease the candidate has to write now. */
export interface ElectionTransition {
  readonly state: ElectionState;
  readonly write?: LeaseSpec;
}

/** A candidate that has observed nothing yet. */
export const initialElectionState: ElectionState = { name: "following", seen: undefined };

/** The start of an attempt; a Lease is renewed from then on, so that a slow response never extends it. */
export interface AttemptTime {
  /** Elapsed time, which setting the clock does not change. */
  readonly now: Instant;
  /** The wall time that the Lease shows to others; absent: the same. */
  readonly wallNow?: Instant;
}

/** The transition of a candidate. */
export function electionStep(
  state: ElectionState,
  event: ElectionEvent,
  { identity, timing, now, wallNow = now }: Candidate & AttemptTime,
): ElectionTransition {
  switch (event.type) {
    case "written":
      return { state: { name: "leading", renewedAt: now } };
    case "failed":
      return { state: isOverdue(state, timing, now) ? initialElectionState : state };
    case "read": {
      const { lease } = event;
      const write = ownSpec(lease, { identity, timing, now: wallNow });
      if (lease === undefined || isFree(lease, identity)) return { state, write };
      const seen = observe(state, lease, now);
      const following: ElectionState = { name: "following", seen };
      return isExpired(seen, now) ? { state: following, write } : { state: following };
    }
  }
}

/** The Lease a leader writes when it stops, so that the next one need not wait. */
export function releasedSpec({ spec }: Lease, now: Instant): LeaseSpec {
  const time = formatMicroTime(now);
  return { ...spec, holderIdentity: "", leaseDurationSeconds: 1, renewTime: time, acquireTime: time };
}

/** When a leader has to stop unless it renews before then. */
export function leadershipDeadline(renewedAt: Instant, { renewDeadlineMs }: ElectionTiming): Instant {
  return renewedAt + renewDeadlineMs;
}

function isOverdue(state: ElectionState, timing: ElectionTiming, now: Instant): boolean {
  return state.name === "leading" && leadershipDeadline(state.renewedAt, timing) <= now;
}

/** Whether no other candidate holds the Lease; one that was made by a manifest may have no spec. */
function isFree({ spec }: Lease, identity: string): boolean {
  const { holderIdentity: holder = "" } = spec ?? {};
  return holder === "" || holder === identity;
}

/** Whether its holder has not renewed it for its whole duration. */
function isExpired({ lease, since }: ObservedLease, now: Instant): boolean {
  return since + (lease.spec.leaseDurationSeconds ?? 0) * 1000 < now;
}

function observe(state: ElectionState, lease: Lease, now: Instant): ObservedLease {
  const seen = state.name === "following" ? state.seen : undefined;
  const isSame = seen?.lease.metadata.resourceVersion === lease.metadata.resourceVersion;
  return seen !== undefined && isSame ? seen : { lease, since: now };
}

function ownSpec(
  lease: Lease | undefined,
  { identity, timing, now }: Candidate & { readonly now: Instant },
): LeaseSpec {
  const { spec } = lease ?? {};
  const isOwn = spec?.holderIdentity === identity && parseTime(spec.acquireTime) !== undefined;
  const transitions = spec?.leaseTransitions ?? 0;
  return {
    ...spec,
    holderIdentity: identity,
    leaseDurationSeconds: timing.leaseDurationMs / 1000,
    acquireTime: isOwn ? (spec.acquireTime ?? "") : formatMicroTime(now),
    renewTime: formatMicroTime(now),
    leaseTransitions: lease === undefined || isOwn ? transitions : transitions + 1,
  };
}
