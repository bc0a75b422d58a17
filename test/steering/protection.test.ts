import { describe, expect, test } from "vitest";
import type { ReplicaSet } from "../../src/api/generated/apps-v1.ts";
import type { Pod } from "../../src/api/generated/core-v1.ts";
import { deployments, pods, replicaSets } from "../../src/api/resources.ts";
import { formatTime } from "../../src/api/time.ts";
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
  setCost,
  startSteering,
  type VirtualOptions,
  type VirtualSteering,
} from "./virtual.ts";

const byOrder = { "trimtab.dev/removal-order": "trimtab" };
const byPicker = {
  "trimtab.dev/downscale-pod-picker": JSON.stringify({ http: { host: "picker", port: 80 }, maxRetries: 0 }),
};
const label = "trimtab.dev/protected";
const minute = 60_000;

const start = (options: VirtualOptions = {}) =>
  startSteering({ ...options, steeringGates: { PodRemovalProtection: true } });

async function protect(
  { client, clock }: VirtualSteering,
  names: readonly string[],
  value: string | null = "",
): Promise<void> {
  const body = { metadata: { labels: { [label]: value } } };
  for (const name of names) await client.patch(pods, at(name), { type: "merge", body });
  await clock.settle();
}

const namesNow = async (steered: VirtualSteering, app?: string) => namesOf(await activePods(steered, app));

async function onlyReplicaSet(steered: VirtualSteering): Promise<ReplicaSet> {
  const [only] = await replicaSetsOf(steered);
  if (only === undefined) throw new Error("there is no ReplicaSet");
  return only;
}

const heldBy = ({ status }: ReplicaSet) => status?.conditions?.find(({ type }) => type === "RemovalHeld");
const ownLabels = ({ metadata }: ReplicaSet) =>
  Object.keys(metadata.labels ?? {}).filter((name) => /^trimtab.dev\/(held|removal)/.test(name));

describe("a stock Deployment that shrinks", () => {
  test("loses the Pods that are not protected, and the others when they are idle", async () => {
    const steered = await start();
    await deploy(steered, web({ replicas: 6, annotations: byOrder }));
    const all = await namesNow(steered);
    const busy = [all[0], all[2], all[5]].map(String);
    await protect(steered, busy);
    await scale(steered, 1);
    await steered.clock.advance(minute);
    expect(await namesNow(steered)).toEqual(busy);
    const held = await onlyReplicaSet(steered);
    expect(held.spec.replicas).toBe(3);
    expect(heldBy(held)?.message).toMatch(
      /^2 Pods are kept beyond the size of 1 because web-\S+, web-\S+, web-\S+ are protected; since .*, until .* at the latest$/,
    );
    expect(await eventsOf(steered, "RemovalHeld", "Deployment")).toHaveLength(1);
    expect(
      steered.metrics.value("trimtab_removals_held", { namespace: "default", workload: "Deployment/web" }),
    ).toBe(2);
    await protect(steered, busy.slice(0, 1), null);
    await steered.clock.advance(10_000);
    expect(await namesNow(steered)).toEqual(busy.slice(1));
    await protect(steered, busy.slice(1, 2), null);
    await steered.clock.advance(minute);
    expect(await namesNow(steered)).toEqual(busy.slice(2));
    const done = await onlyReplicaSet(steered);
    expect([heldBy(done), ownLabels(done), done.spec.replicas]).toEqual([undefined, [], 1]);
    expect(await eventsOf(steered, "RemovalHoldEnded", "Deployment")).toHaveLength(1);
    expect(await eventsOf(steered, "ScaleDownDiffers")).toEqual([]);
    expect(await markedPods(steered)).toEqual([]);
  });

  test("waits for a time, and for nothing that is not Ready", async () => {
    const steered = await start();
    await deploy(steered, web({ replicas: 3, annotations: byOrder }));
    const [first = ""] = await namesNow(steered);
    const until = formatTime(steered.clock.now() + 5 * minute);
    const body = { metadata: { annotations: { "trimtab.dev/protect-until": until } } };
    await steered.client.patch(pods, at(first), { type: "merge", body });
    await scale(steered, 0);
    await steered.clock.advance(4 * minute);
    expect(await namesNow(steered)).toEqual([first]);
    await steered.clock.advance(2 * minute);
    expect(await namesNow(steered)).toEqual([]);
  });

  test("says which Pods have an annotation that is no time, and removes them", async () => {
    const steered = await start();
    await deploy(steered, web({ replicas: 3, annotations: byOrder }));
    const [first = ""] = await namesNow(steered);
    const body = { metadata: { annotations: { "trimtab.dev/protect-until": "soon" } } };
    await steered.client.patch(pods, at(first), { type: "merge", body });
    await scale(steered, 0);
    await steered.clock.advance(minute);
    expect(await namesNow(steered)).toEqual([]);
    expect(await eventsOf(steered, "InvalidProtection", "Deployment")).toHaveLength(1);
  });

  test("removes protected Pods when their limit comes, and names them", async () => {
    const steered = await start();
    const annotations = { ...byOrder, "trimtab.dev/protection-limit": "5m" };
    await deploy(steered, web({ replicas: 4, annotations }));
    const all = await namesNow(steered);
    await protect(steered, all);
    await scale(steered, 1);
    await steered.clock.advance(4.8 * minute);
    expect(await namesNow(steered)).toEqual(all);
    await steered.clock.advance(minute);
    expect(await namesNow(steered)).toHaveLength(1);
    expect((await eventsOf(steered, "ProtectionLimitReached", "Deployment"))[0]).toMatch(
      /Removing although protected, since the limit of 5m0s has come: web-/,
    );
  });

  test("keeps all when it grows again, and writes nothing while it waits", async () => {
    const steered = await start();
    await deploy(steered, web({ replicas: 4, annotations: byOrder }));
    const all = await namesNow(steered);
    await protect(steered, all);
    await scale(steered, 2);
    await steered.clock.advance(minute);
    const writes = () => steered.copies[0]?.line.requests.filter(({ verb }) => verb === "patch").length ?? 0;
    const [before, asked] = [writes(), admissions(steered)];
    await steered.clock.advance(10 * minute);
    expect(writes()).toBe(before);
    // Now and then the stock controller looks at its Deployments.
    expect(admissions(steered) - asked).toBeLessThanOrEqual(2);
    await scale(steered, 4);
    await steered.clock.advance(minute);
    expect(await namesNow(steered)).toEqual(all);
    expect(ownLabels(await onlyReplicaSet(steered))).toEqual([]);
    await protect(steered, all, null);
    await steered.clock.advance(minute);
    expect(await namesNow(steered)).toEqual(all);
  });

  test("removes a dear Pod before a cheap one that is protected", async () => {
    const steered = await start();
    await deploy(steered, web({ replicas: 3, annotations: byOrder }));
    const [cheap = "", dear = "", dearer = ""] = await namesNow(steered);
    await setCost(steered, cheap, "-5");
    await setCost(steered, dear, "5");
    await setCost(steered, dearer, "9");
    await protect(steered, [cheap]);
    await scale(steered, 2);
    await steered.clock.advance(minute);
    expect(await namesNow(steered)).toEqual([cheap, dearer].toSorted());
    expect(await markedPods(steered)).toEqual([]);
  });

  test("is asked for once more by the next leader", async () => {
    const steered = await start({ copies: 1 });
    await deploy(steered, web({ replicas: 4, annotations: byOrder }));
    const all = await namesNow(steered);
    await protect(steered, all);
    await scale(steered, 2);
    await steered.clock.advance(minute);
    await steered.takeDown();
    await protect(steered, all, null);
    await steered.startCopy();
    await steered.clock.advance(minute);
    expect(await namesNow(steered)).toHaveLength(2);
  });
});

