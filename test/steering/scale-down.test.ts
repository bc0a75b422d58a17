import { describe, expect, test } from "vitest";
import { deletionCostAnnotation } from "../../src/api/deletion-cost.ts";
import { configMaps, deployments, events, pods, replicaSets } from "../../src/api/resources.ts";
import type { ReplicaSet } from "../../src/api/generated/apps-v1.ts";
import type { JsonObject } from "../../src/api/json.ts";
import { paths } from "../../src/steering/webhook-paths.ts";
import { permanentFailure } from "../../src/picker/picker-failure.ts";
import type { SimulatedPicker } from "../../src/picker/simulated-picker.ts";
import { looseReplicaSet, web } from "../deployment/builders.ts";
import {
  activePods,
  at,
  deploy,
  eventsOf,
  markedPods,
  namesOf,
  replicaSetsOf,
  scale,
  setCost,
  startSteering,
  type VirtualSteering,
} from "./virtual.ts";

const byOrder = { "trimtab.dev/removal-order": "trimtab" };
const byPicker = (timeoutSeconds = 2) => ({
  "trimtab.dev/downscale-pod-picker": JSON.stringify({
    http: { host: "picker", port: 80 },
    timeoutSeconds,
    maxRetries: 0,
  }),
});
const label = "kubernetes.io/prefer-for-scale-down";

async function labelPods(steered: VirtualSteering, names: readonly string[]): Promise<void> {
  const body = { metadata: { labels: { [label]: "" } } };
  for (const name of names) await steered.client.patch(pods, at(name), { type: "merge", body });
}

/** Chooses the last by name, of which the stock order knows nothing. */
const last: SimulatedPicker = {
  pick: ({ requested, candidates }) => ({ chosen_pods: candidates.toSorted().slice(-requested) }),
};

