import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, expectTypeOf, onTestFinished, test } from "vitest";
import { isReady } from "../../api/pod-state.ts";
import { configMaps, nodes, pods, replicaSets } from "../../api/resources.ts";
import { HttpsClient } from "../../machinery/client/http/https-client.ts";
import { loadKubeconfig } from "../../machinery/client/connection/kubeconfig.ts";
import { AdjustableClock } from "../../machinery/clock/adjustable-clock.ts";
import type { VirtualClock } from "../../machinery/clock/virtual-clock.ts";
import { WallClock } from "../../machinery/clock/wall-clock.ts";
import type { ComponentEnvironment } from "../../machinery/component/component.ts";
import { ClusterOptionsError } from "../cluster-options.ts";
import type { EmbeddedClusterOptions } from "./embedding-options.ts";
import { startEmbeddedCluster } from "./start-embedded-cluster.ts";

/** Starts a cluster and stops it after the test. */
async function start<const O extends EmbeddedClusterOptions>(options: O) {
  const cluster = await startEmbeddedCluster(options);
  onTestFinished(cluster.stop);
  return cluster;
}

function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "trimtab-embedded-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A client that has nothing but a kubeconfig. */
function clientOf(kubeconfig: string): HttpsClient {
  const file = path.join(temporaryFolder(), "kubeconfig");
  writeFileSync(file, kubeconfig);
  const loaded = loadKubeconfig({ paths: [file] });
  if (!loaded.ok) throw new Error("the kubeconfig cannot be read");
  const client = new HttpsClient({ connection: loaded.connection, clock: new WallClock() });
  onTestFinished(() => client.close());
  return client;
}

const web = {
  metadata: { name: "web", namespace: "default" },
  spec: { containers: [{ name: "web", image: "nginx" }] },
};

test("without options there are twelve nodes, in process alone, in wall time that can be adjusted", async () => {
  const cluster = await start({});
  expect((await cluster.client.list(nodes, {})).items).toHaveLength(12);
  expect(cluster.clock).toBeInstanceOf(AdjustableClock);
  expect({ kubeconfig: cluster.kubeconfig, access: cluster.access }).toEqual({});
});

test("in virtual time nothing happens except while the clock is advanced, and a seed gives the same UIDs", async () => {
  const run = async () => {
    const { client, clock } = await start({ clock: "virtual", seed: 7, nodes: 1 });
    const { metadata } = await client.create(pods, web);
    expect(isReady(await client.get(pods, web.metadata))).toBe(false);
    await clock.advance(60_000);
    expect(isReady(await client.get(pods, web.metadata))).toBe(true);
    return metadata.uid;
  };
  expect(await run()).toBe(await run());
});

test("clusters side by side share nothing", async () => {
  const [one, other] = await Promise.all([start({ nodes: 1 }), start({ nodes: 2 })]);
  await one.client.create(configMaps, { metadata: { name: "mine", namespace: "default" } });
  one.clock.pause();
  const names = async ({ client }: typeof one) =>
    (await client.list(configMaps, { namespace: "default" })).items
      .map(({ metadata }) => metadata.name)
      .filter((name) => name !== "kube-root-ca.crt");
  expect([await names(one), await names(other)]).toEqual([["mine"], []]);
  expect([one.clock.state.isPaused, other.clock.state.isPaused]).toEqual([true, false]);
  await one.stop();
  expect((await other.client.list(nodes, {})).items).toHaveLength(2);
});

test("over HTTPS its kubeconfig is all that another client needs, also in virtual time", async () => {
  const cluster = await start({ https: true, clock: "virtual", nodes: 3 });
  const client = clientOf(cluster.kubeconfig);
  expect((await client.list(nodes, {})).items).toHaveLength(3);
  await client.create(pods, web);
  await cluster.clock.advance(3_600_000);
  expect(isReady(await client.get(pods, web.metadata))).toBe(true);
});