const admissions = ({ metrics }: VirtualSteering) =>
  metrics.observations("trimtab_steer_admission_seconds", { kind: "shrink" }).length;

describe("a pod picker", () => {
  const busy = new Set<string>();
  const sparing: SimulatedPicker = {
    pick: ({ candidates }) => ({ protected_pods: candidates.filter((name) => busy.has(name)) }),
  };

  test("protects Pods, and is asked again ever less often", async () => {
    let asked = 0;
    const counting: SimulatedPicker = { pick: (...question) => (asked++, sparing.pick(...question)) };
    const steered = await start({ pickers: { picker: counting } });
    await deploy(steered, web({ replicas: 5, annotations: byPicker }));
    const all = await namesNow(steered);
    for (const name of all.slice(0, 3)) busy.add(name);
    await scale(steered, 1);
    await steered.clock.advance(4000);
    expect(await namesNow(steered)).toEqual(all.slice(0, 3));
    expect(asked).toBe(1);
    await steered.clock.advance(5 * minute);
    expect(asked).toBeGreaterThanOrEqual(5);
    expect(asked).toBeLessThanOrEqual(9);
    busy.delete(all[0] ?? "");
    busy.delete(all[1] ?? "");
    await steered.clock.advance(2 * minute);
    expect(await namesNow(steered)).toEqual(all.slice(2, 3));
  });
});

describe("a ReplicaSet without a Deployment", () => {
  const loose = async (steered: VirtualSteering) => {
    const { client, clock } = steered;
    await client.create(replicaSets, looseReplicaSet("loose", { replicas: 4, annotations: byOrder }));
    await clock.advance(20_000);
    return namesNow(steered);
  };

  test.each(["scale", undefined] as const)("is finished later (%s)", async (subresource) => {
    const steered = await start();
    const all = await loose(steered);
    await protect(steered, all.slice(0, 3));
    const body = { spec: { replicas: 1 } };
    await steered.client.patch(replicaSets, at("loose"), {
      type: "merge",
      body,
      ...(subresource && { subresource }),
    });
    await steered.clock.advance(minute);
    expect(await namesNow(steered)).toEqual(all.slice(0, 3));
    await protect(steered, all.slice(0, 2), null);
    await steered.clock.advance(minute);
    expect(await namesNow(steered)).toEqual(all.slice(2, 3));
    expect(ownLabels(await steered.client.get(replicaSets, at("loose")))).toEqual([]);
  });

  test("keeps the size that a person sets later", async () => {
    const steered = await start();
    const all = await loose(steered);
    await protect(steered, all);
    const resize = (replicas: number) =>
      steered.client.patch(replicaSets, at("loose"), { type: "merge", body: { spec: { replicas } } });
    await resize(1);
    await steered.clock.advance(minute);
    await resize(5);
    await steered.clock.advance(minute);
    await protect(steered, all, null);
    await steered.clock.advance(minute);
    expect(await namesNow(steered)).toHaveLength(5);
    expect(ownLabels(await steered.client.get(replicaSets, at("loose")))).toEqual([]);
  });
});

