import { expect, test } from "vitest";
import type { Pod } from "../../src/api/generated/core-v1.ts";
import { isActive, isReady } from "../../src/api/pod-state.ts";
import { pods } from "../../src/api/resources.ts";
import { oneOf, randomInt, seededRandom } from "../../src/machinery/random/random.ts";
import { web } from "../deployment/builders.ts";
import { activePods, at, deploy, isRolled, markedPods, namesOf, roll, startSteering } from "./virtual.ts";
import type { VirtualSteering } from "./virtual.ts";

const minute = 60_000;
const byOrder = { "trimtab.dev/removal-order": "trimtab" };
const complete = { ...byOrder, "trimtab.dev/pod-replacement-policy": "TerminationComplete" };

async function protect({ client }: VirtualSteering, name: string, value: "" | null): Promise<void> {
  const body = { metadata: { labels: { "trimtab.dev/protected": value } } };
  await client.patch(pods, at(name), { type: "merge", body });
}

/** The fewest Pods that were active and ready at a time, from now on. */
function watchReady({ store }: VirtualSteering, now: readonly Pod[]): { readonly fewest: () => number } {
  const ready = new Set(now.map(({ metadata }) => metadata.uid));
  let fewest = ready.size;
  store.collection("pods").subscribe({ of: "all" }, (changes) => {
    for (const { type, record } of changes) {
      const pod = record.object as unknown as Pod;
      if (type !== "DELETED" && isActive(pod) && isReady(pod)) ready.add(pod.metadata.uid);
      else ready.delete(pod.metadata.uid);
      fewest = Math.min(fewest, ready.size);
    }
  });
  return { fewest: () => fewest };
}

test.each(Array.from({ length: 12 }, (_, run) => run))(
  "rollouts past protected Pods keep their budgets, spare them and end (%i)",
  async (run) => {
    const random = seededRandom(`protected rollouts ${run}`);
    const steered = await startSteering({
      seed: `protected rollouts ${run}`,
      steeringGates: { PodRemovalProtection: true },
    });
    const [replicas, maxUnavailable] = [3 + randomInt(random, 4), randomInt(random, 3)];
    const maxSurge = maxUnavailable === 0 ? 1 + randomInt(random, 2) : randomInt(random, 3);
    const annotations = run % 2 === 0 ? byOrder : complete;
    await deploy(steered, web({ replicas, maxSurge, maxUnavailable, annotations, endsIn: "10s" }));
    const first = await activePods(steered);
    const spared = namesOf(first).filter(() => randomInt(random, 3) > 0);
    for (const name of spared) await protect(steered, name, "");
    const ready = watchReady(steered, first);
    for (const image of ["web:2", "web:3", "web:4"]) {
      await roll(steered, { image, endsIn: "10s" });
      await steered.clock.advance((5 + randomInt(random, 60)) * 1000);
      const busy = oneOf(await activePods(steered), random)?.metadata.name ?? "";
      if (randomInt(random, 2) === 0 && !spared.includes(busy)) {
        await protect(steered, busy, "");
        await steered.clock.advance((5 + randomInt(random, 30)) * 1000);
      }
    }
    await steered.clock.advance(4 * minute);
    expect(namesOf(await activePods(steered))).toEqual(expect.arrayContaining(spared));
    const writes = () => steered.copies[0]?.line.requests.filter(({ verb }) => verb === "patch").length ?? 0;
    const before = writes();
    await steered.clock.advance(4 * minute);
    expect(writes() - before).toBeLessThanOrEqual(8);
    for (const { metadata } of await activePods(steered)) await protect(steered, metadata.name, null);
    await steered.clock.advance(8 * minute);
    expect(ready.fewest()).toBeGreaterThanOrEqual(replicas - maxUnavailable);
    expect(await isRolled(steered, replicas, "web:4")).toBe(true);
    expect(await markedPods(steered)).toEqual([]);
  },
);
