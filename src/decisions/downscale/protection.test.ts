import { expect, test } from "vitest";
import { formatTime, parseTime } from "../../api/time.ts";
import { pod, type PodTraits } from "../../testing/pod.ts";
import { protectionEndsAt, splitByProtection } from "./protection.ts";

const now = parseTime("2026-01-01T12:00:00Z") ?? 0;
const later = formatTime(now + 60_000);
const labelled = { labels: { "trimtab.dev/protected": "" } };
const until = (time: string) => ({ annotations: { "trimtab.dev/protect-until": time } });

const split = (traits: PodTraits, named?: ReadonlySet<string>) =>
  splitByProtection([pod("a", traits)], { now, named });

test.for<{ name: string; traits: PodTraits; want: string | undefined }>([
  { name: "the label protects", traits: labelled, want: "label" },
  { name: "an annotation protects until its time", traits: until(later), want: "annotation" },
  { name: "its time included, it does not", traits: until(formatTime(now)), want: undefined },
  { name: "a time that cannot be read does not", traits: until("soon"), want: undefined },
  { name: "no Pod without a node", traits: { ...labelled, node: null }, want: undefined },
  { name: "no Pod that is not Running", traits: { ...labelled, phase: "Pending" }, want: undefined },
  { name: "no Pod that is not Ready", traits: { ...labelled, ready: false }, want: undefined },
  { name: "no Pod that is being deleted", traits: { ...labelled, deletedAt: later }, want: undefined },
])("$name", ({ traits, want }) => {
  expect(split(traits).protected[0]?.because.by).toBe(want);
});

test("a picker protects those that it names, and only those that work", () => {
  expect(split({}, new Set(["a"])).protected[0]?.because).toEqual({ by: "picker" });
  expect(split({ ready: false }, new Set(["a"])).free).toHaveLength(1);
});

test("a time that cannot be read is reported, and the first end is when to look again", () => {
  expect(split(until("soon")).unreadable).toHaveLength(1);
  expect(protectionEndsAt(split(until(later)).protected)).toBe(now + 60_000);
  expect(protectionEndsAt(split(labelled).protected)).toBeUndefined();
});
