import { expect, test } from "vitest";
import { deployments, replicaSets } from "../../src/api/resources.ts";
import { downscalePodPickerAnnotation } from "../../src/api/workload-settings.ts";
import { VirtualClock } from "../../src/machinery/clock/virtual-clock.ts";
import { scoringPicker, type SimulatedPicker } from "../../src/picker/simulated-picker.ts";
import { pickerEventsOf, podsOf, run, scale, startVirtual } from "./virtual-cluster.ts";

/** Chooses the Pods whose names come last. */
const fromTheEnd: SimulatedPicker = {
  latencyMs: 300,
  pick: ({ requested, candidates }) => ({ chosen_pods: candidates.toSorted().slice(-requested) }),
};
const hanging: SimulatedPicker = { latencyMs: 3_600_000, pick: () => ({ chosen_pods: [] }) };

test("a picker decides among equal Pods, and the record has the request and the outcome", async () => {
  const cluster = await startVirtual({ pickers: { picker: fromTheEnd } });
  await run(cluster, "web", { replicas: 5, picker: "picker" });
  const before = (await podsOf(cluster, "web")).toSorted();
  await scale(cluster, "web", 3);
  expect(await podsOf(cluster, "web")).toHaveLength(5);
  await cluster.clock.advance(300);
  expect((await podsOf(cluster, "web")).toSorted()).toEqual(before.slice(0, 3));
  const [record] = cluster.decisions.removals.find({ namespace: "default", name: "web" });
  expect(record?.picker).toMatchObject({
    outcome: "Ranked",
    asked: { requested: 2, candidates: 5 },
    used: true,
  });
  expect(await pickerEventsOf(cluster, "web")).toEqual([]);
});

test("a picker that hangs delays the scale-down by its timeout, with one event", async () => {
  const cluster = await startVirtual({ pickers: { picker: hanging } });
  await run(cluster, "web", { replicas: 5, picker: "picker" });
  await scale(cluster, "web", 3);
  await cluster.clock.advance(1999);
  expect(await podsOf(cluster, "web")).toHaveLength(5);
  await cluster.clock.advance(1);
  expect(await podsOf(cluster, "web")).toHaveLength(3);
  await cluster.clock.advance(5000);
  expect(await pickerEventsOf(cluster, "web")).toEqual([
    "DownscalePodPickerFailed: pod picker not used (Timeout, 1 attempt(s)); falling back to default pod selection",
  ]);
});

test("hanging pickers do not delay other ReplicaSets", async () => {
  const cluster = await startVirtual({ pickers: { picker: hanging } });
  const picker = { http: { host: "picker", port: 80 }, timeoutSeconds: 30 };
  const slow = Array.from({ length: 100 }, (_, index) => `slow-${index}`);
  await Promise.all(
    ["plain", ...slow].map((name) =>
      run(cluster, name, name === "plain" ? { replicas: 4 } : { replicas: 2, picker }),
    ),
  );
  for (const name of slow) await scale(cluster, name, 1);
  await scale(cluster, "plain", 1);
  expect(await podsOf(cluster, "plain")).toHaveLength(1);
  expect(await podsOf(cluster, "slow-0")).toHaveLength(2);
});

test("scaling up again cancels the call", async () => {
  const cluster = await startVirtual({ pickers: { picker: hanging } });
  await run(cluster, "web", { replicas: 4, picker: "picker" });
  await scale(cluster, "web", 2);
  await scale(cluster, "web", 5);
  await cluster.clock.advance(5000);
  expect(await podsOf(cluster, "web")).toHaveLength(5);
  expect(await pickerEventsOf(cluster, "web")).toEqual([]);
});

test("a controller that restarts during a call loses only the answer", async () => {
  const cluster = await startVirtual({ pickers: { picker: fromTheEnd } });
  await run(cluster, "web", { replicas: 5, picker: "picker" });
  const before = (await podsOf(cluster, "web")).toSorted();
  await scale(cluster, "web", 3);
  await cluster.clock.advance(100);
  const part = cluster.components.find(({ name }) => name === "replicaset");
  await part?.stop();
  await cluster.clock.advance(1000);
  expect(await podsOf(cluster, "web")).toHaveLength(5);
  cluster.startComponent("replicaset");
  await cluster.clock.advance(1000);
  expect((await podsOf(cluster, "web")).toSorted()).toEqual(before.slice(0, 3));
});

