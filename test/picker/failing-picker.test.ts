import { describe, expect, test } from "vitest";
import type { DownscalePodPicker } from "../../src/api/generated/apps-v1.ts";
import { deployments, replicaSets } from "../../src/api/resources.ts";
import { downscalePodPickerAnnotation } from "../../src/api/workload-settings.ts";
import { transientFailure } from "../../src/picker/picker-failure.ts";
import type { SimulatedPicker } from "../../src/picker/simulated-picker.ts";
import { pickerEventsOf, podsOf, run, scale, startVirtual, type VirtualCluster } from "./virtual-cluster.ts";

const at = { namespace: "default", name: "web" };

/** A picker that can be broken and repaired, and counts its calls. */
function repairable() {
  const state = { isBroken: true, calls: 0 };
  const picker: SimulatedPicker = {
    pick({ candidates, requested }) {
      state.calls++;
      return state.isBroken
        ? transientFailure("Refused", { code: "HTTP 503" })
        : { chosen_pods: candidates.slice(-requested) };
    },
  };
  return { state, picker };
}

const once: DownscalePodPicker = { http: { host: "picker", port: 80 }, timeoutSeconds: 2, maxRetries: 0 };

function outcomes({ decisions }: VirtualCluster): readonly unknown[] {
  return decisions.removals
    .find(at)
    .map(({ picker }) => picker?.["class"] ?? picker?.["outcome"])
    .toReversed();
}

async function scaleTo(cluster: VirtualCluster, ...sizes: readonly number[]): Promise<void> {
  for (const size of sizes) {
    await scale(cluster, "web", size);
    await cluster.clock.advance(200);
  }
}

test("after three calls in a row without an answer the picker is not waited for, and the event says until when", async () => {
  const { state, picker } = repairable();
  const cluster = await startVirtual({ pickers: { picker } });
  await run(cluster, "web", { replicas: 20, picker: once });
  await scaleTo(cluster, 19, 18, 17);
  const failed = (await pickerEventsOf(cluster, "web")).map((text) => text.split("; ").slice(1).join("; "));
  expect(failed).toEqual([
    "falling back to default pod selection",
    expect.stringMatching(
      /^falling back to default pod selection; not called until 2\d{3}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
    ),
  ]);
  await scale(cluster, "web", 15);
  expect(await podsOf(cluster, "web")).toHaveLength(15);
  expect([state.calls, outcomes(cluster)]).toEqual([3, ["Refused", "Refused", "Refused", "Suspended"]]);
});

test("after 30 seconds one call is tried; if that fails as well, the next pause is twice as long", async () => {
  const { state, picker } = repairable();
  const cluster = await startVirtual({ pickers: { picker } });
  await run(cluster, "web", { replicas: 20, picker: once });
  await scaleTo(cluster, 19, 18, 17);
  await cluster.clock.advance(30_000);
  await scaleTo(cluster, 16, 15);
  expect(state.calls).toBe(4);
  await cluster.clock.advance(31_000);
  await scaleTo(cluster, 14);
  expect(state.calls).toBe(4);
  await cluster.clock.advance(30_000);
  state.isBroken = false;
  await scaleTo(cluster, 13, 12);
  expect(state.calls).toBe(6);
  expect(outcomes(cluster).slice(-2)).toEqual(["Ranked", "Ranked"]);
});

test("an answer ends the count of failures, and so does another picker", async () => {
  const { state, picker } = repairable();
  const cluster = await startVirtual({ pickers: { picker, other: picker } });
  await run(cluster, "web", { replicas: 20, picker: once });
  await scaleTo(cluster, 19, 18);
  state.isBroken = false;
  await scaleTo(cluster, 17);
  state.isBroken = true;
  await scaleTo(cluster, 16, 15, 14, 13);
  expect(state.calls).toBe(6);
  const body = { spec: { downscalePodPicker: { http: { host: "other" } } } };
  await cluster.client.patch(replicaSets, at, { type: "merge", body });
  await scaleTo(cluster, 12);
  expect(state.calls).toBe(7);
});

test("a picker that hangs slows a rollout by three of its timeouts, not by one a step", async () => {
  const hanging: SimulatedPicker = { latencyMs: 60_000, pick: () => undefined };
  const cluster = await startVirtual({ pickers: { picker: hanging } });
  const { client, clock } = cluster;
  await client.create(deployments, webDeployment({ ...once, timeoutSeconds: 3 }));
  await clock.advance(5000);
  const image = {
    spec: { template: { spec: { containers: [{ name: "app", image: "registry.example/app:2" }] } } },
  };
  await client.patch(deployments, at, { type: "strategic", body: image });
  await clock.advance(3 * 3000 + 6000);
  const { status } = await client.get(deployments, at);
  expect(status).toMatchObject({ replicas: 8, updatedReplicas: 8, availableReplicas: 8 });
});

