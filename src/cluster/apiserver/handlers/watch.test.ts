import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../api/json.ts";
import {
  pendingEvents,
  podOf,
  startTestApiServer,
  type TestApiServer,
} from "../api-server-fixture.contract.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";
const merge = "application/merge-patch+json";

const make = ({ request }: TestApiServer, name: string, labels: JsonObject = {}) =>
  request(`POST ${configMaps}`, { metadata: { name, labels } });
const relabel = ({ request }: TestApiServer, name: string, app: string | null) =>
  request(`PATCH ${configMaps}/${name}`, { metadata: { labels: { app } } }, merge);

async function serverWith(...names: readonly string[]): Promise<TestApiServer> {
  const fixture = await startTestApiServer();
  for (const name of names) await make(fixture, name);
  return fixture;
}

describe("a watch begins", () => {
  test.for([
    { name: "with what is there, without a version", query: "", want: ["ADDED a", "ADDED b"] },
    { name: "with what is there, from version 0", query: "&resourceVersion=0", want: ["ADDED a", "ADDED b"] },
    {
      name: "with what is there and a bookmark behind it, when asked for initial events",
      query: "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true",
      want: ["ADDED a", "ADDED b", "BOOKMARK 5 (end of initial events)"],
    },
    {
      name: "with what is there, when the end of it is of no interest",
      query: "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan",
      want: ["ADDED a", "ADDED b"],
    },
    {
      name: "with nothing, when initial events are declined",
      query: "&sendInitialEvents=false&resourceVersionMatch=NotOlderThan",
      want: [],
    },
    { name: "with what happened since a version", query: "&resourceVersion=4", want: ["ADDED b"] },
    { name: "with nothing, from the newest version", query: "&resourceVersion=5", want: [] },
  ])("$name", async ({ query, want }) => {
    const fixture = await serverWith("a", "b");
    expect(fixture.store.revision()).toBe(5);
    const stream = await fixture.watch(`${configMaps}?watch=1${query}`);
    expect(pendingEvents(stream)).toEqual(want);
    await make(fixture, "c");
    await fixture.clock.settle();
    expect(pendingEvents(stream)).toEqual(["ADDED c"]);
  });

  test("with what is there in key order, of one namespace or all", async () => {
    const fixture = await serverWith("b", "a");
    await fixture.request("POST /api/v1/namespaces", { metadata: { name: "another" } });
    await fixture.request("POST /api/v1/namespaces/another/configmaps", { metadata: { name: "z" } });
    expect(pendingEvents(await fixture.watch(`${configMaps}?watch=true`))).toEqual(["ADDED a", "ADDED b"]);
    expect(pendingEvents(await fixture.watch("/api/v1/configmaps?watch=true"))).toEqual([
      "ADDED z",
      "ADDED a",
      "ADDED b",
    ]);
  });

  test.for([
    { name: "initial events without a match", query: "sendInitialEvents=true" },
    { name: "a match without initial events", query: "resourceVersion=1&resourceVersionMatch=NotOlderThan" },
    {
      name: "initial events of an exact version",
      query: "sendInitialEvents=true&resourceVersionMatch=Exact",
    },
    {
      name: "a token",
      query: "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&continue=x",
    },
  ])("not with $name", async ({ query }) => {
    const { request } = await serverWith();
    expect(await request(`GET ${configMaps}?watch=true&${query}`)).toMatchObject({
      code: 422,
      body: { details: { kind: "ListOptions" } },
    });
  });

  test("with what was there when it began, though that changes while it is read", async () => {
    const fixture = await serverWith("a", "b", "c");
    const query = "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
    const stream = await fixture.watch(`${configMaps}?watch=1${query}`);
    const [first] = stream.take(1);
    await relabel(fixture, "b", "web");
    await fixture.request(`DELETE ${configMaps}/c`);
    await make(fixture, "aa");
    await fixture.clock.settle();
    await fixture.clock.advance(60_000); // for a bookmark
    expect(first).toMatchObject({ type: "ADDED", item: { object: { metadata: { name: "a" } } } });
    expect(pendingEvents(stream)).toEqual([
      "ADDED b",
      "ADDED c",
      "BOOKMARK 6 (end of initial events)",
      "MODIFIED b",
      "DELETED c",
      "ADDED aa",
      "BOOKMARK 9",
    ]);
  });

  test("when the version it wants to be fresh as has come, or not at all", async () => {
    const fixture = await serverWith();
    const next = fixture.store.revision() + 1;
    const query = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
    const late = fixture.watch(`${configMaps}?watch=true&${query}&resourceVersion=${next}`);
    await make(fixture, "a");
    await fixture.clock.advance(100);
    expect(pendingEvents(await late)).toEqual(["ADDED a", `BOOKMARK ${next} (end of initial events)`]);
    const never = fixture.request(`GET ${configMaps}?watch=true&${query}&resourceVersion=999`);
    await fixture.clock.advance(3000);
    expect(await never).toMatchObject({ code: 504 });
  });
});

