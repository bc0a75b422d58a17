import { beforeEach, expect, onTestFinished, test } from "vitest";
import type { Lease } from "../../api/generated/coordination-v1.ts";
import { keyOf } from "../../api/object.ts";
import { leases, namespaces } from "../../api/resources.ts";
import { collectingLogger } from "../../testing/collecting-logger.ts";
import { testApi, type TestApi } from "../../testing/test-api.ts";
import { apiFailure as refusal } from "../client/api-error.ts";
import { observeClient } from "../../testing/observe-client.ts";
import { ResettableClock } from "../../testing/resettable-clock.ts";
import { VirtualClock } from "../clock/virtual-clock.ts";
import { seededRandom } from "../random/random.ts";
import { runLeaderElection } from "./run-leader-election.ts";

const lease = { namespace: "trimtab", name: "controllers" };

let api: TestApi;
let clock: VirtualClock;
/** Who works now. */
let working: Set<string>;
/** When each candidate began and stopped, in seconds. */
let diary: string[];
beforeEach(() => {
  api = testApi();
  api.seed(namespaces, { metadata: { name: lease.namespace }, spec: {}, status: { phase: "Active" } });
  clock = new VirtualClock(0);
  working = new Set();
  diary = [];
});

const record = (what: string) => diary.push(`${Math.floor(clock.now() / 1000)} s: ${what}`);

/** Works until it is aborted and records that; two at a time are an error. */
function workOf(identity: string) {
  return (signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      working.add(identity);
      expect([...working], "who works at a time").toEqual([identity]);
      record(`${identity} begins`);
      signal.addEventListener("abort", () => {
        working.delete(identity);
        record(`${identity} stops`);
        resolve();
      });
    });
}

function candidate(identity: string, work = workOf(identity)) {
  const line = observeClient(api.client);
  const ending = new AbortController();
  const log = collectingLogger();
  const options = { client: line.client, clock, random: seededRandom(identity), log, lease, identity };
  const campaign = runLeaderElection(options, work, ending.signal);
  const stop = async () => {
    ending.abort(new Error("enough"));
    await clock.advance(5000);
    await campaign;
  };
  onTestFinished(stop);
  return { line, log, campaign, stop };
}

const stored = () =>
  api.store.collection("leases.coordination.k8s.io").get(keyOf({ metadata: lease }))?.object as
    | Lease
    | undefined;
const holder = () => stored()?.spec?.holderIdentity;

test("a candidate alone works at once and keeps the lease fresh", async () => {
  candidate("one");
  await clock.advance(60_000);
  expect(diary).toEqual(["0 s: one begins"]);
  expect(holder()).toBe("one");
  expect(stored()?.spec?.renewTime).toBe("1970-01-01T00:01:00.000000Z");
});

test("of two candidates one works, and the other takes over as soon as the first lets go", async () => {
  const first = candidate("one");
  await clock.advance(1000);
  const second = candidate("two");
  await clock.advance(3600_000);
  expect(diary).toEqual(["0 s: one begins"]);
  expect(second.log.entries.map(({ message, fields }) => [message, fields["holder"]])).toEqual([
    ["another candidate leads", "one"],
  ]);
  await first.stop();
  await clock.advance(6000);
  expect(diary.map((line) => line.replace(/^\d+ s: /, ""))).toEqual([
    "one begins",
    "one stops",
    "two begins",
  ]);
  expect(stored()?.spec?.leaseTransitions).toBe(1);
});

test("of two candidates that start at once the one that is second to create the lease complains about nothing", async () => {
  const both = [candidate("one"), candidate("two")];
  await clock.advance(10_000);
  expect(diary).toHaveLength(1);
  const logged = both.flatMap(({ log }) => log.entries);
  expect(logged.map(({ message }) => message)).toContain("another candidate has created the lease first");
  expect(logged.filter(({ level }) => level === "warn" || level === "error")).toEqual([]);
});

