import { expect, test } from "vitest";
import { lasting } from "./picker-failure.ts";
import { onceNeeded } from "./reach.ts";
import type { Call, Transport } from "./transport.ts";

test("a transport is loaded once, and again when that failed", async () => {
  const reply = lasting("Refused");
  const transport: Transport = { pick: () => Promise.resolve(reply) };
  const outcomes = [() => Promise.reject(new Error("too many open files")), () => Promise.resolve(transport)];
  let loads = 0;
  const lazy = onceNeeded(() => outcomes[loads++]?.() ?? Promise.reject(new Error("loaded again")));
  await expect(lazy.pick(call)).rejects.toThrow("too many open files");
  expect(await lazy.pick(call)).toBe(reply);
  expect(await lazy.pick(call)).toBe(reply);
});

const call: Call = {
  target: { host: "picker", port: 80, dial: { address: "127.0.0.1", port: 80 }, tls: false, path: "/" },
  headers: [],
  question: { requested: 1, candidates: ["a"] },
  leftMs: 1000,
  signal: new AbortController().signal,
};
