import { expect, test } from "vitest";
import { permanentFailure } from "./picker-failure.ts";
import { lazyTransport } from "./network-connector.ts";
import type { Attempt, Transport } from "./transport/transport.ts";

test("a transport is loaded once, and again after a failure", async () => {
  const reply = permanentFailure("Refused");
  const transport: Transport = { pickPods: () => Promise.resolve(reply) };
  const outcomes = [() => Promise.reject(new Error("too many open files")), () => Promise.resolve(transport)];
  let loads = 0;
  const lazy = lazyTransport(() => outcomes[loads++]?.() ?? Promise.reject(new Error("loaded again")));
  await expect(lazy.pickPods(call)).rejects.toThrow("too many open files");
  expect(await lazy.pickPods(call)).toBe(reply);
  expect(await lazy.pickPods(call)).toBe(reply);
});

const call: Attempt = {
  target: { host: "picker", port: 80, dial: { address: "127.0.0.1", port: 80 }, tls: false, path: "/" },
  headers: [],
  question: { requested: 1, candidates: ["a"] },
  leftMs: 1000,
  signal: new AbortController().signal,
};