const imageOf = ({ spec }: Pod) => spec.containers[0]?.image;

test("a rolling update stops at its surge until protection ends", async () => {
  const steered = await start();
  const surge = { maxSurge: 1, maxUnavailable: 0 };
  await deploy(steered, web({ replicas: 3, annotations: byOrder, ...surge }));
  const old = await namesNow(steered);
  await protect(steered, old);
  await roll(steered);
  await steered.clock.advance(5 * minute);
  const now = await activePods(steered);
  expect(now.filter((pod) => imageOf(pod) === "web:2")).toHaveLength(1);
  expect(namesOf(now.filter((pod) => imageOf(pod) !== "web:2"))).toEqual(old);
  await protect(steered, old, null);
  await steered.clock.advance(5 * minute);
  expect((await activePods(steered)).map(imageOf)).toEqual(["web:2", "web:2", "web:2"]);
});

describe("a rollout that finds its oldest Pods protected", () => {
  /** A revision that is protected as a whole, one that could only grow by the surge, and the one that is rolled out. */
  const thirdRevision = async (policy: Readonly<Record<string, string>> = {}) => {
    const steered = await start();
    const surge = { maxSurge: 1, maxUnavailable: 0 };
    await deploy(steered, web({ replicas: 3, annotations: { ...byOrder, ...policy }, ...surge }));
    const oldest = await namesNow(steered);
    await protect(steered, oldest);
    await roll(steered);
    await steered.clock.advance(2 * minute);
    await roll(steered, { image: "web:3" });
    await steered.clock.advance(2 * minute);
    return { steered, oldest };
  };
  const images = async (steered: VirtualSteering) =>
    (await activePods(steered)).map((pod) => String(imageOf(pod))).toSorted();

  test.each([{}, { "trimtab.dev/pod-replacement-policy": "TerminationComplete" }])(
    "goes on with the younger old ones (%o)",
    async (policy) => {
      const { steered, oldest } = await thirdRevision(policy);
      expect(await images(steered)).toEqual(["web:1", "web:1", "web:1", "web:3"]);
      await protect(steered, oldest, null);
      await steered.clock.advance(5 * minute);
      expect(await images(steered)).toEqual(["web:3", "web:3", "web:3"]);
      expect(await eventsOf(steered, "ScaleDownDiffers")).toEqual([]);
      expect(await markedPods(steered)).toEqual([]);
    },
  );

  test("writes nothing more once it waits for them alone", async () => {
    const { steered } = await thirdRevision();
    const writes = () => steered.copies[0]?.line.requests.filter(({ verb }) => verb === "patch").length ?? 0;
    const before = writes();
    await steered.clock.advance(8 * minute);
    expect(writes()).toBe(before);
  });
});

test("a rollout that waits for protected Pods beyond its progress deadline is said to go on, once", async () => {
  const steered = await start();
  const spec = { progressDeadlineSeconds: 120 };
  await deploy(steered, web({ replicas: 3, annotations: byOrder, spec }));
  const old = await namesNow(steered);
  await protect(steered, old);
  await roll(steered);
  await steered.clock.advance(minute);
  expect(await eventsOf(steered, "RolloutWaitsForProtection")).toEqual([]);
  await steered.clock.advance(5 * minute);
  expect(await eventsOf(steered, "RolloutWaitsForProtection", "Deployment")).toEqual([
    expect.stringMatching(
      /The progress deadline has passed, .*; the rollout goes on\. Waiting for protected Pods of ReplicaSet "web-\S+": 1 Pod is kept/,
    ),
  ]);
  await protect(steered, old, null);
  await steered.clock.advance(5 * minute);
  expect(await isRolled(steered, 3)).toBe(true);
});

test("Recreate does not look at protection when it drains", async () => {
  const steered = await start();
  await deploy(steered, web({ replicas: 3, annotations: byOrder, strategy: "Recreate" }));
  await protect(steered, await namesNow(steered));
  await roll(steered);
  await steered.clock.advance(5 * minute);
  expect((await activePods(steered)).map(imageOf)).toEqual(["web:2", "web:2", "web:2"]);
});

test("with the gate off nothing is held back", async () => {
  const steered = await startSteering();
  await deploy(steered, web({ replicas: 3, annotations: byOrder }));
  await protect(steered, await namesNow(steered));
  await steered.client.patch(deployments, at("web"), { type: "merge", body: { spec: { replicas: 1 } } });
  await steered.clock.advance(minute);
  expect(await namesNow(steered)).toHaveLength(1);
});
