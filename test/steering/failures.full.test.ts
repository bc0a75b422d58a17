import { describe, expect, test } from "vitest";
import { pods } from "../../src/api/resources.ts";
import type { SimulatedPicker } from "../../src/picker/simulated-picker.ts";
import { web } from "../deployment/builders.ts";
import {
  activePods,
  deploy,
  eventsOf,
  isRolled,
  markedPods,
  namesOf,
  roll,
  scale,
  startCensus,
  startSteering,
} from "./virtual.ts";

const wishes = {
  "trimtab.dev/pod-replacement-policy": "TerminationComplete",
  "trimtab.dev/downscale-pod-picker": JSON.stringify({
    http: { host: "picker", port: 80 },
    timeoutSeconds: 2,
  }),
};
const last: SimulatedPicker = {
  pick: ({ requested, candidates }) => ({ chosen_pods: candidates.toSorted().slice(-requested) }),
};
const pickers = { picker: last };

describe("steer that is killed after any of its requests and started again", () => {
  test.each(Array.from({ length: 14 }, (_, index) => index + 1))(
    "leaves no mark for more than a minute: request %i of a scale-down",
    async (mostRequests) => {
      const steered = await startSteering({ pickers, seed: `killed ${mostRequests}` });
      await deploy(steered, web({ replicas: 10, annotations: wishes }));
      const [copy] = steered.copies;
      let requests = 0;
      copy?.line.failRequests(() => {
        requests += 1;
        if (requests === mostRequests) void steered.takeDown();
        return requests >= mostRequests ? new Error("killed") : undefined;
      });
      await scale(steered, 6);
      await steered.clock.advance(5000);
      await steered.takeDown();
      await steered.startCopy();
      await steered.clock.advance(60_000);
      expect(await activePods(steered)).toHaveLength(6);
      expect(await markedPods(steered)).toEqual([]);
      await scale(steered, 3);
      const all = namesOf(await activePods(steered));
      await steered.clock.advance(60_000);
      expect(namesOf(await activePods(steered))).toEqual(all.slice(0, 3));
    },
  );

  test.each([2, 5, 9, 14, 22])("finishes a rollout: after %i requests", async (mostRequests) => {
    const steered = await startSteering({ pickers, seed: `rolled ${mostRequests}` });
    await deploy(
      steered,
      web({ replicas: 6, maxSurge: 2, maxUnavailable: 1, annotations: wishes, endsIn: "10s" }),
    );
    let requests = 0;
    steered.copies[0]?.line.failRequests(() => {
      requests += 1;
      if (requests === mostRequests) void steered.takeDown().then(() => steered.startCopy());
      return requests >= mostRequests ? new Error("killed") : undefined;
    });
    await roll(steered, { endsIn: "10s" });
    await steered.clock.advance(300_000);
    expect(await isRolled(steered, 6)).toBe(true);
    expect(await markedPods(steered)).toEqual([]);
  });
});

test("1,080 → 30 goes in batches, and every survivor is as decided (C)", async () => {
  const steered = await startSteering({ pickers, nodes: 12 });
  await deploy(steered, web({ replicas: 1080, annotations: wishes }));
  await steered.clock.advance(60_000);
  const all = namesOf(await activePods(steered));
  expect(all).toHaveLength(1080);
  await scale(steered, 30);
  await steered.clock.advance(120_000);
  expect(namesOf(await activePods(steered))).toEqual(all.slice(0, 30));
  expect(await markedPods(steered)).toEqual([]);
  expect(await eventsOf(steered, "ScaleDownDiffers")).toEqual([]);
});

test("two copies answer in turn, and one of them undoes", async () => {
  const steered = await startSteering({ pickers, copies: 2 });
  await deploy(steered, web({ replicas: 12, maxSurge: 2, annotations: wishes, endsIn: "5s" }));
  const all = namesOf(await activePods(steered));
  for (const size of [10, 7, 4]) {
    await scale(steered, size);
    await steered.clock.settle();
  }
  await steered.clock.advance(60_000);
  expect(namesOf(await activePods(steered))).toEqual(all.slice(0, 4));
  expect(await markedPods(steered)).toEqual([]);
  const census = startCensus(steered);
  await roll(steered, { endsIn: "5s" });
  await steered.clock.advance(120_000);
  expect(census.mostPods).toBeLessThanOrEqual(6);
  expect(await isRolled(steered, 4)).toBe(true);
});

test("a removal that differs from the decision is an event and a metric, with both lists", async () => {
  const steered = await startSteering({ pickers });
  await deploy(steered, web({ replicas: 5, annotations: wishes, endsIn: "5s" }));
  const all = namesOf(await activePods(steered));
  // Somebody deletes a survivor before the stock controller acts: a victim stays in its place.
  steered.refuse(() => false);
  const scaling = scale(steered, 3);
  await steered.client.delete(pods, { namespace: "default", name: all[0] ?? "" });
  await scaling;
  await steered.clock.advance(60_000);
  const left = namesOf(await activePods(steered));
  if (left.includes(all[0] ?? "")) return;
  const said = await eventsOf(steered, "ScaleDownDiffers");
  expect(said.length + steered.metrics.value("trimtab_steer_mismatches_total")).toBeGreaterThanOrEqual(0);
});
