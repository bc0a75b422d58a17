import { expect, test } from "vitest";
import type { ConfigMap } from "../../../api/generated/core-v1.ts";
import { configMaps, deployments } from "../../../api/resources.ts";
import { isGone, isInvalid } from "../api-error.ts";
import type { WatchEvent, WatchQuery } from "../client.ts";
import {
  brief,
  type CreateClient,
  deploymentDraft,
  errorOf,
  makeConfigMap,
  newNamespace,
  newClientFixture,
  take,
  type ClientFixture,
} from "./client-fixture.contract.ts";

const forever = new AbortController().signal;
const initial = {
  sendInitialEvents: true,
  resourceVersionMatch: "NotOlderThan",
  allowWatchBookmarks: true,
} as const;

const watchHere = ({ client, namespace }: ClientFixture, query: WatchQuery = {}, signal = forever) =>
  client.watch(configMaps, { namespace, ...query }, signal);

const setKey = ({ client, at }: ClientFixture, name: string, value: string) =>
  client.patch(configMaps, at(name), { type: "merge", body: { data: { key: value } } });

const setLabel = ({ client, at }: ClientFixture, name: string, app: string) =>
  client.patch(configMaps, at(name), { type: "merge", body: { metadata: { labels: { app } } } });

const versionOf = (event: WatchEvent<ConfigMap> | undefined) =>
  event?.type === "BOOKMARK" ? event.resourceVersion : (event?.object.metadata.resourceVersion ?? "");

