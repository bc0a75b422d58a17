import * as fc from "fast-check";
import { expect, test } from "vitest";
import { keyOf } from "../api/object.ts";
import { configMaps, secrets } from "../api/resources.ts";
import { ScriptedApi } from "../testing/scripted-api.ts";
import { apiFailure } from "./client/api-error.ts";
import { VirtualClock } from "./clock/virtual-clock.ts";
import { type ControllerSpec, done, type KeyQueue, runController, watching } from "./controller.ts";
import { Expectations } from "./expectations.ts";
import { Informer } from "./informer/informer.ts";
import { silentLogger } from "./log/logger.ts";
import { seededRandom } from "./random/random.ts";
import { ReadYourWrites } from "./read-your-writes.ts";

const parent = { key: "default/parent", uid: "uid-1" };
const wanted = 3;

interface Fixture {
  readonly api: ScriptedApi;
  readonly clock: VirtualClock;
  /** Which of the two guards against a stale view are on. */
  readonly guards: { readonly expectations: boolean; readonly written: boolean };
}

/** A controller that keeps three Secrets for a ConfigMap: the least that can overshoot when its view is stale. */
function startController({ api, clock, guards }: Fixture, generation: number) {
  const options = { client: api, clock, random: seededRandom(generation) };
  const parents = new Informer({ ...options, resource: configMaps });
  const children = new Informer({ ...options, resource: secrets });
  const expectations = new Expectations(clock);
  const written = new ReadYourWrites([parents, children]);
  let created = 0;

  const childHandler = (queue: KeyQueue) => ({
    added: () => {
      expectations.creationObserved(parent.key);
      queue.add(parent.key);
    },
    deleted: () => queue.add(parent.key),
  });
  const create = async (): Promise<void> => {
    const name = `child-${generation}-${created++}`;
    try {
      const child = await api.create(secrets, { metadata: { name, namespace: "default" } });
      written.record(parent, secrets, child.metadata.resourceVersion);
    } catch (error) {
      expectations.creationObserved(parent.key);
      throw error;
    }
  };
  const spec: ControllerSpec = {
    name: "chaos",
    workers: 2,
    watches: [
      watching(parents, (queue) => ({ added: (object) => queue.add(keyOf(object)) })),
      watching(children, childHandler),
    ],
    ...(guards.written ? { written } : {}),
    async reconcile(key) {
      const waitMs = expectations.expireInMs(key);
      if (waitMs !== undefined && guards.expectations) return { requeueAfterMs: waitMs };
      const missing = wanted - children.list().length;
      if (missing <= 0) return done;
      expectations.expectCreations(key, missing);
      const results = await Promise.allSettled(Array.from({ length: missing }, create));
      const failed = results.find((result) => result.status === "rejected");
      if (failed !== undefined) throw failed.reason;
      // A child may come and go between two looks of the informer: then no event ever wakes this key.
      return { requeueAfterMs: expectations.expireInMs(key) ?? 0 };
    },
  };

  const stop = new AbortController();
  const running = [
    runController(spec, { clock, log: silentLogger }, stop.signal),
    parents.run(stop.signal),
    children.run(stop.signal),
  ];
  return {
    async stop(): Promise<void> {
      stop.abort();
      await Promise.all(running);
    },
  };
}

type Fault = (fixture: Fixture) => unknown;

const removeChild: Fault = async ({ api }) => {
  const [child] = api.stored(secrets);
  if (child !== undefined) await api.delete(secrets, { namespace: "default", name: child.metadata.name });
};
const restart: Fault = () => undefined;
const troubles: readonly Fault[] = [
  removeChild,
  restart,
  ({ api }) => api.holdWatches(),
  ({ api }) => api.releaseWatches(),
  ({ api }) => api.endWatches(),
  ({ api }) => api.endWatches(new Error("connection reset")),
  ({ api }) => api.forgetHistory(),
  ({ api }) => api.failures.push(apiFailure(500, "InternalError")),
  ({ clock }) => clock.advance(1),
  ({ clock }) => clock.advance(1000),
];

/** Plays the troubles; tells how many Secrets there were at most and in the end. */
async function play(sequence: readonly Fault[], guards: Fixture["guards"]) {
  const fixture: Fixture = { api: new ScriptedApi(), clock: new VirtualClock(), guards };
  const { api, clock } = fixture;
  const count = () => api.stored(secrets).length;
  await api.create(configMaps, { metadata: { name: "parent", namespace: "default" } });
  let most = 0;
  let generation = 0;
  let controller = startController(fixture, generation);
  for (const fault of sequence) {
    await Promise.resolve(fault(fixture)).catch(() => undefined);
    if (fault === restart) {
      await controller.stop();
      controller = startController(fixture, ++generation);
    }
    await clock.settle();
    most = Math.max(most, count());
  }
  api.failures.length = 0;
  api.releaseWatches();
  await clock.advance(10 * 60_000);
  const atLast = count();
  await controller.stop();
  return { most: Math.max(most, atLast), atLast, openWatches: api.openWatches };
}

const anySequence = fc.array(fc.constantFrom(...troubles), { maxLength: 40, size: "max" });

test.for([
  { expectations: true, written: true },
  { expectations: true, written: false },
  { expectations: false, written: true },
])("however stale its view, a guarded controller never makes too many: %o", async (guards) => {
  await fc.assert(
    fc.asyncProperty(anySequence, async (sequence) => {
      expect(await play(sequence, guards)).toEqual({ most: wanted, atLast: wanted, openWatches: 0 });
    }),
  );
});

test("without either guard chaos finds a controller that makes too many", async () => {
  const unguarded = fc.asyncProperty(anySequence, async (sequence) => {
    const { most } = await play(sequence, { expectations: false, written: false });
    return most <= wanted;
  });
  expect((await fc.check(unguarded)).failed).toBe(true);
});
