import { expect, onTestFinished, test } from "vitest";
import { VirtualClock } from "../src/machinery/clock/virtual-clock.ts";
import type { StreamSlots } from "./live/stream-slots.ts";
import { fetchConnector } from "./live/page-connector.ts";
import { PageStore } from "./page-store.ts";

const opened = '{"type":"OPENED"}';
const endOfInitialEvents = JSON.stringify({
  type: "BOOKMARK",
  object: { metadata: { resourceVersion: "1", annotations: { "k8s.io/initial-events-end": "true" } } },
});
const emptyList = JSON.stringify({ metadata: { resourceVersion: "1" }, items: [] });

/** A server whose watches stay open and silent, while its other answers can be made to fail. */
function silentServer() {
  const server = { isApiServerGone: false, isFrozen: false, watches: 0 };
  const time = { now: "2026-01-01T00:00:00.000000Z", speed: 1, paused: false };
  const gone = { kind: "Status", code: 502, message: "the API server does not answer" };
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = new URL(input as string, "http://page");
    const { signal } = init ?? {};
    if (server.isFrozen)
      return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
    if (server.isApiServerGone) return new Response(JSON.stringify(gone), { status: 502 });
    if (url.pathname === "/cluster.json") return new Response(JSON.stringify({ time }));
    if (url.pathname !== "/watch") return new Response(emptyList);
    server.watches++;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        const lines = url.searchParams.getAll("of").flatMap((of, index) => {
          const events = of.includes("sendInitialEvents=true") ? [opened, endOfInitialEvents] : [opened];
          return events.map((event) => `${index} ${event}\n`);
        });
        controller.enqueue(new TextEncoder().encode(lines.join("")));
        init?.signal?.addEventListener("abort", () => controller.error(init.signal?.reason));
      },
    });
    return new Response(body);
  };
  return { server, fetch };
}

test("an API server that does not answer is gone, though its watches are open", async () => {
  const { server, fetch } = silentServer();
  const clock = new VirtualClock();
  const store = new PageStore({
    connector: fetchConnector({ fetch, clock }),
    clock,
    onNextFrame: (task) => task(),
  });
  const end = new AbortController();
  onTestFinished(() => end.abort());
  void store.run(end.signal);
  await clock.advance(1000);
  expect([store.connection.kind, server.watches]).toEqual(["live", 1]);
  server.isApiServerGone = true;
  await clock.advance(6000);
  expect(store.connection).toMatchObject({ kind: "lost", message: "the API server does not answer" });
  server.isApiServerGone = false;
  await clock.advance(30_000);
  expect(store.connection.kind).toBe("live");
});

test("a server that freezes is shown as gone within five seconds, and as live again when it answers", async () => {
  const { server, fetch } = silentServer();
  const clock = new VirtualClock();
  const store = new PageStore({
    connector: fetchConnector({ fetch, clock }),
    clock,
    onNextFrame: (task) => task(),
  });
  const end = new AbortController();
  onTestFinished(() => end.abort());
  void store.run(end.signal);
  await clock.advance(1000);
  expect(store.connection.kind).toBe("live");
  server.isFrozen = true;
  await clock.advance(5000);
  expect(store.connection).toMatchObject({
    kind: "lost",
    message: "the server has not answered for 2.5 s",
  });
  server.isFrozen = false;
  await clock.advance(60_000);
  expect(store.connection.kind).toBe("live");
});

test("a page that was paused and whose turn it is again says when the server is gone, and since when it is old", async () => {
  const { server, fetch } = silentServer();
  const clock = new VirtualClock();
  const turn = new AbortController();
  let turns = 0;
  const slots: StreamSlots = {
    async take(signal, waits) {
      if (turns++ > 0) {
        waits();
        await clock.sleep(10_000, signal);
      }
      return { taken: turns === 1 ? turn.signal : new AbortController().signal, release: () => undefined };
    },
  };
  const store = new PageStore({
    connector: fetchConnector({ fetch, clock }),
    clock,
    slots,
    onNextFrame: (task) => task(),
  });
  const end = new AbortController();
  onTestFinished(() => end.abort());
  void store.run(end.signal).catch(() => undefined); // the abort at the end
  await clock.advance(1000);
  expect(store.connection.kind).toBe("live");
  turn.abort();
  await clock.advance(1000);
  const paused = store.connection;
  expect(paused).toEqual({ kind: "paused", since: expect.any(Number) });
  server.isApiServerGone = true;
  await clock.advance(20_000);
  expect(store.connection).toEqual({
    ...paused,
    kind: "lost",
    message: "the API server does not answer",
  });
  server.isApiServerGone = false;
  await clock.advance(30_000);
  expect(store.connection.kind).toBe("live");
});
