import type { Lease, LeaseSpec } from "../../api/generated/coordination-v1.ts";
import { formatMicroTime, type Instant, parseTime } from "../../api/time.ts";

/** How long things may take. Kubernetes' own programs have 15, 10 and 2 seconds. */
export interface ElectionTiming {
  /** How long others leave a leader alone who does not renew. */
  readonly leaseDurationMs: number;
  /** After how long without a renewal a leader stops by itself: sooner than others may begin. */
  readonly renewDeadlineMs: number;
  /** How often the lease is looked at. */
  readonly retryPeriodMs: number;
}

export const defaultTiming: ElectionTiming = {
  leaseDurationMs: 15_000,
  renewDeadlineMs: 10_000,
  retryPeriodMs: 2000,
};

/** What a candidate saw of somebody else's lease. */
export interface ObservedLease {
  readonly lease: Lease;
  /** When it was first seen as it is, by the own clock: others' clocks are not relied on. */
  readonly since: Instant;
}

/**
 * Where a candidate stands.
 *
 *   following ──▶ leading ──▶ following …
 */
export type ElectionState =
  | { readonly name: "following"; readonly seen: ObservedLease | undefined }
  | { readonly name: "leading"; readonly renewedAt: Instant };

export type ElectionEvent =
  /** The lease was read; `undefined`: there is none. */
  | { readonly type: "read"; readonly lease: Lease | undefined }
  /** What was to be written has been. */
  | { readonly type: "written" }
  /** Reading or writing failed, for whatever reason. */
  | { readonly type: "failed" };

export interface Candidate {
  readonly identity: string;
  readonly timing: ElectionTiming;
}

/** Where a candidate stands after an event, and what it has to write now. */
export interface ElectionTransition {
  readonly state: ElectionState;
  readonly write?: LeaseSpec;
}

/** A candidate that knows nothing yet. */
export const initialElectionState: ElectionState = { name: "following", seen: undefined };

/** One move of a candidate. `now` is when the attempt began, so that a slow answer never makes a lease look fresher. */
export function step(
  state: ElectionState,
  event: ElectionEvent,
  { identity, timing, now }: Candidate & { readonly now: Instant },
): ElectionTransition {
  switch (event.type) {
    case "written":
      return { state: { name: "leading", renewedAt: now } };
    case "failed":
      return { state: isOverdue(state, timing, now) ? initialElectionState : state };
    case "read": {
      const { lease } = event;
      const write = ownSpec(lease, { identity, timing, now });
      if (lease === undefined || isFree(lease, identity)) return { state, write };
      const seen = observe(state, lease, now);
      const following: ElectionState = { name: "following", seen };
      return isExpired(seen, now) ? { state: following, write } : { state: following };
    }
  }
}

/** What a leader leaves behind so that the next one need not wait. */
export function releasedSpec({ spec }: Lease, now: Instant): LeaseSpec {
  const time = formatMicroTime(now);
  return { ...spec, holderIdentity: "", leaseDurationSeconds: 1, renewTime: time, acquireTime: time };
}

/** When a leader has to stop unless it renews before. */
export function deadlineOf(renewedAt: Instant, { renewDeadlineMs }: ElectionTiming): Instant {
  return renewedAt + renewDeadlineMs;
}

function isOverdue(state: ElectionState, timing: ElectionTiming, now: Instant): boolean {
  return state.name === "leading" && deadlineOf(state.renewedAt, timing) <= now;
}

/** Whether nobody else has it: it was let go, or is our own. */
function isFree({ spec }: Lease, identity: string): boolean {
  const { holderIdentity: holder = "" } = spec;
  return holder === "" || holder === identity;
}

/** Whether its holder had as long as it asked for, and was not heard of. */
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
