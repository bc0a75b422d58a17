import { expect, test } from "vitest";
import { type Random, randomInt, seededRandom } from "../../src/machinery/random/random.ts";
import { apiFailure } from "../../src/machinery/client/api-error.ts";
import { perTier } from "../tier.ts";
import { activePods, createRunning, patchPod, patchReplicaSet, scale } from "./workload.ts";
import { type ReplicaSetFixture, startReplicaSetFixture } from "./fixture.ts";

const label = "trimtab.dev/protected";
const limitMs = 10 * 60_000;

const seeds = Array.from({ length: perTier({ unit: 2, full: 60 }) }, (_, index) => index);

test.for(seeds)(
  "no Pod is removed before its limit while it is protected, and every scale-down ends (%s)",
  { timeout: 60_000 },
  async (seed) => {
    const random = seededRandom(`protection ${seed}`);
    const fixture = await startReplicaSetFixture({ gates: { PodRemovalProtection: true } });
    const annotations = { "trimtab.dev/protection-limit": "10m" };
    await createRunning(fixture, "web", { replicas: 8 });
    await patchReplicaSet(fixture, "web", { metadata: { annotations } });
    const refusals = [apiFailure(500, "InternalError"), apiFailure(409, "Conflict"), new Error("hang up")];
    const failSome = () => (random.next() < 0.1 ? refusals[randomInt(random, 3)] : undefined);
    const stops = (["request", "answer"] as const).map((what) =>
      fixture.controller.failRequests(failSome, what),
    );
    let size = 8;
    let surplusSince = Infinity;
    for (let step = 0; step < 60; step++) {
      const before = await protectedNow(fixture);
      const had = (await activePods(fixture)).length;
      const isSurplus = had > size;
      surplusSince = isSurplus ? Math.min(surplusSince, fixture.clock.now()) : Infinity;
      await fixture.clock.advance(random.next() * 60_000);
      const left = new Set((await activePods(fixture)).map(({ metadata }) => metadata.name));
      const gone = before.filter((name) => !left.has(name));
      const waited = fixture.clock.now() - surplusSince;
      // Pods that are not there yet may be late, since requests fail; those that are there do not all go.
      expect(left.size).toBeGreaterThanOrEqual(Math.min(size, had));
      if (gone.length > 0) expect(waited, `${gone.join()} went`).toBeGreaterThanOrEqual(limitMs);
      await flipProtection(fixture, random);
      if (random.next() < 0.2) await scale(fixture, "web", (size = randomInt(random, 10)));
    }
    for (const stop of stops) stop();
    await fixture.clock.advance(3 * limitMs + 20 * 60_000);
    expect(await activePods(fixture)).toHaveLength(size);
    const before = fixture.controller.requests.length;
    await fixture.clock.advance(60_000);
    expect(fixture.controller.requests.slice(before)).toEqual([]);
  },
);

async function protectedNow(fixture: ReplicaSetFixture): Promise<readonly string[]> {
  const active = await activePods(fixture);
  return active
    .filter(({ metadata, status }) => {
      const isReady = status?.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True");
      return isReady === true && Object.hasOwn(metadata.labels ?? {}, label);
    })
    .map(({ metadata }) => metadata.name);
}

async function flipProtection(fixture: ReplicaSetFixture, random: Random): Promise<void> {
  for (const { metadata } of await activePods(fixture)) {
    if (random.next() > 0.2) continue;
    const value = Object.hasOwn(metadata.labels ?? {}, label) ? null : "";
    await patchPod(fixture, metadata.name, { metadata: { labels: { [label]: value } } });
  }
}