describe("a stock cluster", () => {
  test("removes the Pods with the label first, and no mark is left", async () => {
    const steered = await startSteering();
    await deploy(steered, web({ replicas: 8, annotations: byOrder }));
    const all = namesOf(await activePods(steered));
    const meant = [1, 4, 6].map((index) => all[index] ?? "");
    await labelPods(steered, meant);
    await scale(steered, 5);
    await steered.clock.advance(60_000);
    expect(namesOf(await activePods(steered))).toEqual(all.filter((name) => !meant.includes(name)));
    expect(await markedPods(steered)).toEqual([]);
    const [said] = await eventsOf(steered, "ScaleDownSteered", "ReplicaSet");
    expect(said).toMatch(/^ReplicaSet web-\w+: Removing 3 of 8 pods: (web-\S+ \(preferred\)(, )?){3}$/);
    expect(await eventsOf(steered, "ScaleDownDiffers")).toEqual([]);
    const costs = (await activePods(steered)).map(
      ({ metadata }) => metadata.annotations?.[deletionCostAnnotation],
    );
    expect(new Set(costs)).toEqual(new Set([undefined]));
  });

  test("removes the Pods that a picker chooses", async () => {
    const steered = await startSteering({ pickers: { picker: last } });
    await deploy(steered, web({ replicas: 6, annotations: byPicker() }));
    const all = namesOf(await activePods(steered));
    await scale(steered, 2);
    await steered.clock.advance(60_000);
    expect(namesOf(await activePods(steered))).toEqual(all.slice(0, 2));
  });

  test("is steered for a ReplicaSet without a Deployment, too", async () => {
    const steered = await startSteering({ pickers: { picker: last } });
    await steered.client.create(
      replicaSets,
      looseReplicaSet("loose", { replicas: 5, annotations: byPicker() }),
    );
    await steered.clock.advance(20_000);
    const all = namesOf(await activePods(steered));
    await steered.client.patch(replicaSets, at("loose"), { type: "merge", body: { spec: { replicas: 3 } } });
    await steered.clock.advance(60_000);
    expect(namesOf(await activePods(steered))).toEqual(all.slice(0, 3));
  });

  test("is steered when such a ReplicaSet is scaled through /scale a second after it asked", async () => {
    const steered = await startSteering({ pickers: { picker: last } });
    const { client, clock } = steered;
    await client.create(replicaSets, looseReplicaSet("loose", { replicas: 5 }));
    await clock.advance(20_000);
    const all = namesOf(await activePods(steered));
    const annotations = byPicker();
    await client.patch(replicaSets, at("loose"), { type: "merge", body: { metadata: { annotations } } });
    await clock.advance(1000);
    await client.patch(replicaSets, at("loose"), {
      type: "merge",
      body: { spec: { replicas: 3 } },
      subresource: "scale",
    });
    await clock.advance(60_000);
    expect(namesOf(await activePods(steered))).toEqual(all.slice(0, 3));
    expect(await eventsOf(steered, "ScaleDownSteered", "ReplicaSet")).toHaveLength(1);
  });

  test("is steered for a ReplicaSet of another controller, whose other Pods the stock order counts", async () => {
    const steered = await startSteering();
    const { client, clock } = steered;
    const rollout = await client.create(configMaps, { metadata: at("rollout") });
    const { name, uid } = rollout.metadata;
    const ownerReferences = [{ apiVersion: "v1", kind: "ConfigMap", name, uid, controller: true }];
    const owned = (own: ReturnType<typeof looseReplicaSet>) => ({
      ...own,
      metadata: { ...own.metadata, ownerReferences },
    });
    const resize = (replicas: number) =>
      client.patch(replicaSets, at("old"), { type: "merge", body: { spec: { replicas } } });
    await client.create(replicaSets, owned(looseReplicaSet("old", { replicas: 1, annotations: byOrder })));
    await clock.advance(600_000);
    const [first] = await activePods(steered);
    await resize(2);
    await clock.advance(60_000);
    const { spec, ...next } = owned(looseReplicaSet("next", { replicas: 3 }));
    const podSpec = { containers: [], ...spec.template?.spec, nodeName: first?.spec.nodeName ?? "" };
    const template = { ...spec.template, spec: podSpec };
    await client.create(replicaSets, { ...next, spec: { ...spec, template } });
    await clock.advance(60_000);
    await resize(1);
    await clock.advance(60_000);
    expect(namesOf(await activePods(steered))).toContain(first?.metadata.name);
    expect(await eventsOf(steered, "ScaleDownDiffers")).toEqual([]);
  });

  test("keeps to what people have set: their costs come before ours", async () => {
    const steered = await startSteering({ pickers: { picker: last } });
    await deploy(steered, web({ replicas: 6, annotations: byPicker() }));
    const all = namesOf(await activePods(steered));
    const [first = "", second = "", third = "", ...others] = all;
    await setCost(steered, first, "-100");
    for (const name of others) await setCost(steered, name, "2147483647");
    await scale(steered, 4);
    await steered.clock.advance(60_000);
    expect(namesOf(await activePods(steered))).toEqual([second, ...others].toSorted());
    expect(third).not.toBe("");
    await scale(steered, 2);
    await steered.clock.advance(60_000);
    expect(namesOf(await activePods(steered))).toEqual(others.slice(0, 2));
    const costs = (await activePods(steered)).map(
      ({ metadata }) => metadata.annotations?.[deletionCostAnnotation],
    );
    expect(costs).toEqual(["2147483647", "2147483647"]);
  });

  test("is left alone where nobody asked", async () => {
    const steered = await startSteering();
    await deploy(steered, web({ replicas: 4 }));
    const writes = steered.copies[0]?.line.requests.length ?? 0;
    await scale(steered, 2);
    await steered.clock.advance(60_000);
    expect(steered.copies[0]?.line.requests.slice(writes)).toEqual([]);
  });

  test("does as ever while nothing answers", async () => {
    const steered = await startSteering();
    await deploy(steered, web({ replicas: 4, annotations: byOrder }));
    await steered.takeDown();
    await scale(steered, 2);
    await steered.clock.advance(10_000);
    expect(await activePods(steered)).toHaveLength(2);
  });
});

describe("two scale-downs at once", () => {
  test.each([
    [40, 30, 20],
    [40, 18, 12],
  ])(
    "%i → %i → %i remove what was decided last, on the costs that people have set (D)",
    async (from, ...sizes) => {
      const steered = await startSteering({ pickers: { picker: last } });
      await deploy(steered, web({ replicas: from, annotations: byPicker() }));
      const all = namesOf(await activePods(steered));
      // Half of them are dear, so that the first cut goes through the cheap ones.
      const dear = all.filter((_, index) => index % 2 === 0);
      for (const name of dear) await setCost(steered, name, "5");
      const cheap = all.filter((name) => !dear.includes(name));
      for (const size of sizes) {
        await scale(steered, size);
        await steered.clock.settle();
      }
      await steered.clock.advance(60_000);
      const left = sizes.at(-1) ?? 0;
      const expected =
        left >= dear.length ? [...dear, ...cheap.slice(0, left - dear.length)] : dear.slice(0, left);
      expect(namesOf(await activePods(steered))).toEqual(expected.toSorted());
      expect(await markedPods(steered)).toEqual([]);
      expect(await eventsOf(steered, "ScaleDownDiffers")).toEqual([]);
    },
  );
});

