import { describe, expect, test } from "vitest";
import type { Event } from "../../../../api/generated/core-v1.ts";
import type { Event as NewerEvent } from "../../../../api/generated/events-v1.ts";
import type { Sent } from "../../../../api/sent.ts";
import { problemsOf, problemsOfUpdate } from "../workload/workload-fixture.cases.ts";
import { coreEventStrategy, eventStrategy } from "./strategy.ts";

const metadata = { name: "web.1", namespace: "games" };
const involvedObject = { kind: "Pod", namespace: "games", name: "web", uid: "u" };
const eventTime = "2026-11-15T00:00:00.000000Z";
const elsewhere = (namespace: string) =>
  `involvedObject.namespace: Invalid value: ${JSON.stringify(namespace)}: does not match event.namespace`;

test.for<{ name: string; sent: Sent<Event>; want: string[] }>([
  { name: "lives with its object", sent: { metadata, involvedObject }, want: [] },
  {
    name: "does not live elsewhere",
    sent: { metadata, involvedObject: { namespace: "other" } },
    want: [elsewhere("other")],
  },
  {
    name: "of the cluster lives in default",
    sent: { metadata: { namespace: "default" }, involvedObject: { kind: "Node" } },
    want: [],
  },
  {
    name: "of the cluster lives nowhere else",
    sent: { metadata, involvedObject: { kind: "Node" } },
    want: [elsewhere("")],
  },
  {
    name: "with a time says who reports what",
    sent: { metadata, involvedObject, eventTime, reportingComponent: "a/b", reportingInstance: "x" },
    want: ["action: Required value", "reason: Required value"],
  },
  {
    name: "with a time is brief",
    sent: {
      metadata,
      involvedObject,
      eventTime,
      reportingComponent: "a/b",
      reportingInstance: "x",
      action: "Kill",
      reason: "r".repeat(129),
      message: "m".repeat(1025),
    },
    want: [
      'reason: Invalid value: "": can have at most 128 characters',
      'message: Invalid value: "": can have at most 1024 characters',
    ],
  },
])("a core event $name", ({ sent, want }) => {
  expect(problemsOf(coreEventStrategy, sent)).toEqual(want);
});

describe("a newer event", () => {
  const sent: Sent<NewerEvent> = {
    metadata,
    regarding: involvedObject,
    eventTime,
    reportingController: "example.com/a",
    reportingInstance: "a-1",
    action: "Killing",
    reason: "ScaleDown",
    type: "Normal",
  };

  test.for<{ name: string; change: Sent<NewerEvent>; want: string[] }>([
    { name: "is complete", change: {}, want: [] },
    {
      name: "is normal or a warning",
      change: { type: "Fatal" },
      want: ['type: Invalid value: "": has invalid value: Fatal'],
    },
    {
      name: "has none of the old members",
      change: { deprecatedCount: 2 },
      want: ['count: Invalid value: "": needs to be unset'],
    },
    {
      name: "is a series from the second on",
      change: { series: { count: 1, lastObservedTime: eventTime } },
      want: ['series.count: Invalid value: "": should be at least 2'],
    },
  ])("$name", ({ change, want }) => {
    expect(problemsOf(eventStrategy, { ...sent, ...change })).toEqual(want);
  });

  test("changes in its series only", () => {
    const series = { count: 2, lastObservedTime: eventTime };
    expect(problemsOfUpdate(eventStrategy, { ...sent, series }, sent)).toEqual([]);
    expect(problemsOfUpdate(eventStrategy, { ...sent, note: "other" }, { ...sent, note: "one" })).toEqual([
      'message: Invalid value: "other": field is immutable',
    ]);
  });
});

test("events can be selected by what they are about, in both shapes", () => {
  const object = { involvedObject, reason: "Killing", type: "Normal", reportingComponent: "a/b" };
  expect(coreEventStrategy.selectableFields?.(object)).toMatchObject({
    "involvedObject.name": "web",
    "involvedObject.fieldPath": "",
    reason: "Killing",
    source: "a/b",
  });
  expect(
    eventStrategy.selectableFields?.({ regarding: involvedObject, reportingController: "a/b" }),
  ).toMatchObject({
    "regarding.uid": "u",
    reportingController: "a/b",
  });
});
