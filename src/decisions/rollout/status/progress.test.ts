import { describe, expect, test } from "vitest";
import type { DeploymentStatus } from "../../../api/generated/apps-v1.ts";
import { formatTime, parseTime } from "../../../api/time.ts";
import { type DeploymentTraits } from "../../../testing/deployment.ts";
import { rolloutState } from "../../../testing/rollout-state.ts";
import { type ProgressingReason, progressing } from "./conditions.ts";
import { revisionsWithNew } from "../revisions.ts";
import { hasProgressed, isComplete, isTimedOut, progressCheck } from "./progress.ts";

const now = parseTime("2026-01-01T12:00:00Z") ?? 0;
const complete = "TerminationComplete" as const;

function revisions(traits: DeploymentTraits) {
  return revisionsWithNew(rolloutState(traits, [], { now }), undefined);
}

/** A status whose Progressing condition was updated so many seconds ago. */
function since(seconds: number, reason: ProgressingReason = "ReplicaSetUpdated"): DeploymentStatus {
  return { conditions: [progressing(reason, "", now - seconds * 1000)] };
}

describe("a Deployment of 5 is complete", () => {
  const all = { updatedReplicas: 5, replicas: 5, availableReplicas: 5, observedGeneration: 1 };
  test.for([
    { name: "when all its Pods are new and available", status: all, want: true },
    { name: "not while an old Pod is there", status: { ...all, replicas: 6 }, want: false },
    {
      name: "not while a new Pod is missing",
      status: { ...all, updatedReplicas: 4, replicas: 4 },
      want: false,
    },
    { name: "not while a Pod is unavailable", status: { ...all, availableReplicas: 4 }, want: false },
    { name: "not before its last change was seen", status: { ...all, observedGeneration: 0 }, want: false },
    { name: "whatever terminates", status: { ...all, terminatingReplicas: 3 }, want: true },
    {
      name: "whatever terminates under TerminationStarted",
      status: { ...all, terminatingReplicas: 3 },
      policy: "TerminationStarted" as const,
      want: true,
    },
    {
      name: "not while a Pod terminates under TerminationComplete",
      status: { ...all, terminatingReplicas: 1 },
      policy: complete,
      want: false,
    },
    {
      name: "not while the terminating Pods are unknown under TerminationComplete",
      status: all,
      policy: complete,
      want: false,
    },
    {
      name: "once the last has ended under TerminationComplete",
      status: { ...all, terminatingReplicas: 0 },
      policy: complete,
      want: true,
    },
    { name: "not without a status", status: undefined, want: false },
  ])("$name", ({ status, want, ...traits }) => {
    expect(isComplete(revisions({ replicas: 5, ...traits }), status)).toBe(want);
  });
});

describe("a rollout has progressed", () => {
  const before = {
    replicas: 10,
    updatedReplicas: 4,
    readyReplicas: 6,
    availableReplicas: 5,
    terminatingReplicas: 3,
  };
  test.for([
    { name: "not when nothing changed", change: {}, want: false },
    { name: "with a new Pod", change: { updatedReplicas: 5, replicas: 11 }, want: true },
    { name: "with an old Pod less", change: { replicas: 9 }, want: true },
    { name: "with a ready Pod", change: { readyReplicas: 7 }, want: true },
    { name: "with an available Pod", change: { availableReplicas: 6 }, want: true },
    { name: "not with an old Pod more", change: { replicas: 11 }, want: false },
    { name: "not with an unavailable Pod", change: { availableReplicas: 4, readyReplicas: 5 }, want: false },
    { name: "not with a terminating Pod less", change: { terminatingReplicas: 2 }, want: false },
    {
      name: "not with a terminating Pod less under TerminationStarted",
      change: { terminatingReplicas: 2 },
      policy: "TerminationStarted" as const,
      want: false,
    },
    {
      name: "with a terminating Pod less under TerminationComplete",
      change: { terminatingReplicas: 2 },
      policy: complete,
      want: true,
    },
    {
      name: "not with a terminating Pod more under TerminationComplete",
      change: { terminatingReplicas: 4 },
      policy: complete,
      want: false,
    },
  ])("$name", ({ change, want, ...traits }) => {
    expect(hasProgressed(revisions(traits), before, { ...before, ...change })).toBe(want);
  });

  test("not when it was unknown how many Pods were terminating", () => {
    const { terminatingReplicas: _, ...unknown } = before;
    expect(
      hasProgressed(revisions({ policy: complete }), unknown, { ...before, terminatingReplicas: 0 }),
    ).toBe(false);
    expect(hasProgressed(revisions({ policy: complete }), before, unknown)).toBe(false);
  });
});

describe("a rollout with a deadline of 60 seconds has timed out", () => {
  test.for([
    { name: "not without a condition", status: {}, want: false },
    { name: "not at its deadline", status: since(60), want: false },
    { name: "after its deadline", status: since(61), want: true },
    { name: "not after it was done", status: since(900, "NewReplicaSetAvailable"), want: false },
    { name: "when it had before", status: since(1, "ProgressDeadlineExceeded"), want: true },
    {
      name: "when the condition has no time",
      status: { conditions: [{ type: "Progressing", status: "True" }] },
      want: true,
    },
    { name: "not without a deadline", status: since(900), progressDeadlineSeconds: null, want: false },
  ])("$name", ({ status, want, ...traits }) => {
    expect(isTimedOut(revisions({ progressDeadlineSeconds: 60, ...traits }), status)).toBe(want);
  });
});

describe("a rollout with a deadline of 60 seconds is looked at again", () => {
  const done = { updatedReplicas: 3, replicas: 3, availableReplicas: 3, observedGeneration: 1 };
  test.for([
    { name: "never without a condition", stored: {}, want: { kind: "never" } },
    { name: "never when it is complete", stored: { ...since(30), ...done }, want: { kind: "never" } },
    {
      name: "never when it has timed out",
      stored: since(30, "ProgressDeadlineExceeded"),
      want: { kind: "never" },
    },
    { name: "after what is left", stored: since(30), want: { kind: "in", ms: 30_000 } },
    { name: "after the last second", stored: since(59), want: { kind: "in", ms: 1000 } },
    { name: "now at its deadline", stored: since(60), want: { kind: "now" } },
    { name: "now after its deadline", stored: since(90), want: { kind: "now" } },
    {
      name: "never without a deadline",
      stored: since(30),
      progressDeadlineSeconds: null,
      want: { kind: "never" },
    },
    {
      name: "after what is left while the last Pod terminates under TerminationComplete",
      stored: { ...since(30), ...done, terminatingReplicas: 1 },
      policy: complete,
      want: { kind: "in", ms: 30_000 },
    },
  ])("$name", ({ stored, want, ...traits }) => {
    const given = revisions({ progressDeadlineSeconds: 60, status: stored, ...traits });
    expect(progressCheck(given, stored)).toEqual(want);
  });

  test("now within its last second", () => {
    const stored = {
      conditions: [
        { ...progressing("ReplicaSetUpdated", "", now), lastUpdateTime: formatTime(now - 60_000) },
      ],
    };
    const given = revisionsWithNew(
      rolloutState({ progressDeadlineSeconds: 60, status: stored }, [], { now: now - 999 }),
      undefined,
    );
    expect(progressCheck(given, stored)).toEqual({ kind: "now" });
  });
});
