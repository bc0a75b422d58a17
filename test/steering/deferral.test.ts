import { describe, expect, test } from "vitest";
import { deployments, pods, replicaSets } from "../../src/api/resources.ts";
import { deferredText } from "../../src/decisions/stock/deferred-shrink.ts";
import type { SimulatedPicker } from "../../src/picker/simulated-picker.ts";
import { looseReplicaSet, web } from "../deployment/builders.ts";
import {
  activePods,
  at,
  deploy,
  eventsOf,
  isRolled,
  markedPods,
  namesOf,
  replicaSetsOf,
  roll,
  scale,
  startSteering,
  type VirtualSteering,
} from "./virtual.ts";

const byPicker = {
  "trimtab.dev/downscale-pod-picker": JSON.stringify({
    http: { host: "picker", port: 80 },
    timeoutSeconds: 5,
    maxRetries: 0,
  }),
};

/** Takes two seconds, and chooses the last by name. */
const slow: SimulatedPicker = {
  pick: ({ requested, candidates }) => ({ chosen_pods: candidates.toSorted().slice(-requested) }),
  latencyMs: 2000,
};

const deferralsOf = async (steered: VirtualSteering) =>
  (await replicaSetsOf(steered)).flatMap((replicaSet) => deferredText(replicaSet) ?? []);

async function start(replicas: number, copies = 1) {
  const steered = await startSteering({ pickers: { picker: slow }, copies });
  await deploy(steered, web({ replicas, annotations: byPicker }));
  return { steered, all: namesOf(await activePods(steered)) };
}