test("with the gate off the field is dropped, and no picker is called", async () => {
  const cluster = await startVirtual({
    pickers: { picker: fromTheEnd },
    gates: { DownscalePodPicker: false },
  });
  const { spec } = await run(cluster, "web", { replicas: 3, picker: "picker" });
  expect(spec).not.toHaveProperty("downscalePodPicker");
  await scale(cluster, "web", 1);
  expect(await podsOf(cluster, "web")).toHaveLength(1);
});

test("the annotation works where the API server does not know the field", async () => {
  const cluster = await startVirtual({
    pickers: { picker: fromTheEnd },
    apiServerGates: { DownscalePodPicker: false },
  });
  const written = JSON.stringify({ grpc: { host: "picker", port: "pick" } });
  await run(cluster, "web", { replicas: 4, annotations: { [downscalePodPickerAnnotation]: written } });
  const before = (await podsOf(cluster, "web")).toSorted();
  await scale(cluster, "web", 3);
  await cluster.clock.advance(300);
  expect((await podsOf(cluster, "web")).toSorted()).toEqual(before.slice(0, 3));
});

test("the picker of a Deployment is called for its ReplicaSets", async () => {
  const cluster = await startVirtual({ pickers: { picker: fromTheEnd } });
  const { client, clock } = cluster;
  const labels = { app: "web" };
  const at = { namespace: "default", name: "web" };
  const podSpec = { containers: [{ name: "app", image: "registry.example/app:1" }] };
  await client.create(deployments, {
    metadata: at,
    spec: {
      replicas: 4,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: podSpec },
      downscalePodPicker: { http: { host: "picker", port: 80 } },
    },
  });
  await clock.advance(5000);
  const before = (await podsOf(cluster, "web")).toSorted();
  await client.patch(deployments, at, { type: "merge", body: { spec: { replicas: 1 } } });
  await clock.advance(1000);
  expect(await podsOf(cluster, "web")).toEqual([before[0]]);
  const count = cluster.metrics.value("trimtab_workloads_with_pod_picker", { protocol: "http" });
  expect(count).toBe(1);
});

test("an unknown host is an event with its failure class", async () => {
  const cluster = await startVirtual({ pickers: {} });
  await run(cluster, "web", { replicas: 3, picker: "unknown" });
  await scale(cluster, "web", 1);
  await cluster.clock.advance(1000);
  expect(await podsOf(cluster, "web")).toHaveLength(1);
  expect(await pickerEventsOf(cluster, "web")).toEqual([
    "DownscalePodPickerFailed: pod picker not used (HostUnresolved, 1 attempt(s)); falling back to default pod selection",
  ]);
});

test("the scores of Pods at each scale-down decide which are deleted", async () => {
  const turn = new VirtualClock().now() + 60_000;
  let names: readonly string[] = [];
  const firstThenLast = (pod: string, now: number) => names.indexOf(pod) * (now < turn ? 1 : -1);
  const cluster = await startVirtual({ pickers: { picker: scoringPicker(firstThenLast, 10) } });
  await run(cluster, "web", { replicas: 6, picker: "picker" });
  names = (await podsOf(cluster, "web")).toSorted();
  await scale(cluster, "web", 4);
  await cluster.clock.advance(1000);
  expect((await podsOf(cluster, "web")).toSorted()).toEqual(names.slice(2));
  await cluster.clock.advance(60_000);
  await scale(cluster, "web", 2);
  await cluster.clock.advance(1000);
  expect((await podsOf(cluster, "web")).toSorted()).toEqual(names.slice(2, 4));
  const status = (await cluster.client.get(replicaSets, { namespace: "default", name: "web" })).status;
  expect(status).toMatchObject({ replicas: 2, readyReplicas: 2 });
});