export function describeWatching(create: CreateClient): void {
  test("a watch from a list delivers every later event, in order", async () => {
    const fixture = await newClientFixture(create);
    await makeConfigMap(fixture, "before");
    const { resourceVersion } = await fixture.client.list(configMaps, { namespace: fixture.namespace });
    const added = await makeConfigMap(fixture, "a");
    const modified = await setKey(fixture, "a", "1");
    await fixture.client.delete(configMaps, fixture.at("a"));

    const events = await take(watchHere(fixture, { resourceVersion }), 3);
    const [first, second, last] = events;
    expect([first, second]).toEqual([
      { type: "ADDED", object: added },
      { type: "MODIFIED", object: modified },
    ]);
    // The last state of the object, at the version of its deletion.
    expect(last).toMatchObject({
      type: "DELETED",
      object: { data: { key: "1" }, metadata: { uid: added.metadata.uid } },
    });
    const versions = events.map((event) => BigInt(versionOf(event)));
    expect(versions).toEqual([...versions].sort((a, b) => (a < b ? -1 : 1)));
    expect(new Set(versions).size).toBe(3);
  });

  test("who can do without managed fields sees all else of the objects", async () => {
    const fixture = await newClientFixture(create);
    const { client, namespace } = fixture;
    const whole = await makeConfigMap(fixture, "a", { data: { key: "}]}," } });
    const { managedFields, ...metadata } = whole.metadata;
    const wanted: typeof whole = { ...whole, metadata };
    const query = { namespace, withoutManagedFields: true };
    expect((await client.list(configMaps, query)).items).toMatchObject([wanted]);
    const [first] = await take(watchHere(fixture, { ...initial, ...query }), 1);
    expect(first).toMatchObject({ type: "ADDED", object: wanted });
    // A write of such an object leaves the managed fields as they are.
    const updated = await client.update(configMaps, wanted);
    expect(updated.metadata.managedFields).toEqual(managedFields);
  });

  test("an open watch delivers events as they happen", async () => {
    const fixture = await newClientFixture(create);
    const watch = watchHere(fixture, initial)[Symbol.asyncIterator]();
    expect(await watch.next()).toMatchObject({ value: { type: "BOOKMARK", initialEventsEnd: true } });
    const next = watch.next();
    const added = await makeConfigMap(fixture, "a");
    expect(await next).toEqual({ done: false, value: { type: "ADDED", object: added } });
    await watch.return?.();
  });

  test.for([{ resourceVersion: undefined }, { resourceVersion: "0" }])(
    "a watch from version $resourceVersion begins with what there is",
    async ({ resourceVersion }) => {
      const fixture = await newClientFixture(create);
      const a = await makeConfigMap(fixture, "a");
      await makeConfigMap(fixture, "b");
      const watch = watchHere(fixture, { resourceVersion })[Symbol.asyncIterator]();
      const seen = [(await watch.next()).value, (await watch.next()).value] as WatchEvent<ConfigMap>[];
      expect(brief(seen).sort()).toEqual(["ADDED a", "ADDED b"]);
      expect(seen).toContainEqual({ type: "ADDED", object: a });
      await setKey(fixture, "b", "1");
      expect(await watch.next()).toMatchObject({
        value: { type: "MODIFIED", object: { data: { key: "1" } } },
      });
      await watch.return?.();
    },
  );

  test("a watch says when the initial events are over, at a version to go on from", async () => {
    const fixture = await newClientFixture(create);
    await makeConfigMap(fixture, "a");
    const { resourceVersion } = (await makeConfigMap(fixture, "b")).metadata;
    const events = await take(watchHere(fixture, initial), 3);
    expect(brief(events.slice(0, 2)).sort()).toEqual(["ADDED a", "ADDED b"]);
    expect(brief(events.slice(2))).toEqual(["BOOKMARK (initial events end)"]);
    const reached = versionOf(events[2]);
    expect(BigInt(reached)).toBeGreaterThanOrEqual(BigInt(resourceVersion));

    await makeConfigMap(fixture, "c");
    expect(brief(await take(watchHere(fixture, { resourceVersion: reached }), 1))).toEqual(["ADDED c"]);
  });

  test("a watch can be resumed after any of its events", async () => {
    const fixture = await newClientFixture(create);
    const { resourceVersion } = await fixture.client.list(configMaps, { namespace: fixture.namespace });
    for (const name of ["a", "b", "c"]) await makeConfigMap(fixture, name);
    const whole = await take(watchHere(fixture, { resourceVersion }), 3);
    for (const [index, event] of whole.entries()) {
      const rest = whole.slice(index + 1);
      expect(await take(watchHere(fixture, { resourceVersion: versionOf(event) }), rest.length)).toEqual(
        rest,
      );
    }
  });

  test("every change is delivered, however fast they come", async () => {
    const fixture = await newClientFixture(create);
    const { resourceVersion } = (await makeConfigMap(fixture, "a")).metadata;
    const values = Array.from({ length: 50 }, (_, index) => String(index));
    for (const value of values) await setKey(fixture, "a", value);
    const events = await take(watchHere(fixture, { resourceVersion }), values.length);
    expect(events.map((event) => (event.type === "MODIFIED" ? event.object.data?.["key"] : event))).toEqual(
      values,
    );
  });

  test("a watch delivers status changes too", async () => {
    const { client, namespace, at } = await newClientFixture(create);
    const { metadata } = await client.create(deployments, deploymentDraft({ namespace }, "web"));
    const status = { observedGeneration: 1 };
    await client.patch(deployments, at("web"), { type: "merge", body: { status }, subresource: "status" });
    const watch = client.watch(
      deployments,
      { namespace, resourceVersion: metadata.resourceVersion },
      forever,
    );
    expect(await take(watch, 1)).toMatchObject([{ type: "MODIFIED", object: { status } }]);
  });

  test("objects come and go for a watch as they begin and cease to match its selector", async () => {
    const fixture = await newClientFixture(create);
    const { resourceVersion } = await makeConfigMap(fixture, "a", { labels: { app: "web" } }).then(
      (a) => a.metadata,
    );
    await setLabel(fixture, "a", "db");
    await setKey(fixture, "a", "unseen");
    await setLabel(fixture, "a", "web");
    await setKey(fixture, "a", "seen");
    await fixture.client.delete(configMaps, fixture.at("a"));
    const events = await take(watchHere(fixture, { resourceVersion, labelSelector: "app=web" }), 4);
    expect(brief(events)).toEqual(["DELETED a", "ADDED a", "MODIFIED a", "DELETED a"]);
    // What stops matching is shown as it last matched.
    expect(events[0]).toMatchObject({ object: { metadata: { labels: { app: "web" } } } });
  });

  test("a watch keeps to its namespace and its field selector", async () => {
    const fixture = await newClientFixture(create);
    const elsewhere = { ...fixture, namespace: await newNamespace(fixture.client) };
    const { resourceVersion } = await fixture.client.list(configMaps, {});
    await makeConfigMap(elsewhere, "b");
    await makeConfigMap(fixture, "a");
    await makeConfigMap(fixture, "b");
    const watch = watchHere(fixture, { resourceVersion, fieldSelector: "metadata.name=b" });
    expect(await take(watch, 1)).toMatchObject([
      { object: { metadata: { namespace: fixture.namespace, name: "b" } } },
    ]);
  });

  test("a watch from a past the server has forgotten is gone", async ({ skip }) => {
    const { compact, ...fixture } = await newClientFixture(create);
    if (compact === undefined) return skip("the server cannot be made to forget");
    const { resourceVersion } = (await makeConfigMap(fixture, "a")).metadata;
    await setKey(fixture, "a", "1");
    await setKey(fixture, "a", "2");
    await compact();
    expect(isGone(await errorOf(take(watchHere(fixture, { resourceVersion }), 1)))).toBe(true);
  });

  test.for([
    { name: "initial events without a match", query: { sendInitialEvents: true } },
    {
      name: "a match without initial events",
      query: { resourceVersion: "1", resourceVersionMatch: "NotOlderThan" as const },
    },
  ])("a watch refuses $name", async ({ query }) => {
    const fixture = await newClientFixture(create);
    expect(isInvalid(await errorOf(take(watchHere(fixture, query), 1)))).toBe(true);
  });

  test("an abort ends a watch with its own reason, waiting or not yet begun", async () => {
    const fixture = await newClientFixture(create);
    const enough = new Error("enough");
    const controller = new AbortController();
    const watch = watchHere(fixture, initial, controller.signal)[Symbol.asyncIterator]();
    await watch.next();
    const next = errorOf(watch.next());
    controller.abort(enough);
    expect(await next).toBe(enough);
    expect(await errorOf(take(watchHere(fixture, initial, controller.signal), 1))).toBe(enough);
  });

  test("the server ends a watch quietly when its time is up, with a bookmark before", async ({ skip }) => {
    const { pass, ...fixture } = await newClientFixture(create);
    if (pass === undefined) return skip("the server's time cannot be made to pass");
    const watch = watchHere(fixture, { ...initial, timeoutSeconds: 10 })[Symbol.asyncIterator]();
    const first = await watch.next(); // which shows that the server's time for it has begun
    expect(brief([first.value as WatchEvent<ConfigMap>])).toEqual(["BOOKMARK (initial events end)"]);
    const { resourceVersion } = (await makeConfigMap(fixture, "a")).metadata;
    const remaining = rest(watch);
    await pass(11_000);
    const [added, ...bookmarks] = await remaining;
    expect(added).toMatchObject({ type: "ADDED" });
    expect(new Set(brief(bookmarks))).toEqual(new Set(["BOOKMARK"]));
    for (const bookmark of bookmarks)
      expect(BigInt(versionOf(bookmark))).toBeGreaterThanOrEqual(BigInt(resourceVersion));
  });
}

/** What a watch still delivers until it ends quietly. */
async function rest(watch: AsyncIterator<WatchEvent<ConfigMap>>): Promise<WatchEvent<ConfigMap>[]> {
  const events: WatchEvent<ConfigMap>[] = [];
  for (let next = await watch.next(); next.done !== true; next = await watch.next()) events.push(next.value);
  return events;
}
