import { expect, test } from "vitest";
import { addressesOf, systemLookup } from "./lookup.ts";

const { signal } = new AbortController();

test.for(["192.0.2.1", "2001:db8::1"])("an address is not looked up: %s", async (host) => {
  const failing = () => Promise.reject(new Error("not resolved"));
  expect(await addressesOf({ host, signal }, failing)).toEqual([host]);
});

test("a name that looks like an address is looked up, as a socket would: 010.0.0.1", async () => {
  const found = await addressesOf({ host: "010.0.0.1", signal }, () => Promise.resolve(["8.0.0.1"]));
  expect(found).toEqual(["8.0.0.1"]);
});

test("the system's resolver knows localhost", async () => {
  expect(await systemLookup()("localhost", signal)).toContainEqual(
    expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
  );
});

test("aborted look-ups leave the queue", async () => {
  const look = systemLookup(0);
  const ending = new AbortController();
  const found = look("localhost", ending.signal);
  ending.abort();
  expect(await found).toEqual([]);
});