test("a data directory keeps the cluster, and no second one may use it", async () => {
  const dataDir = path.join(temporaryFolder(), "data");
  const first = await startEmbeddedCluster({ dataDir, nodes: 1 });
  await first.client.create(configMaps, { metadata: { name: "kept", namespace: "default" } });
  await expect(startEmbeddedCluster({ dataDir })).rejects.toThrow(
    /cannot use the data directory .*has it open/,
  );
  await first.stop();
  const second = await start({ dataDir, nodes: 1 });
  expect(await second.client.get(configMaps, { name: "kept", namespace: "default" })).toBeDefined();
});

test("nodes may be groups that differ", async () => {
  const { client } = await start({
    nodes: [
      { name: "plain", count: 2 },
      {
        name: "gpu",
        count: 1,
        zone: "east",
        labels: { tier: "fast" },
        taints: [{ key: "gpu", effect: "NoSchedule" }],
        capacity: { cpu: 8, "nvidia.com/gpu": 4 },
      },
    ],
  });
  const { items } = await client.list(nodes, {});
  expect(items.map(({ metadata }) => metadata.name)).toEqual(["gpu-1", "plain-1", "plain-2"]);
  expect(items[0]).toMatchObject({
    metadata: {
      labels: { tier: "fast", "topology.kubernetes.io/zone": "east", "kubernetes.io/hostname": "gpu-1" },
    },
    spec: { taints: [{ key: "gpu", effect: "NoSchedule" }] },
    status: { allocatable: { cpu: "8", "nvidia.com/gpu": "4", memory: "256Gi" } },
  });
  const addresses = items.map(({ status }) => status?.addresses?.[0]?.address);
  expect(new Set(addresses).size).toBe(3);
});

test("gates may differ by component", async () => {
  const matchLabels = { app: "web" };
  const downscalePodPicker = { http: { host: "localhost", port: 1 } };
  const workload = {
    metadata: web.metadata,
    spec: {
      replicas: 0,
      downscalePodPicker,
      selector: { matchLabels },
      template: { metadata: { labels: matchLabels }, spec: web.spec },
    },
  };
  const stored = async (gates: EmbeddedClusterOptions["gates"]) => {
    const { client } = await start({ nodes: 0, clock: "virtual", gates: { ...gates } });
    return (await client.create(replicaSets, workload)).spec.downscalePodPicker;
  };
  expect(await stored({})).toBeDefined();
  expect(await stored({ all: { DownscalePodPicker: false } })).toBeUndefined();
  expect(await stored({ apiServer: { DownscalePodPicker: false } })).toBeUndefined();
  expect(await stored({ replicaset: { DownscalePodPicker: false } })).toBeDefined();
});