describe("the condition DownscalePodPickerHealthy", () => {
  const conditionOf = (conditions: readonly { readonly type: string }[] = []) =>
    conditions.find(({ type }) => type === "DownscalePodPickerHealthy");
  const conditionsOf = async ({ client }: VirtualCluster) => {
    const { items } = await client.list(replicaSets, { namespace: "default" });
    const { status } = await client.get(deployments, at);
    return [...items.map((item) => conditionOf(item.status?.conditions)), conditionOf(status?.conditions)];
  };
  const scaleDeployment = async ({ client, clock }: VirtualCluster, replicas: number) => {
    await client.patch(deployments, at, { type: "merge", body: { spec: { replicas } } });
    await clock.advance(1000);
  };

  test("is on the ReplicaSet and on the Deployment, like the event, and follows the picker", async () => {
    const { state, picker } = repairable();
    const cluster = await startVirtual({ pickers: { picker } });
    await cluster.client.create(deployments, webDeployment(once));
    await cluster.clock.advance(5000);
    expect(await conditionsOf(cluster)).toEqual([undefined, undefined]);

    await scaleDeployment(cluster, 7);
    const refused = {
      status: "False",
      reason: "Refused",
      message: "The last call of the pod picker had no answer (Refused, HTTP 503).",
    };
    expect(await conditionsOf(cluster)).toMatchObject([refused, refused]);
    expect(await pickerEventsOf(cluster, "web")).toEqual([
      "DownscalePodPickerFailed: pod picker not used (Refused, HTTP 503, 1 attempt(s)); falling back to default pod selection",
    ]);

    state.isBroken = false;
    await scaleDeployment(cluster, 6);
    expect(await conditionsOf(cluster)).toMatchObject([{ status: "True" }, { status: "True" }]);

    state.isBroken = true;
    for (const size of [5, 4, 3]) await scaleDeployment(cluster, size);
    const message = expect.stringMatching(
      /^3 calls of the pod picker in a row had no answer \(Refused, HTTP 503\); not called until 2.*Z\.$/,
    );
    expect(await conditionsOf(cluster)).toMatchObject([{ message }, { message }]);

    const body = { spec: { downscalePodPicker: null } };
    await cluster.client.patch(deployments, at, { type: "merge", body });
    await cluster.clock.advance(1000);
    expect(await conditionsOf(cluster)).toEqual([undefined, undefined]);
  });

  test("says at once that a picker is not valid", async () => {
    const cluster = await startVirtual({ pickers: {} });
    const annotations = { [downscalePodPickerAnnotation]: '{"http":{"host":"picker","port":"80"}}' };
    const { downscalePodPicker: _, ...spec } = webDeployment(once).spec;
    await cluster.client.create(deployments, { metadata: { ...at, annotations }, spec });
    await cluster.clock.advance(5000);
    const invalid = {
      status: "False",
      reason: "InvalidConfig",
      message: "The pod picker: http.port: must be a number: write 80.",
    };
    expect(await conditionsOf(cluster)).toMatchObject([invalid, invalid]);
  });

  test("is not lost when another controller takes over", async () => {
    const { picker } = repairable();
    const cluster = await startVirtual({ pickers: { picker } });
    await cluster.client.create(deployments, webDeployment(once));
    await cluster.clock.advance(5000);
    await scaleDeployment(cluster, 7);
    const before = await conditionsOf(cluster);
    await cluster.stop();
    const next = await startVirtual({ pickers: { picker }, store: cluster.store });
    await scaleDeployment(next, 8);
    expect(await conditionsOf(next)).toEqual(before);
  });
});

function webDeployment(downscalePodPicker: DownscalePodPicker) {
  const labels = { app: "web" };
  const spec = {
    containers: [{ name: "app", image: "registry.example/app:1" }],
    terminationGracePeriodSeconds: 0,
  };
  return {
    metadata: { namespace: "default", name: "web" },
    spec: {
      replicas: 8,
      selector: { matchLabels: labels },
      strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      template: { metadata: { labels }, spec },
      downscalePodPicker,
    },
  } as const;
}
