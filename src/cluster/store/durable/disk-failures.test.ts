import { expect, test, vi } from "vitest";
import { configMaps, namespaces } from "../../../api/resources.ts";
import { defaultFeatureGates } from "../../../api/feature-gates.ts";
import { VirtualClock } from "../../../machinery/clock/virtual-clock.ts";
import { silentLogger } from "../../../machinery/log/logger.ts";
import { seededRandom } from "../../../machinery/random/random.ts";
import { type MemoryDisk, memoryDisk } from "../../../testing/memory-disk.ts";
import { createApiServer } from "../../apiserver/create-api-server.ts";
import type { Disk } from "./disk.ts";
import { openDurableStore } from "./durable-store.ts";

const broken = () => Object.assign(new Error("EIO: i/o error"), { code: "EIO" });
const full = () => Object.assign(new Error("ENOSPC: no space left"), { code: "ENOSPC" });

async function serverOn(disk: Disk) {
  const clock = new VirtualClock();
  const store = await openDurableStore({ disk, clock });
  const gates = () => defaultFeatureGates;
  const random = seededRandom("api");
  const { client } = createApiServer({ clock, random, store, gates, log: silentLogger, token: "token" });
  await client.create(namespaces, { metadata: { name: "default" }, spec: {} });
  return { store, client };
}

const object = { metadata: { namespace: "default", name: "a" } };

/** Takes all revisions that are reserved, as a flush does that is late while a hundred thousand commits come. */
function exhaustRevisions(disk: MemoryDisk, store: Awaited<ReturnType<typeof openDurableStore>>): void {
  disk.gate = new Promise(() => {});
  const things = store.collection("things");
  const draft = { apiVersion: "v1", kind: "Thing", metadata: { name: "thing" } };
  const reserved = disk.reservedRevision() ?? 0;
  while (store.revision() < reserved) things.put("thing", draft);
}

test("a write that needs more revisions than can be reserved is refused as every other, and changes nothing", async () => {
  const disk = memoryDisk();
  const { store, client } = await serverOn(disk);
  exhaustRevisions(disk, store);
  const before = store.revision();
  disk.failure = full();
  await expect(client.create(configMaps, object)).rejects.toMatchObject({ code: 507 });
  disk.failure = broken();
  await expect(client.create(configMaps, object)).rejects.toMatchObject({ code: 503 });
  await expect(client.get(configMaps, object.metadata)).rejects.toMatchObject({ code: 404 });
  expect(store.revision()).toBe(before);
});

test("a disk that cannot be closed does not keep a store from closing", async () => {
  const disk = memoryDisk();
  const { store } = await serverOn({ ...disk, close: () => Promise.reject(broken()) });
  await expect(store.close()).resolves.toBeUndefined();
});

test("a disk that cannot be read is closed, and its own error is reported", async () => {
  const close = vi.fn(() => Promise.reject(new Error("cannot be closed")));
  const disk: Disk = {
    ...memoryDisk(),
    close,
    entries: () => {
      throw broken();
    },
  };
  await expect(openDurableStore({ disk, clock: new VirtualClock() })).rejects.toThrow("EIO");
  expect(close).toHaveBeenCalledOnce();
});