/** For how many seconds admission has held requests that shrink. */
const held = ({ metrics }: VirtualSteering) =>
  metrics.observations("trimtab_steer_admission_seconds", { kind: "shrink" });

test("where all Pods go nothing is decided, and the request does not wait", async () => {
  const steered = await startSteering();
  await deploy(steered, web({ replicas: 4, annotations: byOrder }));
  await scale(steered, 0);
  await steered.clock.advance(60_000);
  expect(await activePods(steered)).toEqual([]);
  expect(await eventsOf(steered, "ScaleDownSteered", "ReplicaSet")).toEqual([]);
  expect(held(steered)).toEqual([0]);
});

describe("a picker that", () => {
  const removedWith = async (picker: SimulatedPicker) => {
    const steered = await startSteering({ pickers: { picker } });
    await deploy(steered, web({ replicas: 4, annotations: byPicker() }));
    await scale(steered, 2);
    await steered.clock.advance(60_000);
    return { steered, left: await activePods(steered) };
  };

  test("fails, lies or says nothing leaves the normal order", async () => {
    for (const answer of [
      permanentFailure("ConnectionFailed"),
      { chosen_pods: ["nobody"] },
      { chosen_pods: [] },
      7,
    ]) {
      const { left, steered } = await removedWith({ pick: () => answer });
      expect(left).toHaveLength(2);
      expect(await eventsOf(steered, "ScaleDownDiffers")).toEqual([]);
    }
  });

  test.each([
    [3, 3],
    [30, 30],
  ])(
    "hangs holds no request, and delays a scale-down by its own %i seconds",
    async (timeoutSeconds, most) => {
      const hanging = { pick: () => ({}), latencyMs: 1_000_000 };
      const steered = await startSteering({ pickers: { picker: hanging } });
      await deploy(steered, web({ replicas: 4, annotations: byPicker(timeoutSeconds) }));
      await scale(steered, 2);
      await steered.clock.advance(most * 1000 - 100);
      expect(await activePods(steered)).toHaveLength(4);
      await steered.clock.advance(1000);
      expect(await activePods(steered)).toHaveLength(2);
      expect(Math.max(...held(steered))).toBe(0);
    },
  );

  test("hangs holds the Scale of a ReplicaSet no longer than the webhook may", async () => {
    const hanging = { pick: () => ({}), latencyMs: 1_000_000 };
    const steered = await startSteering({ pickers: { picker: hanging }, timeoutSeconds: 3 });
    const { client, clock } = steered;
    await client.create(replicaSets, looseReplicaSet("loose", { replicas: 4, annotations: byPicker(30) }));
    await clock.advance(20_000);
    const body = { spec: { replicas: 2 } };
    void client.patch(replicaSets, at("loose"), { type: "merge", body, subresource: "scale" });
    await clock.advance(3000);
    expect(Math.max(...held(steered))).toBeLessThanOrEqual(2);
    expect(await activePods(steered)).toHaveLength(2);
  });

  test("is slow delays no other: ten at once are ten answers", async () => {
    let asked = 0;
    const slow: SimulatedPicker = {
      pick: (question, now) => (asked++, last.pick(question, now)),
      latencyMs: 800,
    };
    const steered = await startSteering({ pickers: { picker: slow } });
    const names = Array.from({ length: 10 }, (_, index) => `web-${index}`);
    for (const name of names)
      await steered.client.create(deployments, web({ name, replicas: 3, annotations: byPicker(5) }));
    await steered.clock.advance(20_000);
    await Promise.all(names.map((name) => scale(steered, 1, name)));
    await steered.clock.advance(2000);
    expect(asked).toBe(10);
    expect(await activePods(steered)).toHaveLength(10);
    expect(Math.max(...held(steered))).toBe(0);
    expect(await eventsOf(steered, "ScaleDownNotSteered")).toEqual([]);
  });

  test("was asked is not asked again about the same", async () => {
    let asked = 0;
    const counting: SimulatedPicker = { pick: (question, now) => (asked++, last.pick(question, now)) };
    const steered = await startSteering({ pickers: { picker: counting } });
    await deploy(steered, web({ replicas: 4, annotations: byPicker() }));
    // The API server refuses the first writes: the stock controller tries again.
    let refusals = 3;
    steered.refuse(() => refusals-- > 0);
    await scale(steered, 2);
    await steered.clock.advance(60_000);
    expect(await activePods(steered)).toHaveLength(2);
    expect(refusals).toBeLessThan(0);
    expect(asked).toBe(1);
    expect(await eventsOf(steered, "ScaleDownSteered", "ReplicaSet")).toHaveLength(1);
  });
});

