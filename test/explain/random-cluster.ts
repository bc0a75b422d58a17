import type { Deployment } from "../../src/api/generated/apps-v1.ts";
import type { Node, Pod, PodSpec } from "../../src/api/generated/core-v1.ts";
import type { JsonObject } from "../../src/api/json.ts";
import { type Draft, keyOf } from "../../src/api/object.ts";
import { deployments, nodes, pods, replicaSets, replicationControllers } from "../../src/api/resources.ts";
import { isActive } from "../../src/api/pod-state.ts";
import { scaleDownSpreadAnnotation } from "../../src/api/workload-settings.ts";
import { readClusterObjects } from "../../src/simulation/snapshot/read-cluster-objects.ts";
import type { ClusterObjects } from "../../src/decisions/explain/cluster-objects.ts";
import { ifFound } from "../../src/machinery/client/api-error.ts";
import { oneOf, type Random, randomInt, seededRandom } from "../../src/machinery/random/random.ts";
import { node } from "../../src/testing/node.ts";
import { type TestCluster, testCluster } from "../../src/testing/test-cluster.ts";

/** A cluster with workloads of every kind, in virtual time, which a random stream changes. */
export interface RandomCluster {
  readonly cluster: TestCluster;
  readonly random: Random;
  /** Lets everything happen that needs no time. */
  readonly settle: () => Promise<void>;
  /** What a reader of the API sees now. */
  readonly view: () => Promise<ClusterObjects>;
}

export const namespace = "default";
const never = new AbortController().signal;

/** Starts a cluster of a few uneven nodes with a Deployment, a ReplicaSet and a ReplicationController. */
export async function startRandomCluster(seed: string): Promise<RandomCluster> {
  const random = seededRandom(seed);
  const cluster = await testCluster({ nodes: randomNodes(random), seed });
  const settle = () => cluster.clock.runUntil(cluster.clock.now());
  const { client, clock } = cluster;
  await client.create(deployments, deployment("web", random));
  await client.create(deployments, deployment("api", random));
  const labels = { app: "lone" };
  const own = { metadata: { labels }, spec: podSpec(random) };
  await client.create(replicaSets, {
    metadata: { name: "lone", namespace },
    spec: { replicas: 5, selector: { matchLabels: labels }, template: own },
  });
  await client.create(replicationControllers, {
    metadata: { name: "old", namespace },
    spec: {
      replicas: 4,
      selector: { app: "old" },
      template: { metadata: { labels: { app: "old" } }, spec: podSpec(random) },
    },
  });
  await clock.advance(20_000 + randomInt(random, 100_000));
  return { cluster, random, settle, view: () => viewOf(cluster) };
}

async function viewOf({ client }: TestCluster): Promise<ClusterObjects> {
  const read = await readClusterObjects(client, { required: [] }, never);
  if (!read.ok) throw new Error(read.problems.join("; "));
  return read.objects;
}

function randomNodes(random: Random): readonly Draft<Node>[] {
  return Array.from({ length: 3 + randomInt(random, 5) }, (_, index) => {
    const taints = random.next() < 0.15 ? [{ key: "only", value: "gpu", effect: "NoSchedule" }] : [];
    const { metadata, ...rest } = node(`node-${index + 1}`, {
      zone: `zone-${randomInt(random, 3)}`,
      taints,
      allocatable: { cpu: String(1 + randomInt(random, 4)) },
      labels: random.next() < 0.3 ? { disk: "ssd" } : {},
    });
    const { uid: _uid, resourceVersion: _version, ...kept } = metadata;
    return { ...rest, metadata: kept };
  });
}

function deployment(name: string, random: Random): Draft<Deployment> {
  const labels = { app: name };
  const policy = oneOf([undefined, "TerminationStarted", "TerminationComplete"] as const, random);
  const maxSurge = oneOf([0, 1, 2, "25%"], random) ?? 1;
  const maxUnavailable = oneOf([0, 1, "25%"], random) ?? 1;
  const annotations = { [scaleDownSpreadAnnotation]: String(random.next() < 0.5) };
  return {
    metadata: { name, namespace, annotations },
    spec: {
      replicas: 3 + randomInt(random, 8),
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: podSpec(random) },
      ...(policy === undefined ? {} : { podReplacementPolicy: policy }),
      strategy:
        random.next() < 0.2
          ? { type: "Recreate" }
          : {
              type: "RollingUpdate",
              // Both may not be 0.
              rollingUpdate: { maxSurge, maxUnavailable: maxSurge === 0 ? 1 : maxUnavailable },
            },
    },
  };
}

