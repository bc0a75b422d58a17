import { expect, test } from "vitest";
import {
  aggregateSimilar,
  correlateEvent,
  type EventDecision,
  type EventHistory,
  type SimilarEvents,
  takeToken,
  truncateMessage,
} from "./correlate-event.ts";

const start = 1_767_225_600_000; // 2026-01-01T00:00:00Z
const minute = 60_000;

const observed = (message: string) => ({
  draft: {
    regarding: { apiVersion: "apps/v1", kind: "ReplicaSet", namespace: "games", name: "web", uid: "u" },
    type: "Normal" as const,
    reason: "SuccessfulCreate",
    message,
  },
  source: { component: "replicaset-controller" },
  name: `web.${message}`,
});

/** Correlates one draft after the other, all with the history of one object, and returns the decisions. */
function play(drafts: readonly { readonly message: string; readonly at: number }[]): EventDecision[] {
  let group: EventHistory = {};
  const alone = new Map<string, EventHistory["single"]>();
  return drafts.map(({ message, at }) => {
    const outcome = correlateEvent({ ...group, single: alone.get(message) }, observed(message), start + at);
    group = outcome.history;
    alone.set(message, outcome.history.single);
    return outcome.decision;
  });
}

test("a new event is created whole", () => {
  expect(play([{ message: "Created pod: a", at: 0 }])).toEqual([
    {
      type: "create",
      event: {
        metadata: { name: "web.Created pod: a", namespace: "games" },
        involvedObject: {
          apiVersion: "apps/v1",
          kind: "ReplicaSet",
          namespace: "games",
          name: "web",
          uid: "u",
        },
        type: "Normal",
        reason: "SuccessfulCreate",
        message: "Created pod: a",
        count: 1,
        firstTimestamp: "2026-01-01T00:00:00Z",
        lastTimestamp: "2026-01-01T00:00:00Z",
        source: { component: "replicaset-controller" },
        reportingComponent: "replicaset-controller",
        reportingInstance: "",
      },
    },
  ]);
});

test("the same event again is counted on the one there is", () => {
  const [, again] = play([
    { message: "a", at: 0 },
    { message: "a", at: minute },
  ]);
  expect(again).toMatchObject({
    type: "patch",
    body: { count: 2, lastTimestamp: "2026-01-01T00:01:00Z", message: "a" },
    event: { metadata: { name: "web.a" }, firstTimestamp: "2026-01-01T00:00:00Z", count: 2 },
  });
});

test("from the tenth message on similar events are combined into one", () => {
  const messages = Array.from({ length: 12 }, (_, index) => `pod ${index}`);
  const decisions = play([...messages, "pod 0"].map((message, at) => ({ message, at })));
  expect(decisions.map(({ type }) => type)).toEqual([
    ...Array.from({ length: 10 }, () => "create"),
    "patch",
    "patch",
    "patch",
  ]);
  expect(decisions[9]).toMatchObject({
    event: { metadata: { name: "web.pod 9" }, message: "(combined from similar events): pod 9" },
  });
  expect(decisions[11]).toMatchObject({
    event: { metadata: { name: "web.pod 9" } },
    body: { count: 3, message: "(combined from similar events): pod 11" },
  });
  // A message that has an event of its own keeps it.
  expect(decisions[12]).toMatchObject({ event: { metadata: { name: "web.pod 0" }, count: 2 } });
});

test("one source may say 25 things of an object at once, then one in five minutes", () => {
  const burst = Array.from({ length: 27 }, () => ({ message: "a", at: 0 }));
  const decisions = play([...burst, { message: "a", at: 5 * minute - 1 }, { message: "a", at: 5 * minute }]);
  expect(decisions.map(({ type }) => type)).toEqual([
    "create",
    ...Array.from({ length: 24 }, () => "patch"),
    "drop",
    "drop",
    "drop",
    "patch",
  ]);
  // What was kept back is counted all the same.
  expect(decisions.at(-1)).toMatchObject({ body: { count: 29 } });
});

test("an event of which even the first was kept back is created when one may pass", () => {
  const burst = Array.from({ length: 25 }, () => ({ message: "a", at: 0 }));
  const decisions = play([...burst, { message: "b", at: 0 }, { message: "b", at: 5 * minute }]);
  expect(decisions.slice(25)).toMatchObject([{ type: "drop" }, { type: "create", event: { count: 2 } }]);
});

test("events of objects without a namespace live in default, and long messages are cut", () => {
  const { draft, ...rest } = observed("x".repeat(2000));
  const node = {
    ...draft,
    regarding: { kind: "Node", name: "n" },
    action: "Removing",
    related: { name: "r" },
  };
  expect(correlateEvent({}, { ...rest, draft: node }, start).decision).toMatchObject({
    event: {
      metadata: { namespace: "default" },
      message: `${"x".repeat(1020)} ...`,
      action: "Removing",
      related: { name: "r" },
    },
  });
});

test("ten quiet minutes make similar events new again", () => {
  let similar: SimilarEvents | undefined;
  const seen = Array.from({ length: 10 }, (_, index) => {
    const outcome = aggregateSimilar(similar, `pod ${index}`, start);
    similar = outcome.similar;
    return outcome.isAggregated;
  });
  expect(seen.at(-1)).toBe(true);
  expect(aggregateSimilar(similar, "pod 10", start + 10 * minute).isAggregated).toBe(true);
  expect(aggregateSimilar(similar, "pod 10", start + 10 * minute + 1).isAggregated).toBe(false);
});

test("a bucket that had time to fill is full and no fuller", () => {
  let fullAt: number | undefined = start;
  const later = start + 1000 * minute;
  const allowed = Array.from({ length: 26 }, () => {
    const outcome = takeToken(fullAt, later);
    ({ fullAt } = outcome);
    return outcome.allowed;
  });
  expect(allowed.filter(Boolean)).toHaveLength(25);
});

test.for([
  { name: "that fits stays as it is", text: "a".repeat(1024), want: "a".repeat(1024) },
  { name: "that does not is cut, which shows", text: "a".repeat(1025), want: `${"a".repeat(1020)} ...` },
  { name: "is cut between characters", text: "ä".repeat(600), want: `${"ä".repeat(510)} ...` },
  { name: "never ends in half a character", text: `a${"€".repeat(400)}`, want: `a${"€".repeat(339)} ...` },
])("a message $name", ({ text, want }) => {
  expect(truncateMessage(text)).toBe(want);
  expect(Buffer.byteLength(truncateMessage(text))).toBeLessThanOrEqual(1024);
});

test("a summary is written though all tokens are taken, and takes none", () => {
  const { draft, ...rest } = observed("Deleting all 40 pods");
  const summary = { ...rest, draft: { ...draft, reason: "DeletingPods", isSummary: true } };
  const exhausted = start + 25 * 5 * minute;
  const { decision, history } = correlateEvent({ fullAt: exhausted }, summary, start);
  expect(decision.type).toBe("create");
  expect(history.fullAt).toBe(exhausted);
  expect(correlateEvent({ fullAt: exhausted }, observed("Deleted pod: a"), start).decision.type).toBe("drop");
});