interface Review {
  readonly replicaSet: ReplicaSet;
  readonly replicas: number;
  readonly resource: "replicasets" | "replicasets/scale";
  readonly isDryRun?: boolean;
}

/** What the webhook answers when an API server asks about a smaller size without meaning it. */
function review({ copies }: VirtualSteering, { replicaSet, replicas, resource, isDryRun = false }: Review) {
  const { namespace = "", name } = replicaSet.metadata;
  const object = { ...replicaSet, spec: { ...replicaSet.spec, replicas } } as unknown as JsonObject;
  const oldObject = replicaSet as unknown as JsonObject;
  const what = { uid: "review", resource, operation: "UPDATE", isDryRun };
  return copies[0]?.steering.handlers[paths.sizes]?.({ ...what, namespace, name, object, oldObject }, 3000);
}

async function dryRun(steered: VirtualSteering, replicaSet: ReplicaSet, replicas: number) {
  const answering = review(steered, { replicaSet, replicas, resource: "replicasets", isDryRun: true });
  await steered.clock.advance(3000);
  return answering;
}

describe("marks", () => {
  test("of a request that was refused further on are undone", async () => {
    const steered = await startSteering({ pickers: { picker: last } });
    await deploy(steered, web({ replicas: 6, annotations: byPicker() }));
    steered.refuse(() => true);
    await scale(steered, 4);
    await steered.clock.advance(5000);
    expect(await markedPods(steered)).toHaveLength(2);
    await steered.client.patch(deployments, at("web"), { type: "merge", body: { spec: { replicas: 6 } } });
    await steered.clock.advance(60_000);
    expect(await markedPods(steered)).toEqual([]);
    expect(await activePods(steered)).toHaveLength(6);
  });

  test("leave a cost that a person sets meanwhile", async () => {
    const steered = await startSteering({ pickers: { picker: last } });
    await deploy(steered, web({ replicas: 6, annotations: byPicker() }));
    steered.refuse(() => true);
    await scale(steered, 4);
    await steered.clock.advance(2000);
    const [marked = ""] = await markedPods(steered);
    await setCost(steered, marked, "77");
    await steered.client.patch(deployments, at("web"), { type: "merge", body: { spec: { replicas: 6 } } });
    await steered.clock.advance(60_000);
    const { metadata } = await steered.client.get(pods, at(marked));
    expect(metadata.annotations?.[deletionCostAnnotation]).toBe("77");
    expect(await markedPods(steered)).toEqual([]);
  });

  test("are not written by a dry run", async () => {
    const steered = await startSteering({ pickers: { picker: last } });
    await deploy(steered, web({ replicas: 6, annotations: byPicker() }));
    const [replicaSet] = await replicaSetsOf(steered);
    const before = steered.store.revision();
    await steered.client.patch(replicaSets, at(replicaSet?.metadata.name ?? ""), {
      type: "merge",
      body: { spec: { replicas: 1 } },
      dryRun: true,
    });
    expect(steered.store.revision()).toBe(before);
  });

  test("are foretold by a dry run, as a warning for a person", async () => {
    const steered = await startSteering();
    await deploy(steered, web({ replicas: 4, annotations: byOrder }));
    const [first = "", second = ""] = namesOf(await activePods(steered));
    await labelPods(steered, [first, second]);
    const [replicaSet] = await replicaSetsOf(steered);
    if (replicaSet === undefined) throw new Error("there is no ReplicaSet");
    const before = steered.store.revision();
    const answer = await dryRun(steered, replicaSet, 2);
    const [warning = ""] = answer?.allowed === true ? (answer.warnings ?? []) : [];
    expect(warning).toMatch(/^trimtab steer: Removing 2 of 4 pods: /);
    for (const preferred of [first, second]) expect(warning).toContain(`${preferred} (preferred)`);
    expect(steered.store.revision()).toBe(before);
  });

  test("of a copy that is gone are undone by the next", async () => {
    const steered = await startSteering({ pickers: { picker: last } });
    await deploy(steered, web({ replicas: 6, annotations: byPicker() }));
    steered.refuse(() => true);
    await scale(steered, 4);
    await steered.clock.settle();
    await steered.takeDown();
    expect(await markedPods(steered)).toHaveLength(2);
    await steered.client.patch(deployments, at("web"), { type: "merge", body: { spec: { replicas: 6 } } });
    await steered.startCopy();
    await steered.clock.advance(60_000);
    expect(await markedPods(steered)).toEqual([]);
  });
});

