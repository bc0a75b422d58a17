import * as fc from "fast-check";
import { expect, test } from "vitest";
import { VirtualClock } from "./clock/virtual-clock.ts";
import { Expectations } from "./expectations.ts";
import { silentLogger } from "./log/logger.ts";

const minuteMs = 60_000;

function start() {
  const clock = new VirtualClock();
  const errors: unknown[] = [];
  const log = { ...silentLogger, error: (_message: string, fields?: unknown) => void errors.push(fields) };
  return { clock, errors, expectations: new Expectations(clock, log) };
}

type Act = (expectations: Expectations) => void;

test.for<{ name: string; acts: readonly Act[]; satisfied: boolean }>([
  { name: "nothing is expected", acts: [], satisfied: true },
  { name: "no creations are expected", acts: [(e) => e.expectCreations("rs", 0)], satisfied: true },
  { name: "a creation is outstanding", acts: [(e) => e.expectCreations("rs", 1)], satisfied: false },
  {
    name: "only some creations were seen",
    acts: [(e) => e.expectCreations("rs", 2), (e) => e.creationObserved("rs")],
    satisfied: false,
  },
  {
    name: "more creations were seen than expected",
    acts: [
      (e) => e.expectCreations("rs", 1),
      (e) => e.creationObserved("rs"),
      (e) => e.creationObserved("rs"),
    ],
    satisfied: true,
  },
  {
    name: "creations were seen before they were expected",
    acts: [(e) => e.creationObserved("rs"), (e) => e.expectCreations("rs", 1)],
    satisfied: false,
  },
  {
    name: "another object's creation was seen",
    acts: [(e) => e.expectCreations("rs", 1), (e) => e.creationObserved("other")],
    satisfied: false,
  },
  { name: "a deletion is outstanding", acts: [(e) => e.expectDeletions("rs", ["a"])], satisfied: false },
  { name: "no deletions are expected", acts: [(e) => e.expectDeletions("rs", [])], satisfied: true },
  {
    name: "all deletions were seen",
    acts: [
      (e) => e.expectDeletions("rs", ["a", "b"]),
      (e) => e.deletionObserved("rs", "a"),
      (e) => e.deletionObserved("rs", "b"),
    ],
    satisfied: true,
  },
  {
    name: "one deletion was seen twice",
    acts: [
      (e) => e.expectDeletions("rs", ["a", "b"]),
      (e) => e.deletionObserved("rs", "a"),
      (e) => e.deletionObserved("rs", "a"),
    ],
    satisfied: false,
  },
  {
    name: "a deletion was expected twice and seen once",
    acts: [(e) => e.expectDeletions("rs", ["a", "a"]), (e) => e.deletionObserved("rs", "a")],
    satisfied: true,
  },
  {
    name: "a deletion was observed that was not expected",
    acts: [(e) => e.expectDeletions("rs", ["a"]), (e) => e.deletionObserved("rs", "b")],
    satisfied: false,
  },
  {
    name: "creations are expected instead of deletions, and those are seen",
    acts: [
      (e) => e.expectDeletions("rs", ["a"]),
      (e) => e.expectCreations("rs", 1),
      (e) => e.deletionObserved("rs", "a"),
    ],
    satisfied: false,
  },
  {
    name: "the object is gone",
    acts: [(e) => e.expectCreations("rs", 1), (e) => e.forget("rs")],
    satisfied: true,
  },
  {
    name: "the object was created again and an event of the old one is late",
    acts: [
      (e) => e.expectDeletions("rs", ["a"]),
      (e) => e.forget("rs"),
      (e) => e.expectCreations("rs", 1),
      (e) => e.deletionObserved("rs", "a"),
    ],
    satisfied: false,
  },
])("expectations are satisfied: $satisfied, when $name", ({ acts, satisfied }) => {
  const { expectations } = start();
  for (const act of acts) act(expectations);
  expect(expectations.areSatisfied("rs")).toBe(satisfied);
});

test("unmet expectations stop counting after five minutes, and say when to sync", async () => {
  const { clock, expectations } = start();
  expectations.expectCreations("rs", 1);
  await clock.advance(2 * minuteMs);
  const waitMs = expectations.expireInMs("rs") ?? 0;
  expect(waitMs).toBe(3 * minuteMs + 1);
  await clock.advance(waitMs - 1);
  expect(expectations.areSatisfied("rs")).toBe(false);
  await clock.advance(1);
  expect(expectations.areSatisfied("rs")).toBe(true);
  expect(expectations.expireInMs("rs")).toBeUndefined();
});

test("deletions that were still expected are reported when others take their place", () => {
  const { errors, expectations } = start();
  expectations.expectDeletions("rs", ["a", "b"]);
  expectations.deletionObserved("rs", "b");
  expectations.expectDeletions("rs", ["c"]);
  expect(errors).toEqual([{ key: "rs", outstanding: ["a"] }]);
  expectations.deletionObserved("rs", "a");
  expect(expectations.areSatisfied("rs")).toBe(false);
  expectations.deletionObserved("rs", "c");
  expect(expectations.areSatisfied("rs")).toBe(true);
});

test("deletions are satisfied exactly when each expected one was seen, however often and in whatever order", () => {
  const key = fc.constantFrom("a", "b", "c", "d");
  fc.assert(
    fc.property(fc.array(key), fc.array(key, { maxLength: 12, size: "max" }), (doomed, seen) => {
      const { expectations } = start();
      expectations.expectDeletions("rs", doomed);
      for (const objectKey of seen) expectations.deletionObserved("rs", objectKey);
      expect(expectations.areSatisfied("rs")).toBe(doomed.every((objectKey) => seen.includes(objectKey)));
    }),
  );
});