describe("options that make no sense", () => {
  test("a component that there is not cannot be left out", async () => {
    const starting = startEmbeddedCluster({ clock: "virtual", without: ["kubelet", "kube-scheduler"] });
    await expect(starting).rejects.toThrow('unknown component "kube-scheduler" in without (known: ');
  });

  test("are all named at once", async () => {
    const wrong = {
      node: 3,
      nodes: -1,
      zones: 27,
      clock: "sundial",
      speed: 0,
      gates: { apiServer: { Antigravity: true }, webhook: {} },
      https: { port: 65_536, prot: 1 },
      dataDir: "",
      seed: 1,
      random: {},
    };
    const starting = startEmbeddedCluster(wrong as unknown as EmbeddedClusterOptions);
    const refusal: unknown = await starting.catch((error: unknown) => error);
    const { problems = [] } = refusal instanceof ClusterOptionsError ? refusal : {};
    expect(problems).toEqual([
      'node: Forbidden: unknown field; did you mean "nodes"?',
      "nodes: Invalid value: -1: must be a whole number from 0 to 16384",
      "zones: Invalid value: 27: must be a whole number from 1 to 26",
      'clock: Invalid value: "sundial": must be "wall", "virtual" or a Clock',
      "speed: Invalid value: 0: must be a number from 0.01 to 1000",
      expect.stringMatching(
        /^gates\.webhook: Forbidden: unknown field; expected one of all, apiServer, deployment, /,
      ),
      expect.stringMatching(
        /^gates\.apiServer\.Antigravity: Forbidden: unknown field; expected one of DownscalePodPicker, /,
      ),
      "https.port: Invalid value: 65536: must be a whole number from 0 to 65535",
      'https.prot: Forbidden: unknown field; did you mean "port"?',
      "dataDir: Required value: must name a folder",
      "random: Forbidden: may not be there together with seed",
    ]);
  });

  test.for([
    { options: { dataDir: "/d", speed: 2 }, says: /dataDir: Forbidden: needs wall time: after a restart/ },
    { options: { dataDir: "/d", clock: "virtual" }, says: /dataDir: Forbidden: needs wall time/ },
    {
      options: { dataDir: "/d", clock: {}, speed: 2 },
      says: /clock: Invalid value: {}: must be .*; speed: Forbidden: needs clock "wall"/,
    },
    { options: { gates: [] }, says: /gates: Invalid value: must be an object with components/ },
    {
      options: { gates: { all: true } },
      says: /gates\.all: Invalid value: true: must be an object with gates, or a function/,
    },
    { options: { heap: () => ({}) }, says: /heap: Forbidden: unknown field/ },
    { options: { https: 443 }, says: /https: Invalid value: 443: must be true, false or an object/ },
    {
      options: {
        gates: {
          all: { DeploymentReplicaSetTerminatingReplicas: false },
          deployment: { DeploymentPodReplacementPolicy: true },
        },
      },
      says: /gates\.deployment: .*DeploymentReplicaSetTerminatingReplicas/,
    },
    { options: { nodes: [{ name: "A b", count: 1 }] }, says: /nodes\[0\]\.name: Invalid value: "A b"/ },
    {
      options: { nodes: [{ count: 9999 }, { name: "b", count: 9999 }] },
      says: /nodes\[0\]\.name: Required value.*must be at most 16384/,
    },
  ] as const)("$says", async ({ options, says }) => {
    await expect(startEmbeddedCluster(options as unknown as EmbeddedClusterOptions)).rejects.toThrow(says);
  });
});

test("a start that fails says why, and ends what had started", async () => {
  const signals: AbortSignal[] = [];
  const extraComponents = [
    {
      name: "whole",
      kinds: [],
      start: async ({ signal }: ComponentEnvironment) => void signals.push(signal),
    },
    {
      name: "broken",
      kinds: [],
      start: () => {
        throw new Error("broken cannot start");
      },
    },
  ];
  const starting = startEmbeddedCluster({ clock: "virtual", nodes: 1, extraComponents });
  await expect(starting).rejects.toThrow("broken cannot start");
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});

test("an option that is undefined or null has its default", async () => {
  const options = {
    nodes: undefined,
    https: null,
    gates: null,
    clock: "virtual",
  } as unknown as EmbeddedClusterOptions;
  const { client } = await start(options);
  expect((await client.list(nodes, {})).items).toHaveLength(12);
});

test("types follow from the options", () => {
  type Started<O extends EmbeddedClusterOptions> = Awaited<ReturnType<typeof startEmbeddedCluster<O>>>;
  expectTypeOf<Started<{ clock: "virtual" }>["clock"]>().toEqualTypeOf<VirtualClock>();
  expectTypeOf<Started<{ nodes: 1 }>["clock"]>().toEqualTypeOf<AdjustableClock>();
  expectTypeOf<Started<{ clock: WallClock }>["clock"]>().toEqualTypeOf<WallClock>();
  expectTypeOf<Started<{ https: true }>["kubeconfig"]>().toEqualTypeOf<string>();
  expectTypeOf<Started<{ https: { port: 1 } }>["kubeconfig"]>().toEqualTypeOf<string>();
  expectTypeOf<Started<{ nodes: 1 }>["kubeconfig"]>().toEqualTypeOf<undefined>();
});