describe("a watch is over at once", () => {
  test.for([
    { name: "when history does not reach that far", revision: () => 3 },
    { name: "when its version is from another life of the server", revision: () => 1_000_000 },
  ])("$name", async ({ revision }) => {
    const fixture = await serverWith("a", "b");
    fixture.store.compact();
    const stream = await fixture.watch(`${configMaps}?watch=true&resourceVersion=${revision()}`);
    const [item] = stream.take(5);
    expect(item).toMatchObject({ type: "ERROR", status: { code: 410, reason: "Expired" } });
    expect(item?.type === "ERROR" && item.status.message).toBe(`too old resource version: ${revision()} (5)`);
    expect(stream.ended).toBe(true);
    expect(stream.hasPending).toBe(false);
  });
});

describe("a selection", () => {
  test("is entered and left, and what leaves is shown as it was last seen", async () => {
    const fixture = await serverWith();
    const stream = await fixture.watch(`${configMaps}?watch=true&labelSelector=app=web`);
    await make(fixture, "a");
    await relabel(fixture, "a", "web");
    await fixture.request(`PATCH ${configMaps}/a`, { data: { key: "1" } }, merge);
    await relabel(fixture, "a", "db");
    await relabel(fixture, "a", null);
    await fixture.request(`DELETE ${configMaps}/a`);
    await fixture.clock.settle();
    const items = stream.take(10);
    expect(items.map(({ type }) => type)).toEqual(["ADDED", "MODIFIED", "DELETED"]);
    const [, modified, deleted] = items;
    const objectOf = (item: typeof deleted) =>
      item !== undefined && "item" in item ? item.item.object : undefined;
    expect(objectOf(deleted)).toMatchObject({ data: { key: "1" }, metadata: { labels: { app: "web" } } });
    expect(Number(objectOf(deleted)?.metadata.resourceVersion)).toBe(
      Number(objectOf(modified)?.metadata.resourceVersion) + 1,
    );
  });

  test("is the same whether it is watched or resumed", async () => {
    const fixture = await serverWith();
    const from = fixture.store.revision();
    const live = await fixture.watch(
      `${configMaps}?watch=true&labelSelector=app=web&resourceVersion=${from}`,
    );
    await make(fixture, "a", { app: "web" });
    await relabel(fixture, "a", "db");
    await relabel(fixture, "a", "web");
    await fixture.request(`DELETE ${configMaps}/a`);
    await fixture.clock.settle();
    const resumed = await fixture.watch(
      `${configMaps}?watch=true&labelSelector=app=web&resourceVersion=${from}`,
    );
    const want = ["ADDED a", "DELETED a", "ADDED a", "DELETED a"];
    expect(pendingEvents(live)).toEqual(want);
    expect(pendingEvents(resumed)).toEqual(want);
  });

  test("by name or node gets no other events", async () => {
    const fixture = await startTestApiServer();
    const pods = "/api/v1/namespaces/default/pods";
    const byName = await fixture.watch(`${pods}?watch=true&fieldSelector=metadata.name=a`);
    const byNode = await fixture.watch("/api/v1/pods?watch=true&fieldSelector=spec.nodeName=n1");
    await fixture.request(`POST ${pods}`, podOf("a"));
    await fixture.request(`POST ${pods}`, podOf("b", { nodeName: "n1" }));
    await fixture.request(`POST ${pods}/a/binding`, {
      metadata: { name: "a" },
      target: { kind: "Node", name: "n1" },
    });
    await fixture.clock.settle();
    expect(pendingEvents(byName)).toEqual(["ADDED a", "MODIFIED a"]);
    expect(pendingEvents(byNode)).toEqual(["ADDED b", "ADDED a"]);
  });
});

