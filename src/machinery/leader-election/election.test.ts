import { expect, test } from "vitest";
import type { Lease, LeaseSpec } from "../../api/generated/coordination-v1.ts";
import {
  defaultTiming,
  initialElectionState,
  releasedSpec,
  type ElectionState,
  electionStep,
} from "./election.ts";

const now = 1_767_225_660_000; // 2026-01-01T00:01:00Z
const nowText = "2026-01-01T00:01:00.000000Z";
const me = { identity: "me", timing: defaultTiming, now };

function lease(spec: LeaseSpec, resourceVersion = "7"): Lease {
  return { metadata: { name: "l", namespace: "n", uid: "u", resourceVersion }, spec };
}

const theirs = lease({ holderIdentity: "other", leaseDurationSeconds: 15, leaseTransitions: 4 });
const seen = (agoMs: number): ElectionState => ({
  name: "following",
  seen: { lease: theirs, since: now - agoMs },
});
const leading = (agoMs: number): ElectionState => ({ name: "leading", renewedAt: now - agoMs });

test.for([
  { name: "takes a lease that is not there", state: initialElectionState, lease: undefined, writes: true },
  {
    name: "takes a lease that was let go",
    state: initialElectionState,
    lease: lease({ holderIdentity: "" }),
    writes: true,
  },
  {
    name: "takes a lease that a manifest made",
    state: initialElectionState,
    lease: { metadata: theirs.metadata } as Lease,
    writes: true,
  },
  {
    name: "takes a lease it had in an earlier life",
    state: initialElectionState,
    lease: lease({ holderIdentity: "me" }),
    writes: true,
  },
  {
    name: "leaves the lease of another candidate alone",
    state: initialElectionState,
    lease: theirs,
    becomes: seen(0),
  },
  {
    name: "remembers since when it has been the same",
    state: seen(14_000),
    lease: theirs,
    becomes: seen(14_000),
  },
  {
    name: "takes one that has not changed for too long",
    state: seen(15_001),
    lease: theirs,
    becomes: seen(15_001),
    writes: true,
  },
  {
    name: "starts counting anew when it has changed",
    state: seen(15_001),
    lease: lease(theirs.spec, "8"),
    becomes: { name: "following", seen: { lease: lease(theirs.spec, "8"), since: now } },
  },
  { name: "renews its own", state: leading(2000), lease: lease({ holderIdentity: "me" }), writes: true },
  {
    name: "creates it again after it was deleted",
    state: leading(2000),
    lease: undefined,
    writes: true,
  },
  {
    name: "stops leading when another candidate holds it",
    state: leading(2000),
    lease: theirs,
    becomes: seen(0),
  },
] as readonly {
  name: string;
  state: ElectionState;
  lease: Lease | undefined;
  becomes?: ElectionState;
  writes?: boolean;
}[])("a candidate that reads the lease $name", ({ state, lease: read, becomes = state, writes = false }) => {
  const turn = electionStep(state, { type: "read", lease: read }, me);
  expect(turn.state).toEqual(becomes);
  expect(turn.write !== undefined).toBe(writes);
});

test.for([
  { name: "leads once it has written", state: initialElectionState, type: "written", becomes: leading(0) },
  { name: "goes on leading", state: leading(2000), type: "written", becomes: leading(0) },
  { name: "survives a failure", state: leading(9999), type: "failed", becomes: leading(9999) },
  {
    name: "stops leading when it could not renew in time",
    state: leading(10_000),
    type: "failed",
    becomes: initialElectionState,
  },
  { name: "keeps what it saw when a read fails", state: seen(5000), type: "failed", becomes: seen(5000) },
] as const)("a candidate $name", ({ state, type, becomes }) => {
  expect(electionStep(state, { type }, me)).toEqual({ state: becomes });
});

test("a lease says who has it, since when, until when, and how often it changed hands", () => {
  const written = (read: Lease | undefined, state: ElectionState = initialElectionState) =>
    electionStep(state, { type: "read", lease: read }, me).write;
  const own = { holderIdentity: "me", leaseDurationSeconds: 15, renewTime: nowText };
  expect(written(undefined)).toEqual({ ...own, acquireTime: nowText, leaseTransitions: 0 });
  expect(written(theirs, seen(20_000))).toEqual({ ...own, acquireTime: nowText, leaseTransitions: 5 });
  const acquireTime = "2026-01-01T00:00:00.000000Z";
  expect(written(lease({ holderIdentity: "me", acquireTime, leaseTransitions: 5 }), leading(0))).toEqual({
    ...own,
    acquireTime,
    leaseTransitions: 5,
  });
  expect(releasedSpec(theirs, now)).toMatchObject({
    holderIdentity: "",
    leaseDurationSeconds: 1,
    leaseTransitions: 4,
  });
});
