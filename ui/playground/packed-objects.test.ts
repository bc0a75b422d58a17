import { describe, expect, test } from "vitest";
import type { StoredObject } from "../../src/api/object.ts";
import type { WatchEvent } from "../../src/machinery/client/client.ts";
import { eventPacker, eventUnpacker, packList, unpackItems } from "./packed-objects.ts";

const pod = (name: string, phase: string, image = "a:1") =>
  ({
    metadata: { namespace: "default", name, uid: `uid-of-${name}`, resourceVersion: phase },
    spec: { containers: [{ name: "a", image, terminationMessagePath: "/dev/termination-log" }] },
    status: { phase },
  }) satisfies StoredObject & Record<string, unknown>;

const events: readonly WatchEvent<StoredObject>[] = [
  { type: "ADDED", object: pod("one", "Pending") },
  { type: "ADDED", object: pod("two", "Pending") },
  { type: "MODIFIED", object: pod("one", "Running") },
  { type: "BOOKMARK", resourceVersion: "7", initialEventsEnd: true },
  { type: "DELETED", object: pod("two", "Pending") },
  { type: "ADDED", object: pod("two", "Pending", "a:2") },
  { type: "MODIFIED", object: pod("never-added", "Running") },
];

function sentThrough(all: readonly WatchEvent<StoredObject>[]) {
  const [pack, unpack] = [eventPacker(), eventUnpacker()];
  return all.map((event) => unpack(structuredClone(pack(event))));
}

describe("objects on their way to the page", () => {
  test("events arrive as they were sent", () => {
    expect(sentThrough(events)).toEqual(events);
  });

  test("versions of an object, and Pods that are alike, share what they have in common", () => {
    const [one, two, later] = sentThrough(events).map((event) =>
      "object" in event ? event.object : {},
    ) as readonly {
      readonly spec?: object;
    }[];
    expect(two?.spec).toBe(one?.spec);
    expect(later?.spec).toBe(one?.spec);
  });

  test("managed fields are not sent", () => {
    const { metadata, ...rest } = pod("one", "Running");
    const object = { metadata: { ...metadata, managedFields: [{ manager: "kubectl" }] }, ...rest };
    expect(sentThrough([{ type: "ADDED", object }])).toEqual([
      { type: "ADDED", object: pod("one", "Running") },
    ]);
  });

  test("a list arrives as it was sent", () => {
    const items = [pod("one", "Running"), pod("two", "Running"), pod("three", "Pending", "a:2")];
    const { items: packed, ...rest } = structuredClone(packList({ items, resourceVersion: "9" }));
    expect(unpackItems(packed)).toEqual(items);
    expect(rest).toEqual({ resourceVersion: "9" });
  });
});
