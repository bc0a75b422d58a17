import { expect, test } from "vitest";
import { browserSlots, type StreamSlot } from "./stream-slots.ts";

/** The locks of a browser: those of a name are granted in the order in which they are asked for. */
function browserLocks() {
  const queues = new Map<string, (() => void)[]>();
  const request = async (
    name: string,
    { ifAvailable = false, signal }: LockOptions,
    callback: (lock: Lock | null) => unknown,
  ): Promise<unknown> => {
    const queue = queues.get(name) ?? [];
    queues.set(name, queue);
    if (ifAvailable && queue.length > 0) return callback(null);
    let isGranted = false;
    await new Promise<void>((resolve, reject) => {
      const grant = () => {
        isGranted = true;
        resolve();
      };
      queue.push(grant);
      if (queue[0] === grant) grant();
      signal?.addEventListener("abort", () => {
        if (isGranted) return;
        queue.splice(queue.indexOf(grant), 1);
        reject(signal.reason as Error);
      });
    });
    await callback({ name, mode: "exclusive" });
    queue.shift();
    queue[0]?.();
    return undefined;
  };
  return { request: request as LockManager["request"] };
}

/** Tabs of one browser, which hear each other. */
function browser() {
  const locks = browserLocks();
  const channels = new Set<EventTarget>();
  return {
    tab: () => {
      const channel = new EventTarget();
      channels.add(channel);
      const postMessage = (data: unknown) => {
        for (const other of channels)
          if (other !== channel) other.dispatchEvent(new MessageEvent("message", { data }));
      };
      const document = Object.assign(new EventTarget(), { visibilityState: "visible" });
      const slots = browserSlots({
        locks,
        channel: Object.assign(channel, { postMessage }),
        document: document as unknown as Document,
      });
      const tab = { waits: 0, slot: undefined as StreamSlot | undefined };
      const take = async () => {
        tab.slot = await slots.take(new AbortController().signal, () => tab.waits++);
        tab.slot.taken.addEventListener("abort", () => {
          tab.slot?.release();
          tab.slot = undefined;
        });
      };
      const see = (visibilityState: string) => {
        document.visibilityState = visibilityState;
        document.dispatchEvent(new Event("visibilitychange"));
      };
      return Object.assign(tab, { take, see });
    },
  };
}

/** Until everything that follows from what was done has happened. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
}

async function fullBrowser() {
  const { tab } = browser();
  const tabs = Array.from({ length: 5 }, tab);
  for (const each of tabs) void each.take();
  await settled();
  return tabs;
}

test("four tabs have a slot, and the fifth waits until one is released", async () => {
  const tabs = await fullBrowser();
  expect(tabs.map(({ slot, waits }) => [slot !== undefined, waits])).toEqual([
    ...Array.from({ length: 4 }, () => [true, 0]),
    [false, 1],
  ]);
  tabs[2]?.slot?.release();
  await settled();
  expect(tabs[4]?.slot).toBeDefined();
});

test("a tab that is hidden gives its slot to one that is seen and waits", async () => {
  const tabs = await fullBrowser();
  tabs[1]?.see("hidden");
  await settled();
  expect(tabs.map(({ slot }) => slot !== undefined)).toEqual([true, false, true, true, true]);
});

test("a hidden tab keeps its slot while none is wanted, and waits for one without asking", async () => {
  const { tab } = browser();
  const tabs = Array.from({ length: 5 }, tab);
  for (const each of tabs) each.see("hidden");
  for (const each of tabs) void each.take();
  await settled();
  expect(tabs.map(({ slot }) => slot !== undefined)).toEqual([true, true, true, true, false]);
  tabs[4]?.see("visible");
  await settled();
  expect(tabs[4]?.slot).toBeDefined();
});