describe("a scale-down of a Deployment", () => {
  test("is answered at once, waits on a label while it is decided, and leaves none", async () => {
    const { steered, all } = await start(6);
    await scale(steered, 4);
    await steered.clock.advance(1000);
    expect(await deferralsOf(steered)).toEqual([expect.stringMatching(/^4\.\d+$/)]);
    expect(await activePods(steered)).toHaveLength(6);
    await steered.clock.advance(30_000);
    expect(namesOf(await activePods(steered))).toEqual(all.slice(0, 4));
    expect(await deferralsOf(steered)).toEqual([]);
    expect(await markedPods(steered)).toEqual([]);
    expect(steered.metrics.observations("trimtab_steer_admission_seconds", { kind: "shrink" })).toEqual(
      expect.not.arrayContaining([expect.closeTo(2, 0)]),
    );
  });

  test("is decided once although the watch of ReplicaSets shows late that it was", async () => {
    const { steered, all } = await start(6);
    const [copy] = steered.copies;
    if (copy === undefined) throw new Error("no copy runs");
    const patches = () =>
      copy.line.requests.filter(
        ({ verb, collection }) => verb === "patch" && collection === "replicasets.apps",
      ).length;
    await scale(steered, 4);
    await steered.clock.advance(1000);
    copy.line.holdWatches(replicaSets);
    const before = patches();
    await steered.clock.advance(4000);
    const written = patches() - before;
    copy.line.releaseWatches();
    await steered.clock.advance(30_000);
    expect(namesOf(await activePods(steered))).toEqual(all.slice(0, 4));
    expect(await deferralsOf(steered)).toEqual([]);
    expect(await markedPods(steered)).toEqual([]);
    expect(written).toBe(1);
  });

  test("asks a few times and does not turn in circles", async () => {
    const { steered } = await start(6);
    const before = steered.store.revision();
    await scale(steered, 4);
    await steered.clock.advance(1900);
    // The Deployment, its label, their statuses and events.
    expect(steered.store.revision() - before).toBeLessThan(12);
    const answered = steered.metrics.value("trimtab_steer_admissions_total", {
      kind: "shrink",
      outcome: "deferred",
    });
    expect(answered).toBeLessThanOrEqual(4);
  });

  test.each([
    ["leaves the Pods alone", 6],
    ["adds what is asked for", 8],
  ])("that is taken back %s, and no label or mark is left", async (_, replicas) => {
    const { steered, all } = await start(6);
    await scale(steered, 4);
    await steered.clock.advance(1000);
    await scale(steered, replicas);
    await steered.clock.advance(60_000);
    expect(namesOf(await activePods(steered))).toEqual(expect.arrayContaining([...all]));
    expect(await activePods(steered)).toHaveLength(replicas);
    expect(await deferralsOf(steered)).toEqual([]);
    expect(await markedPods(steered)).toEqual([]);
  });

  test("that asks for fewer meanwhile gets what was decided, and then the rest", async () => {
    const { steered, all } = await start(8);
    await scale(steered, 6);
    await steered.clock.advance(1000);
    await scale(steered, 3);
    await steered.clock.advance(60_000);
    expect(namesOf(await activePods(steered))).toEqual(all.slice(0, 3));
    expect(await eventsOf(steered, "ScaleDownSteered", "ReplicaSet")).toHaveLength(2);
    expect(await eventsOf(steered, "ScaleDownDiffers")).toEqual([]);
  });

  test("that asks for more meanwhile loses no Pod too many", async () => {
    const { steered, all } = await start(8);
    await scale(steered, 3);
    await steered.clock.advance(1000);
    await scale(steered, 6);
    await steered.clock.advance(60_000);
    expect(namesOf(await activePods(steered))).toEqual(all.slice(0, 6));
    expect(await eventsOf(steered, "ScaleDownDiffers")).toEqual([]);
  });

  test("to nothing is admitted at once, also while another is decided", async () => {
    const { steered } = await start(4);
    await scale(steered, 2);
    await steered.clock.advance(500);
    await scale(steered, 0);
    await steered.clock.advance(500);
    expect(await activePods(steered)).toEqual([]);
    expect(await deferralsOf(steered)).toEqual([]);
  });

  test("whose Pods die while it is decided is decided on those that are left", async () => {
    const { steered, all } = await start(6);
    await scale(steered, 4);
    await steered.clock.advance(1000);
    const { client, clock } = steered;
    await client.delete(pods, at(all[0] ?? ""), { gracePeriodSeconds: 0 });
    await clock.advance(60_000);
    const left = namesOf(await activePods(steered));
    expect(left).toHaveLength(4);
    expect(await eventsOf(steered, "ScaleDownDiffers")).toEqual([]);
    expect(await markedPods(steered)).toEqual([]);
  });

  test("goes on when the copy that decides is killed and another follows", async () => {
    const { steered, all } = await start(6);
    await scale(steered, 4);
    await steered.clock.advance(1000);
    await steered.takeDown();
    await steered.clock.advance(5000);
    expect(await activePods(steered)).toHaveLength(6);
    await steered.startCopy();
    await steered.clock.advance(60_000);
    expect(namesOf(await activePods(steered))).toEqual(all.slice(0, 4));
    expect(await deferralsOf(steered)).toEqual([]);
    expect(await markedPods(steered)).toEqual([]);
  });

  test("while it is paused, without history, and in the middle of a rollout comes to its end", async () => {
    const { steered } = await start(8);
    await steered.client.patch(deployments, at("web"), {
      type: "merge",
      body: { spec: { revisionHistoryLimit: 0, minReadySeconds: 3 } },
    });
    await roll(steered);
    await steered.clock.advance(1500);
    await scale(steered, 5);
    await steered.clock.advance(120_000);
    expect(await isRolled(steered, 5)).toBe(true);
    expect(await deferralsOf(steered)).toEqual([]);
    expect(await markedPods(steered)).toEqual([]);
  });
});

