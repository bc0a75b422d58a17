import { expect, test } from "vitest";
import type { Pod } from "../../src/api/generated/core-v1.ts";
import { controllerOf } from "../../src/api/owner-references.ts";
import { pods } from "../../src/api/resources.ts";
import { type Random, randomInt, seededRandom } from "../../src/machinery/random/random.ts";
import { apiFailure } from "../../src/machinery/client/api-error.ts";
import { perTier } from "../tier.ts";
import { activePods, create, patchPod, report, scale, statusOf } from "./workload.ts";
import { startReplicaSetFixture, type ReplicaSetFixture } from "./fixture.ts";

const workloads = ["one", "two"];
const refusals = [
  apiFailure(500, "InternalError"),
  apiFailure(409, "Conflict"),
  apiFailure(403, "Forbidden", "exceeded quota"),
  apiFailure(429, "TooManyRequests"),
  new Error("socket hang up"),
];

/** Something that users, kubelets or faults do to workloads. */
type Disturbance = (fixture: ReplicaSetFixture, random: Random) => Promise<unknown>;

const disturbances: readonly Disturbance[] = [
  (fixture, random) => scale(fixture, pick(workloads, random), randomInt(random, 12)),
  (fixture, random) => onSomePod(fixture, random, ({ metadata }) => fixture.client.delete(pods, metadata)),
  (fixture, random) =>
    onSomePod(fixture, random, ({ metadata }) => report(fixture, metadata.name, { phase: "Failed" })),
  (fixture, random) =>
    onSomePod(fixture, random, ({ metadata }) =>
      patchPod(fixture, metadata.name, {
        metadata: { labels: { app: pick(["one", "two", "nobody"], random) } },
      }),
    ),
  async ({ controller }, random) => controller.holdWatches(random.next() < 0.5 ? pods : undefined),
  async ({ controller }, random) =>
    controller.releaseWatches(random.next() < 0.5 ? apiFailure(410, "Expired") : undefined),
  ({ clock }, random) => clock.advance(random.next() * 20_000),
];

// Failed requests, lost responses, stale views and actions of users, in virtual time: one run for each seed.
const seeds = Array.from({ length: perTier({ unit: 10, full: 200 }) }, (_, index) => ({
  seed: `chaos ${index}`,
}));
test.for(seeds)(
  "whatever happens, in the end there are as many Pods as wanted ($seed)",
  { timeout: 30_000 },
  async ({ seed }) => {
    const random = seededRandom(seed);
    const fixture = await startReplicaSetFixture();
    const failSome = () => (random.next() < 0.1 ? pick(refusals, random) : undefined);
    const stops = (["request", "answer"] as const).map((what) =>
      fixture.controller.failRequests(failSome, what),
    );
    for (const name of workloads) await create(fixture, name, { replicas: 5, labels: { app: name } });
    for (let step = 0; step < 40; step++) await pick(disturbances, random)(fixture, random);

    for (const stop of stops) stop();
    fixture.controller.releaseWatches();
    const wanted = { one: randomInt(random, 10), two: randomInt(random, 10) };
    for (const [name, replicas] of Object.entries(wanted)) await scale(fixture, name, replicas);
    // The longest that anything may be waited for: expectations, or a back-off that had grown.
    await fixture.clock.advance(20 * 60_000);

    const owned = (await activePods(fixture)).map((pod) => controllerOf(pod)?.name);
    for (const [name, replicas] of Object.entries(wanted)) {
      expect(owned.filter((owner) => owner === name)).toHaveLength(replicas);
      expect(await statusOf(fixture, name)).toMatchObject({ replicas, terminatingReplicas: 0 });
    }
    const before = fixture.controller.requests.length;
    await fixture.clock.advance(60_000);
    expect(fixture.controller.requests.slice(before)).toEqual([]);
  },
);

async function onSomePod(
  fixture: ReplicaSetFixture,
  random: Random,
  act: (pod: Pod) => Promise<unknown>,
): Promise<void> {
  const active = await activePods(fixture);
  if (active.length > 0) await act(pick(active, random)).catch(() => undefined); // it may be gone by now
}

function pick<T>(items: readonly T[], random: Random): T {
  const item = items[randomInt(random, items.length)];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
}
