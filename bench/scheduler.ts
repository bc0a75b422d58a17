import { defaultFeatureGates } from "../src/api/feature-gates.ts";
import type { Node, Pod } from "../src/api/generated/core-v1.ts";
import type { Draft } from "../src/api/object.ts";
import { namespaces, nodes, pods, serviceAccounts } from "../src/api/resources.ts";
import { createApiServer } from "../src/cluster/apiserver/create-api-server.ts";
import { MemoryStore } from "../src/cluster/store/memory-store.ts";
import type { Client } from "../src/machinery/client/client.ts";
import { VirtualClock } from "../src/machinery/clock/virtual-clock.ts";
import { ClientEventRecorder } from "../src/machinery/events/event-recorder.ts";
import { InformerFactory } from "../src/machinery/informer/informer-factory.ts";
import { silentLogger } from "../src/machinery/log/logger.ts";
import { seededRandom } from "../src/machinery/random/random.ts";
import { defaultSchedulerConfig } from "../src/scheduler/configuration/scheduler-config.ts";
import { createScheduler } from "../src/scheduler/create-scheduler.ts";
import type { Measure } from "./measure.ts";

/** Placing many Pods, from their creation to their binding: the plain scheduler, in process, in virtual time. */
export async function scheduler(): Promise<readonly Measure[]> {
  return [
    {
      what: "scheduling 5,000 Pods on 5,000 nodes, hard zone spread",
      value: await schedulingRate({ nodeCount: 5000, podCount: 5000 }),
      unit: "per s",
      bar: 1500,
      goal: 5000,
    },
  ];
}

interface Size {
  readonly nodeCount: number;
  readonly podCount: number;
}

/** An API server and a scheduler, without any other component. */
async function schedulingRate({ nodeCount, podCount }: Size): Promise<number> {
  const clock = new VirtualClock();
  const random = seededRandom("bench");
  const store = new MemoryStore({ clock });
  const gates = () => defaultFeatureGates;
  const { client } = createApiServer({ clock, random, store, gates, log: silentLogger });
  await client.create(namespaces, { metadata: { name: "default" }, spec: {} });
  await client.create(serviceAccounts, { metadata: { name: "default", namespace: "default" } });
  for (let index = 0; index < nodeCount; index++) await client.create(nodes, benchNode(index));

  const informers = new InformerFactory({ client, clock, random });
  const plain = createScheduler({
    client,
    clock,
    random,
    informers,
    config: defaultSchedulerConfig(defaultFeatureGates),
    recorder: (component) => new ClientEventRecorder({ client, clock, random, component }),
    claims: "ignored",
  });
  const ending = new AbortController();
  const parts = [plain.run(ending.signal), informers.run(ending.signal)];
  await clock.settle();

  const start = performance.now();
  for (let index = 0; index < podCount; index++) await client.create(pods, benchPod(index));
  await clock.advance(60_000);
  const took = performance.now() - start;
  await expectBound(client, podCount);
  ending.abort(new Error("measured"));
  await Promise.allSettled(parts);
  return podCount / (took / 1000);
}

/** The nodes of upstream's own benchmarks. */
function benchNode(index: number): Draft<Node> {
  const name = `node-${index}`;
  const allocatable = { cpu: "4", memory: "32Gi", pods: "110" };
  const labels = { "kubernetes.io/hostname": name, "topology.kubernetes.io/zone": `moon-${(index % 3) + 1}` };
  const conditions = [{ type: "Ready", status: "True" }];
  return { metadata: { name, labels }, spec: {}, status: { capacity: allocatable, allocatable, conditions } };
}

function benchPod(index: number): Draft<Pod> {
  const requests = { cpu: "100m", memory: "500Mi" };
  return {
    metadata: { name: `pod-${index}`, namespace: "default", labels: { color: "blue" } },
    spec: {
      containers: [{ name: "pause", image: "registry.example/pause:3", resources: { requests } }],
      topologySpreadConstraints: [
        {
          maxSkew: 5,
          topologyKey: "topology.kubernetes.io/zone",
          whenUnsatisfiable: "DoNotSchedule",
          labelSelector: { matchLabels: { color: "blue" } },
        },
      ],
    },
  };
}

async function expectBound(client: Client, count: number): Promise<void> {
  const { items } = await client.list(pods, {});
  const bound = items.filter(({ spec }) => spec.nodeName !== undefined).length;
  if (bound !== count) throw new Error(`${bound} of ${count} Pods were bound`);
}
