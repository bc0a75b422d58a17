import { beforeAll, expect, test } from "vitest";
import { deployments, podDisruptionBudgets } from "../../api/resources.ts";
import { startSimulatedCluster } from "../simulated-cluster.ts";
import { objectsIn } from "../snapshot/load-snapshot.ts";
import { type Snapshot, takeSnapshot } from "../snapshot/snapshot.ts";
import type { Change } from "./change.ts";
import { runWhatIf } from "./run-what-if.ts";
import { describeWhatIf } from "./what-if-text.ts";

const workload = { kind: "Deployment", namespace: "default", name: "web" } as const;
let snapshot: Snapshot;

beforeAll(async () => {
  const { client, store, clock, untilStable, stop } = await startSimulatedCluster({
    seed: 1,
    nodes: 6,
    zones: 3,
  });
  const { namespace, name } = workload;
  const matchLabels = { app: name };
  await client.create(deployments, {
    metadata: { namespace, name },
    spec: {
      replicas: 6,
      selector: { matchLabels },
      template: { metadata: { labels: matchLabels }, spec: { containers: [{ name, image: "nginx" }] } },
    },
  });
  await client.create(podDisruptionBudgets, {
    metadata: { namespace, name },
    spec: { minAvailable: 6, selector: { matchLabels } },
  });
  await untilStable();
  snapshot = takeSnapshot(objectsIn(store), { now: clock.now() });
  await stop();
});

const whatIf = async (...changes: readonly Change[]) =>
  describeWhatIf(await runWhatIf({ snapshot, changes, seed: 1, notes: ["Nothing."] }));

test("a scale-down and a failed zone: who goes, in what order, and why", async () => {
  const text = await whatIf({ kind: "zone-down", zone: "zone-a" }, { kind: "scale", workload, replicas: 4 });
  expect(text).toBe(``);
});

test("a rollout of an image that cannot be pulled: it stops, and says why", async () => {
  expect(await whatIf({ kind: "image", workload, container: "web", image: "nginx:404" })).toBe(``);
});

test("a drain that a disruption budget forbids evicts nothing", async () => {
  expect(await whatIf({ kind: "drain", node: "node-1" })).toBe(``);
});

test("the same seed gives the same text, to the byte", async () => {
  const change: Change = { kind: "restart", workload };
  expect(await whatIf(change)).toBe(await whatIf(change));
});

test("a cluster that never comes to rest is given up", async () => {
  const flapping = snapshot.objects.pods.map((pod) => ({
    ...pod,
    metadata: { ...pod.metadata, annotations: { "sim.trimtab.dev/readyFlap": "1m" } },
  }));
  const report = await runWhatIf({
    snapshot: { ...snapshot, objects: { ...snapshot.objects, pods: flapping } },
    changes: [{ kind: "cordon", node: "node-1" }],
    seed: 1,
    timeoutMs: 600_000,
  });
  expect(report.stable).toBe(false);
  expect(describeWhatIf(report)).toContain("it does not come to rest within 10m0s.");
});