test("a leader that is cut off stops within ten seconds, before another begins after fifteen", async () => {
  const first = candidate("one");
  await clock.advance(1000);
  candidate("two");
  await clock.advance(60_000);
  first.line.failRequests(() => new Error("no route"));
  await clock.advance(60_000);
  const times = diary.map((line) => Number(line.split(" ")[0]));
  expect(diary.map((line) => line.replace(/^\d+ s: /, ""))).toEqual([
    "one begins",
    "one stops",
    "two begins",
  ]);
  const [, stopped = 0, begun = 0] = times;
  expect(stopped).toBeLessThanOrEqual(71);
  expect(begun - 60).toBeGreaterThanOrEqual(15);
  expect(begun - 60).toBeLessThan(25);
});

test("a leader whose requests hang stops all the same", async () => {
  const first = candidate("one");
  await clock.advance(30_000);
  const hang = (_resource: unknown, _name: unknown, signal: AbortSignal) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(new Error("given up")));
    });
  Object.assign(first.line.client, { get: hang });
  await clock.advance(11_000);
  expect(diary).toEqual(["0 s: one begins", "40 s: one stops"]);
});

test("a leader that lost its lease works again when it has won it again", async () => {
  const first = candidate("one");
  await clock.advance(10_000);
  const reconnect = first.line.failRequests(() => new Error("no route"));
  await clock.advance(20_000);
  expect(diary).toEqual(["0 s: one begins", "20 s: one stops"]);
  reconnect();
  await clock.advance(20_000);
  expect(diary).toHaveLength(3);
  expect(diary[2]).toContain("one begins");
});

test("a lease that another candidate holds is not taken from it", async () => {
  candidate("one");
  await clock.advance(10_000);
  const held = await api.client.get(leases, lease);
  await api.client.update(leases, {
    ...held,
    spec: { ...held.spec, holderIdentity: "other", leaseDurationSeconds: 15 },
  });
  await clock.advance(3000);
  expect(diary).toEqual(["0 s: one begins", "12 s: one stops"]);
  expect(holder()).toBe("other");
  await clock.advance(30_000);
  expect(holder()).toBe("one");
});

test("of ten candidates that start together exactly one works, whatever happens to the requests", async () => {
  const random = seededRandom("weather");
  const all = Array.from({ length: 10 }, (_, index) => candidate(`c${index}`));
  for (const { line } of all) {
    line.failRequests(() => (random.next() < 0.3 ? refusal(503, "ServiceUnavailable") : undefined));
  }
  let led = 0;
  for (let second = 0; second < 1800; second++) {
    await clock.advance(1000);
    expect(working.size).toBeLessThanOrEqual(1);
    led += working.size;
  }
  expect(led).toBeGreaterThan(1500);
});

test("work that ends by itself ends the campaign and lets the lease go; work that fails is not hidden", async () => {
  const { campaign } = candidate("one", () => clock.sleep(5000));
  await clock.advance(10_000);
  await campaign;
  expect(holder()).toBe("");
  const failing = runLeaderElection(
    {
      client: api.client,
      clock,
      random: seededRandom("two"),
      log: collectingLogger(),
      lease,
      identity: "two",
    },
    () => Promise.reject(new Error("out of ideas")),
    new AbortController().signal,
  );
  const failure = failing.catch((error: unknown) => error);
  await clock.advance(10_000);
  expect(await failure).toEqual(new Error("out of ideas"));
});

test("a leader that vanished is succeeded in time although the clock was set back meanwhile", async () => {
  const resettable = new ResettableClock();
  clock = resettable;
  const first = candidate("one");
  await clock.advance(1000);
  candidate("two");
  await clock.advance(10_000);
  first.line.failRequests(() => new Error("connection lost"));
  resettable.setBack(3_600_000);
  await clock.advance(30_000);
  expect([...working]).toEqual(["two"]);
});