describe("a rollout of a Deployment that is deferred", () => {
  const change = ({ client }: VirtualSteering, spec: object) =>
    client.patch(deployments, at("web"), { type: "merge", body: { spec } as never });
  const pause = (steered: VirtualSteering, paused: boolean) => change(steered, { paused });

  test.for<{
    readonly name: string;
    readonly image: string;
    readonly replicas: number;
    readonly act: (steered: VirtualSteering) => Promise<unknown>;
  }>([
    { name: "is undone", image: "web:1", replicas: 5, act: (steered) => roll(steered, { image: "web:1" }) },
    {
      name: "is rolled over",
      image: "web:3",
      replicas: 5,
      act: (steered) => roll(steered, { image: "web:3" }),
    },
    {
      name: "is paused and goes on",
      image: "web:2",
      replicas: 5,
      act: async (steered) => {
        await pause(steered, true);
        await steered.clock.advance(15_000);
        await pause(steered, false);
      },
    },
    {
      name: "loses its history",
      image: "web:2",
      replicas: 5,
      act: (steered) => change(steered, { revisionHistoryLimit: 0 }),
    },
    { name: "is emptied", image: "web:2", replicas: 0, act: (steered) => scale(steered, 0) },
  ])("and that $name comes to its end, and leaves nothing", async ({ image, replicas, act }) => {
    const steered = await startSteering({ pickers: { picker: slow } });
    await deploy(steered, web({ replicas: 8, maxSurge: 2, maxUnavailable: 2, annotations: byPicker }));
    await roll(steered);
    await steered.clock.advance(300);
    await scale(steered, 5);
    await steered.clock.advance(1000);
    expect(await deferralsOf(steered)).not.toEqual([]);
    await act(steered);
    await steered.clock.advance(180_000);
    expect(await isRolled(steered, replicas, image)).toBe(true);
    expect(await deferralsOf(steered)).toEqual([]);
    expect(await markedPods(steered)).toEqual([]);
    expect(await eventsOf(steered, "ScaleDownDiffers")).toEqual([]);
  });
});

describe("a ReplicaSet without a Deployment", () => {
  const loose = async () => {
    const steered = await startSteering({ pickers: { picker: slow } });
    await steered.client.create(
      replicaSets,
      looseReplicaSet("loose", { replicas: 5, annotations: byPicker }),
    );
    await steered.clock.advance(20_000);
    const all = namesOf(await activePods(steered));
    const resize = (replicas: number, subresource?: "scale") =>
      steered.client.patch(replicaSets, at("loose"), {
        type: "merge",
        body: { spec: { replicas } },
        ...(subresource === undefined ? {} : { subresource }),
      });
    return { steered, all, resize };
  };

  test("gets the size it was asked for from us, once it is decided", async () => {
    const { steered, all, resize } = await loose();
    expect((await resize(3)).spec.replicas).toBe(5);
    await steered.clock.advance(4000);
    expect((await steered.client.get(replicaSets, at("loose"))).spec.replicas).toBe(3);
    await steered.clock.advance(30_000);
    expect(namesOf(await activePods(steered))).toEqual(all.slice(0, 3));
    expect(await deferralsOf(steered)).toEqual([]);
    expect(await markedPods(steered)).toEqual([]);
  });

  test.each([
    ["of the size it has", 5, undefined],
    ["of a larger size", 7, undefined],
    ["of its Scale, of the size it has", 5, "scale"],
    ["of its Scale, of a larger size", 7, "scale"],
  ] as const)(
    "keeps its Pods after an update %s: a person's last word counts",
    async (_, size, subresource) => {
      const { steered, all, resize } = await loose();
      await resize(3);
      await steered.clock.advance(500);
      await resize(size, subresource);
      await steered.clock.advance(60_000);
      expect(namesOf(await activePods(steered))).toEqual(expect.arrayContaining([...all]));
      expect(await activePods(steered)).toHaveLength(size);
      expect(await deferralsOf(steered)).toEqual([]);
      expect(await markedPods(steered)).toEqual([]);
    },
  );

  test("is scaled down all the same when something else about it changes", async () => {
    const { steered, all, resize } = await loose();
    await resize(3);
    await steered.clock.advance(500);
    const body = { metadata: { annotations: { note: "of a person" } } };
    await steered.client.patch(replicaSets, at("loose"), { type: "merge", body });
    await steered.clock.advance(30_000);
    expect(namesOf(await activePods(steered))).toEqual(all.slice(0, 3));
  });

  test("with a label that makes no sense gets rid of it and keeps its Pods", async () => {
    const { steered } = await loose();
    const body = { metadata: { labels: { "trimtab.dev/deferred": "soon" } } };
    await steered.client.patch(replicaSets, at("loose"), { type: "merge", body });
    await steered.clock.advance(10_000);
    expect(await deferralsOf(steered)).toEqual([]);
    expect(await activePods(steered)).toHaveLength(5);
  });
});
