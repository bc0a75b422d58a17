import { expect, test } from "vitest";
import { namesIn, pendingEvents, startTestApiServer } from "../api-server-fixture.contract.ts";
import { expireEvents } from "./expire-events.ts";

const events = "/api/v1/namespaces/default/events";
const involvedObject = { kind: "Pod", namespace: "default", name: "p" };
const event = (name: string) => ({ metadata: { name }, involvedObject, reason: "Test", type: "Normal" });

test("an event is removed an hour after its last write, and watches get the removal", async () => {
  const { request, clock, watch } = await startTestApiServer();
  await request(`POST ${events}`, event("once"));
  await request(`POST ${events}`, event("again"));
  const stream = await watch(`${events}?watch=true&timeoutSeconds=3600`);
  await clock.advance(1_800_000);
  await request(`PATCH ${events}/again`, { count: 2 }, "application/strategic-merge-patch+json");
  await clock.advance(1_800_000);
  expect(namesIn(await request(`GET ${events}`))).toEqual(["again"]);
  const later = await watch(`${events}?watch=true&timeoutSeconds=3600`);
  await clock.advance(1_860_000);
  expect(namesIn(await request(`GET ${events}`))).toEqual([]);
  expect(pendingEvents(stream)).toEqual(["ADDED again", "ADDED once", "MODIFIED again", "DELETED once"]);
  expect(pendingEvents(later)).toEqual(["ADDED again", "DELETED again"]);
});

test("an event that is deleted by hand is not deleted twice", async () => {
  const { request, clock, store } = await startTestApiServer();
  await request(`POST ${events}`, event("a"));
  await request(`DELETE ${events}/a`);
  await request(`POST ${events}`, event("a"));
  await clock.advance(3_599_000);
  const before = store.revision();
  expect(namesIn(await request(`GET ${events}`))).toEqual(["a"]);
  await clock.advance(120_000);
  expect(store.revision()).toBe(before + 1);
});

test("events that an earlier server left in the store expire too", async () => {
  const { request, clock, server, store } = await startTestApiServer();
  await request(`POST ${events}`, event("left"));
  await server.close();
  expireEvents({ store, clock });
  await clock.advance(3_599_000);
  expect(namesIn(await request(`GET ${events}`))).toEqual(["left"]);
  await clock.advance(1000);
  expect(namesIn(await request(`GET ${events}`))).toEqual([]);
});

test("an event is removed when many others were written since its last write", async () => {
  const { request, clock, server, store } = await startTestApiServer();
  for (const name of ["a", "b", "c"]) await request(`POST ${events}`, event(name));
  await server.close();
  expireEvents({ store, clock }, { mostWrites: 3, step: 1 });
  await request(`PATCH ${events}/a`, { count: 2 }, "application/strategic-merge-patch+json");
  await request(`POST ${events}`, event("d"));
  expect(namesIn(await request(`GET ${events}`))).toEqual(["a", "c", "d"]);
  await request(`POST ${events}`, event("e"));
  expect(namesIn(await request(`GET ${events}`))).toEqual(["a", "d", "e"]);
});
