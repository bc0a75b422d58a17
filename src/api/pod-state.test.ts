import { describe, expect, test } from "vitest";
import { pod, type PodTraits } from "../testing/pod.ts";
import { isActive, isAvailable, isReady, isTerminal, isTerminating, readySince } from "./pod-state.ts";
import { parseTime } from "./time.ts";

const deletedAt = "2026-01-01T01:00:00Z";

describe("a Pod", () => {
  test.for<{ name: string; traits: PodTraits; want: "active" | "terminating" | "terminal" }>([
    { name: "that runs is active", traits: {}, want: "active" },
    { name: "that waits is active", traits: { phase: "Pending" }, want: "active" },
    { name: "of an unknown phase is active", traits: { phase: "Odd" }, want: "active" },
    { name: "that is being deleted is terminating", traits: { deletedAt }, want: "terminating" },
    { name: "that failed is terminal", traits: { phase: "Failed" }, want: "terminal" },
    {
      name: "that ended while being deleted is terminal",
      traits: { phase: "Succeeded", deletedAt },
      want: "terminal",
    },
  ])("$name", ({ traits, want }) => {
    const subject = pod("a", traits);
    expect([isActive(subject), isTerminating(subject), isTerminal(subject)]).toEqual([
      want === "active",
      want === "terminating",
      want === "terminal",
    ]);
  });

  test("without a status is active, not Ready and never available", () => {
    const { status: _, ...subject } = pod("a");
    expect([isActive(subject), isReady(subject), isAvailable(subject, 0, 0)]).toEqual([true, false, false]);
  });
});

describe("availability", () => {
  const readyAt = "2026-01-01T00:00:10Z";
  const at = parseTime(readyAt) ?? Number.NaN;
  test.for<{ name: string; traits?: PodTraits; minReadySeconds?: number; after?: number; want: boolean }>([
    { name: "comes with being Ready", want: true },
    { name: "needs no time when none is asked for", traits: { readyAt: null }, after: -1, want: true },
    { name: "does not come to a Pod that is not Ready", traits: { ready: false }, want: false },
    { name: "does not come before its time", minReadySeconds: 10, after: 9999, want: false },
    { name: "comes exactly in time", minReadySeconds: 10, after: 10_000, want: true },
    {
      name: "needs to know since when",
      minReadySeconds: 10,
      traits: { readyAt: null },
      after: 1e9,
      want: false,
    },
    {
      name: "does not trust nonsense",
      minReadySeconds: 10,
      traits: { readyAt: "soon" },
      after: 1e9,
      want: false,
    },
  ])("$name", ({ traits = {}, minReadySeconds = 0, after = 0, want }) => {
    expect(isAvailable(pod("a", { readyAt, ...traits }), minReadySeconds, at + after)).toBe(want);
  });

  test("readySince is when it became Ready, not when it stopped being", () => {
    expect(readySince(pod("a", { readyAt }))).toBe(at);
    expect(readySince(pod("a", { readyAt, ready: false }))).toBeUndefined();
  });
});
