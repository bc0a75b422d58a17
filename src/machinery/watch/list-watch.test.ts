import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { ConfigMap } from "../../api/generated/core-v1.ts";
import { compareResourceVersions } from "../../api/resource-version.ts";
import { deepFreeze } from "../../testing/deep-freeze.ts";
import { type ListWatchTransition, step } from "./list-watch.ts";
import { object, transitions } from "./list-watch.cases.ts";
import { initialState, type ListWatchEvent, type ListWatchState } from "./list-watch-state.ts";

test.for(transitions)("the machine $name", ({ state, event, want, outputs = [] }) => {
  expect(step(deepFreeze(state), deepFreeze(event))).toEqual([want, outputs]);
});

test("the backoff doubles up to half a minute and jitter adds at most as much again", () => {
  const delayMs = (failures: number, jitter: number) => {
    const [state] = step({ ...initialState, failures }, { type: "failed", error: new Error("cut"), jitter });
    return state.phase === "backing-off" ? state.delayMs : undefined;
  };
  expect([0, 1, 2, 5, 6, 2000].map((failures) => delayMs(failures, 0))).toEqual([
    800, 1600, 3200, 25_600, 30_000, 30_000,
  ]);
  expect(delayMs(0, 0.5)).toBe(1200);
});

const jitter = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const anyEvent: fc.Arbitrary<ListWatchEvent<ConfigMap>> = fc.oneof(
  fc.constantFrom(...transitions.map(({ event }) => event)),
  fc.record({ type: fc.constant("ended" as const), lastedMs: fc.nat(2000), jitter }),
  fc.record({
    type: fc.constant("watched" as const),
    event: fc.record({
      type: fc.constantFrom("ADDED", "MODIFIED", "DELETED"),
      object: fc.nat(50).map((version) => object(String(version))),
    }),
  }),
);

/** Plays events one after the other, resting where the machine wants to. */
function* play(events: readonly ListWatchEvent<ConfigMap>[]) {
  let state: ListWatchState = initialState;
  for (const event of events) {
    const [next, outputs]: ListWatchTransition<ConfigMap> = step(state, event);
    yield { before: state, event, after: next, outputs };
    state = next.phase === "backing-off" ? next.next : next;
  }
}

test("whatever happens, the version reached falls only when the collection is listed again", () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 100, size: "max" }), (events) => {
      for (const { before, after } of play(events)) {
        if (before.phase !== "watching" || after.phase !== "watching") continue;
        const order = compareResourceVersions(after.resourceVersion, before.resourceVersion) ?? 0;
        expect(order).toBeGreaterThanOrEqual(0);
      }
    }),
  );
});

test("whatever happens, what was gathered is either the whole collection or thrown away", () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 100, size: "max" }), (events) => {
      let isGathering = false;
      for (const { after, outputs } of play(events)) {
        for (const { type } of outputs) {
          if (type === "gather") isGathering = true;
          if (type === "replace" || type === "discard") isGathering = false;
        }
        const next = after.phase === "backing-off" ? after.next : after;
        if (next.phase === "watching") expect(isGathering).toBe(false);
      }
    }),
  );
});

test("nothing that keeps going wrong goes without a rest", () => {
  const trouble: fc.Arbitrary<ListWatchEvent<ConfigMap>> = fc.constantFrom(
    ...transitions.map(({ event }) => event).filter(({ type }) => type === "failed"),
    { type: "ended", lastedMs: 0, jitter: 0 },
    { type: "watched", event: { type: "BOOKMARK", resourceVersion: "10", initialEventsEnd: true } },
    { type: "page", page: { items: [], resourceVersion: "10" } },
  );
  fc.assert(
    fc.property(fc.array(trouble, { maxLength: 100, size: "max" }), (events) => {
      const unrested = [...play(events)].filter(({ before, event, after }) => {
        const isTrouble = event.type === "failed" || (event.type === "ended" && before.phase !== "listing");
        return isTrouble && after.phase !== "backing-off";
      });
      // A refusal to stream is answered at once, and so is the first version that is gone.
      expect(unrested.length).toBeLessThanOrEqual(2);
    }),
  );
});