/** The spec of Pods that fit on some nodes and not on others. */
export function podSpec(random: Random): PodSpec {
  const cpu = oneOf(["50m", "100m", "300m"], random) ?? "50m";
  const traits: readonly Partial<PodSpec>[] = [
    {},
    {},
    { nodeSelector: { disk: "ssd" } },
    { tolerations: [{ key: "only", operator: "Exists" }] },
    {
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: "topology.kubernetes.io/zone",
          whenUnsatisfiable: oneOf(["DoNotSchedule", "ScheduleAnyway"], random) ?? "ScheduleAnyway",
          labelSelector: { matchLabels: { app: "web" } },
        },
      ],
    },
    {
      affinity: {
        podAntiAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            {
              weight: 50,
              podAffinityTerm: {
                topologyKey: "kubernetes.io/hostname",
                labelSelector: { matchLabels: { app: "web" } },
              },
            },
          ],
        },
      },
    },
  ];
  const containers = [
    { name: "app", image: `registry.example/app:${randomInt(random, 3)}`, resources: { requests: { cpu } } },
  ];
  return { containers, terminationGracePeriodSeconds: randomInt(random, 40), ...oneOf(traits, random) };
}

type Disturbance = (cluster: RandomCluster) => Promise<unknown>;

async function somePod({ view, random }: RandomCluster): Promise<Pod | undefined> {
  return oneOf((await view()).pods.filter(isActive), random);
}

async function patchSomePod(scene: RandomCluster, body: JsonObject, isStatus = false): Promise<void> {
  const pod = await somePod(scene);
  if (pod === undefined) return;
  const { name } = pod.metadata;
  const subresource = isStatus ? ({ subresource: "status" } as const) : {};
  // It may have ended meanwhile.
  await ifFound(
    scene.cluster.client.patch(pods, { namespace, name }, { type: "strategic", body, ...subresource }),
  );
}

const disturbances: readonly Disturbance[] = [
  (scene) =>
    patchSomePod(scene, {
      metadata: {
        annotations: { "controller.kubernetes.io/pod-deletion-cost": String(randomInt(scene.random, 5) - 2) },
      },
    }),
  (scene) => patchSomePod(scene, { metadata: { labels: { "kubernetes.io/prefer-for-scale-down": "" } } }),
  (scene) => patchSomePod(scene, { status: { conditions: [{ type: "Ready", status: "False" }] } }, true),
  async (scene) => {
    const pod = await somePod(scene);
    if (pod !== undefined)
      await ifFound(scene.cluster.client.delete(pods, { namespace, name: pod.metadata.name }));
  },
  async ({ cluster, random, view }) => {
    const some = oneOf((await view()).nodes, random);
    if (some === undefined) return;
    const body = { spec: { unschedulable: random.next() < 0.5 } };
    await cluster.client.patch(nodes, { name: keyOf(some) }, { type: "merge", body });
  },
  ({ cluster, random }) => cluster.clock.advance(randomInt(random, 90_000)),
  ({ cluster, random }) => cluster.clock.advance(randomInt(random, 2000)),
  ({ cluster, random }) =>
    cluster.client.patch(
      deployments,
      { namespace, name: oneOf(["web", "api"], random) ?? "web" },
      { type: "merge", body: { spec: { replicas: 2 + randomInt(random, 8) } } },
    ),
];

/** Changes something, or lets time pass. */
export async function disturb(scene: RandomCluster): Promise<void> {
  const times = 1 + randomInt(scene.random, 4);
  for (let time = 0; time < times; time++) await oneOf(disturbances, scene.random)?.(scene);
  await scene.settle();
}