describe("bookmarks", () => {
  test("come every minute when the client allows them", async () => {
    const fixture = await serverWith("a");
    const plain = await fixture.watch(`${configMaps}?watch=true&resourceVersion=4`);
    const marked = await fixture.watch(`${configMaps}?watch=true&resourceVersion=4&allowWatchBookmarks=true`);
    await fixture.clock.advance(60_000);
    await fixture.request("POST /api/v1/nodes", { metadata: { name: "n" } });
    await fixture.clock.advance(60_000);
    expect(pendingEvents(plain)).toEqual([]);
    expect(pendingEvents(marked)).toEqual(["BOOKMARK 4", "BOOKMARK 5"]);
  });

  test("never pass an event that is still on its way", async () => {
    const fixture = await serverWith();
    const stream = await fixture.watch(`${configMaps}?watch=true&resourceVersion=3&allowWatchBookmarks=true`);
    fixture.clock.after(60_000, () => void make(fixture, "a"));
    await fixture.clock.advance(120_000);
    const items = pendingEvents(stream);
    for (const [index, item] of items.entries())
      if (item === "ADDED a") expect(items.slice(0, index)).not.toContain("BOOKMARK 4");
    expect(items).toContain("BOOKMARK 4");
  });
});

test("a watch lasts as long as its timeout, with a bookmark just before the end", async () => {
  const fixture = await serverWith();
  const stream = await fixture.watch(
    `${configMaps}?watch=true&resourceVersion=3&allowWatchBookmarks=true&timeoutSeconds=10`,
  );
  await fixture.clock.advance(7999);
  expect(pendingEvents(stream)).toEqual([]);
  await fixture.clock.advance(1);
  expect(pendingEvents(stream)).toEqual(["BOOKMARK 3"]);
  await fixture.clock.advance(2000);
  expect(stream.ended).toBe(true);
});

test("a watch without a timeout lasts between half an hour and an hour", async () => {
  const fixture = await serverWith();
  const streams = await Promise.all(
    Array.from({ length: 8 }, () => fixture.watch(`${configMaps}?watch=true&resourceVersion=3`)),
  );
  await fixture.clock.advance(1_799_999);
  expect(streams.some((stream) => stream.ended)).toBe(false);
  await fixture.clock.advance(900_000);
  const over = streams.filter((stream) => stream.ended).length;
  expect(over).toBeGreaterThan(0);
  expect(over).toBeLessThan(8);
  await fixture.clock.advance(900_001);
  expect(streams.every((stream) => stream.ended)).toBe(true);
});

test("a watch ends after an hour, however long its client asked for", async () => {
  const { watch, clock } = await startTestApiServer();
  const stream = await watch(`${configMaps}?watch=true&timeoutSeconds=${365 * 86_400}`);
  await clock.advance(3_599_999);
  expect(stream.ended).toBe(false);
  await clock.advance(1);
  expect(stream.ended).toBe(true);
});