test("a Scale that is refused for being one of too many leaves no mark of an earlier one", async () => {
  const steered = await startSteering({ pickers: { picker: last } });
  await steered.client.create(replicaSets, looseReplicaSet("web", { replicas: 14, annotations: byPicker() }));
  await steered.clock.advance(20_000);
  const [replicaSet] = await replicaSetsOf(steered);
  if (replicaSet === undefined) throw new Error("there is no ReplicaSet");
  // Each size is asked for once and refused further on: a decision and its marks each.
  const ask = async (size: number) => {
    void review(steered, { replicaSet, replicas: size, resource: "replicasets/scale" });
    await steered.clock.settle();
  };
  for (let size = 13; size > 3; size--) await ask(size);
  expect(await markedPods(steered)).toHaveLength(4);
  await ask(3);
  const refused = steered.metrics.value("trimtab_steer_admissions_total", {
    kind: "shrink",
    outcome: "rate-limited",
  });
  expect(refused).toBeGreaterThan(0);
  expect(await markedPods(steered)).toEqual([]);
});

test("a removal that differs since a person changed a cost meanwhile is told, with both lists, and no fault", async () => {
  const steered = await startSteering({ pickers: { picker: last } });
  await deploy(steered, web({ replicas: 5, annotations: byPicker() }));
  const all = namesOf(await activePods(steered));
  // After the Pods were marked and before the stock controller acts, a person makes a victim dear.
  let isFirst = true;
  steered.refuse(async () => {
    if (isFirst) await setCost(steered, all[4] ?? "", "1000");
    return (isFirst = false);
  });
  await scale(steered, 3);
  await steered.clock.advance(60_000);
  const left = namesOf(await activePods(steered));
  expect(left).toContain(all[4]);
  const removed = all.filter((name) => !left.includes(name));
  const [said] = await eventsOf(steered, "ScaleDownDiffers");
  const [head, tail] = (said ?? "").split("; removed ");
  for (const name of all.slice(3)) expect(head).toContain(name);
  for (const name of removed) expect(tail).toContain(name);
  expect(head).toContain(`since others changed the costs of ${all[4] ?? ""}`);
  const mismatches = (cause: string) => steered.metrics.value("trimtab_steer_mismatches_total", { cause });
  expect([mismatches("CostsChanged"), mismatches("Unexplained")]).toEqual([1, 0]);
  const { items } = await steered.client.list(events, { namespace: "default" });
  expect(items.find(({ reason }) => reason === "ScaleDownDiffers")?.type).toBe("Normal");
  expect(await markedPods(steered)).toEqual([]);
});

test("a removal that differs since a program wrote its cost over a mark anew is no fault either", async () => {
  const steered = await startSteering({ pickers: { picker: last } });
  await deploy(steered, web({ replicas: 5, annotations: byPicker() }));
  const all = namesOf(await activePods(steered));
  for (const name of all) await setCost(steered, name, "3");
  let isFirst = true;
  steered.refuse(async () => {
    if (isFirst) for (const name of await markedPods(steered)) await setCost(steered, name, "3");
    return (isFirst = false);
  });
  await scale(steered, 3);
  await steered.clock.advance(60_000);
  const mismatches = (cause: string) => steered.metrics.value("trimtab_steer_mismatches_total", { cause });
  expect([mismatches("CostsChanged"), mismatches("Unexplained")]).toEqual([1, 0]);
  expect(await markedPods(steered)).toEqual([]);
});
