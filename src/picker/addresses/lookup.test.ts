import { describe, expect, test } from "vitest";
import { VirtualClock } from "../../machinery/clock/virtual-clock.ts";
import { addressesOf, systemLookup } from "./lookup.ts";

const { signal } = new AbortController();
const clock = new VirtualClock();

test.for(["192.0.2.1", "2001:db8::1"])("an address is not looked up: %s", async (host) => {
  const failing = () => Promise.reject(new Error("not resolved"));
  expect(await addressesOf({ host, signal }, failing)).toEqual([host]);
});

test("a name that looks like an address is looked up, as a socket would: 010.0.0.1", async () => {
  const found = await addressesOf({ host: "010.0.0.1", signal }, () => Promise.resolve(["8.0.0.1"]));
  expect(found).toEqual(["8.0.0.1"]);
});

test("the system's resolver knows localhost", async () => {
  expect(await systemLookup({ clock })("localhost", signal)).toContainEqual(
    expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
  );
});

test("aborted look-ups leave the queue", async () => {
  const look = systemLookup({ clock, limit: 0 });
  const ending = new AbortController();
  const found = look("localhost", ending.signal);
  ending.abort();
  expect(await found).toEqual([]);
});

describe("look-ups that hang", () => {
  /** Hosts that begin with `hangs` are never found; DNS servers know every name that ends with `.example`. */
  function startLookup() {
    const clock = new VirtualClock();
    const looked: string[] = [];
    const look = systemLookup({
      clock,
      system(host) {
        looked.push(host);
        return host.startsWith("hangs") ? new Promise(() => undefined) : Promise.resolve(["192.0.2.1"]);
      },
      servers: (host) =>
        host.endsWith(".example") ? Promise.resolve(["192.0.2.2"]) : Promise.reject(new Error("unknown")),
    });
    return { clock, look, looked };
  }

  test("do not block others: those ask the DNS servers", async () => {
    const { clock, look, looked } = startLookup();
    void look("hangs.example", signal);
    void look("hangs-too.example", signal);
    const found = look("good.example", signal);
    await clock.advance(250);
    expect(await found).toEqual(["192.0.2.2"]);
    expect(looked).toEqual(["hangs.example", "hangs-too.example"]);
  });

  test("occupy one thread for each host", async () => {
    const { clock, look, looked } = startLookup();
    for (let i = 0; i < 5; i++) void look("hangs.example", signal);
    await clock.settle();
    expect(await look("good.example", signal)).toEqual(["192.0.2.1"]);
    expect(looked).toEqual(["hangs.example", "good.example"]);
  });

  test("leave names that only the system knows to the caller's timeout", async () => {
    const { clock, look } = startLookup();
    void look("hangs.example", signal);
    void look("hangs-too.example", signal);
    const ending = new AbortController();
    const found = look("only-in-etc-hosts", ending.signal);
    await clock.advance(1000);
    ending.abort();
    expect(await found).toEqual([]);
  });
});
