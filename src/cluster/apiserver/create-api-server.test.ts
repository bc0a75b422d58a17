import { expect, test } from "vitest";
import { defaultFeatureGates } from "../../api/feature-gates.ts";
import { configMaps, events, namespaces } from "../../api/resources.ts";
import { type Clock, sleepWith } from "../../machinery/clock/clock.ts";
import { silentLogger } from "../../machinery/log/logger.ts";
import { seededRandom } from "../../machinery/random/random.ts";
import { MemoryStore } from "../store/memory-store.ts";
import { createApiServer } from "./create-api-server.ts";

/** A clock on which nothing ever comes due, and that knows who is still waiting. */
function waitingRoom(): Clock & { readonly waiting: Set<object> } {
  const waiting = new Set<object>();
  const clock: Clock = {
    now: () => 1_767_225_600_000,
    after: () => {
      const timer = { cancel: () => void waiting.delete(timer) };
      waiting.add(timer);
      return timer;
    },
    whenIdle: () => undefined,
    sleep: (delayMs, signal) => sleepWith(clock, delayMs, signal),
  };
  return { ...clock, waiting };
}

test("a server that is closed keeps nothing alive: a process may end", async () => {
  const clock = waitingRoom();
  const store = new MemoryStore({ clock });
  const gates = () => defaultFeatureGates;
  const server = createApiServer({ clock, random: seededRandom("x"), store, gates, log: silentLogger });
  const { client } = server;
  const access = await server.listen({ port: 0 });
  await client.create(namespaces, { metadata: { name: "ns" }, spec: {} });
  for (const name of ["a", "b"]) await client.create(configMaps, { metadata: { namespace: "ns", name } });
  await client.list(configMaps, { limit: 1 });
  await client.create(events, {
    metadata: { namespace: "ns", name: "e" },
    involvedObject: { kind: "ConfigMap", namespace: "ns", name: "a" },
  });
  const ending = new AbortController();
  const changes = client.watch(configMaps, { allowWatchBookmarks: true }, ending.signal);
  const watch = changes[Symbol.asyncIterator]();
  await watch.next();
  expect(clock.waiting.size).toBeGreaterThan(0);
  ending.abort();
  await watch.next().catch(() => undefined);
  await access.close();
  await server.close();
  await store.close();
  expect(clock.waiting.size).toBe(0);
});
