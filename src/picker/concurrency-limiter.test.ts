import { expect, test } from "vitest";
import { ConcurrencyLimiter } from "./concurrency-limiter.ts";

const never = new AbortController().signal;

/** Acquires slots in order; `entered` are the callers that have one. */
function queueing(limits: { total: number; perKey: number }) {
  const slots = new ConcurrencyLimiter(limits);
  const entered: string[] = [];
  const leave = new Map<string, () => void>();
  const come = async (name: string, host: string, signal = never) => {
    const release = await slots.acquire(host, signal);
    if (release === undefined) return void entered.push(`${name} gave up`);
    entered.push(name);
    leave.set(name, release);
  };
  const settle = () => Promise.resolve().then(() => Promise.resolve());
  return { entered, come, settle, leave: (name: string) => leave.get(name)?.() };
}

test("at most `total` slots are taken, and the next caller gets the slot that is released", async () => {
  const { entered, come, settle, leave } = queueing({ total: 2, perKey: 2 });
  for (const name of ["a", "b", "c", "d"]) void come(name, name);
  await settle();
  expect(entered).toEqual(["a", "b"]);
  leave("a");
  await settle();
  expect(entered).toEqual(["a", "b", "c"]);
});

test("a key at its limit does not block others", async () => {
  const { entered, come, settle, leave } = queueing({ total: 3, perKey: 1 });
  void come("x1", "x");
  void come("x2", "x");
  void come("y1", "y");
  await settle();
  expect(entered).toEqual(["x1", "y1"]);
  leave("y1");
  await settle();
  expect(entered).toEqual(["x1", "y1"]);
  leave("x1");
  await settle();
  expect(entered).toEqual(["x1", "y1", "x2"]);
});

test("a caller that aborts leaves the queue and takes no slot", async () => {
  const { entered, come, settle, leave } = queueing({ total: 1, perKey: 1 });
  const patience = new AbortController();
  void come("a", "x");
  void come("b", "x", patience.signal);
  void come("c", "x");
  patience.abort();
  await settle();
  expect(entered).toEqual(["a", "b gave up"]);
  leave("a");
  await settle();
  expect(entered).toEqual(["a", "b gave up", "c"]);
});
