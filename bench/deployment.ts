import type { Deployment } from "../src/api/generated/apps-v1.ts";
import type { Pod } from "../src/api/generated/core-v1.ts";
import { isReady } from "../src/api/pod-state.ts";
import { deployments, pods } from "../src/api/resources.ts";
import { type Cluster, startCluster } from "../src/cluster/start-cluster.ts";
import { VirtualClock } from "../src/machinery/clock/virtual-clock.ts";
import { seededRandom } from "../src/machinery/random/random.ts";
import type { Measure } from "./measure.ts";

interface Bed {
  readonly clock: VirtualClock;
  readonly cluster: Cluster;
}

/** Measures Deployments from their creation to ready Pods, in virtual time: work without waiting. */
export async function deployment(): Promise<readonly Measure[]> {
  return [
    {
      what: "Deployment 0 → 3,000 on 500 nodes, all bound",
      value: await measured({ nodes: 500, prepare: create("web", 0), work: scaleUp }),
      unit: "ms",
      bar: 4000,
      goal: 1500,
    },
    {
      what: "rolling update of 1,000 Pods, instant readiness",
      value: await measured({ nodes: 100, prepare: create("web", 1000), work: rollOut }),
      unit: "ms",
      bar: 2000,
      goal: 1000,
    },
    {
      what: "500 Deployments of 10 from a cold start, all ready",
      value: await measured({ nodes: 500, prepare: () => Promise.resolve(), work: coldStart }),
      unit: "ms",
      bar: 6000,
    },
  ];
}

interface Trial {
  readonly nodes: number;
  readonly prepare: (bed: Bed) => Promise<void>;
  readonly work: (bed: Bed) => Promise<void>;
}

/** The time that the work takes on a cluster of its own that has come to rest. */
async function measured({ nodes, prepare, work }: Trial): Promise<number> {
  const clock = new VirtualClock();
  const cluster = await startCluster({ clock, random: seededRandom("bench"), nodes });
  await clock.advance(1000);
  await prepare({ clock, cluster });
  await clock.advance(10_000);
  const start = performance.now();
  await work({ clock, cluster });
  const took = performance.now() - start;
  await cluster.stop();
  return took;
}

const create =
  (name: string, replicas: number) =>
  async ({ cluster }: Bed) =>
    void (await cluster.client.create(deployments, draft(name, replicas)));

async function scaleUp({ clock, cluster }: Bed): Promise<void> {
  const body = { spec: { replicas: 3000 } };
  await cluster.client.patch(deployments, at("web"), { type: "merge", body });
  const isBound = ({ spec }: Pod) => spec.nodeName !== undefined;
  await clock.runWhile(() => countPods(cluster, isBound) < 3000, clock.now() + 60_000);
  expectPods(cluster, isBound, 3000);
}

async function rollOut({ clock, cluster }: Bed): Promise<void> {
  const body = { spec: { template: { spec: { containers: [{ name: "web", image: "web:2" }] } } } };
  await cluster.client.patch(deployments, at("web"), { type: "strategic", body });
  await clock.advance(600_000);
  const { status } = await cluster.client.get(deployments, at("web"));
  if (status?.updatedReplicas !== 1000 || status.terminatingReplicas !== 0)
    throw new Error(`the rollout is not done: ${JSON.stringify(status)}`);
}

async function coldStart({ clock, cluster }: Bed): Promise<void> {
  for (let index = 0; index < 500; index++) {
    await cluster.client.create(deployments, draft(`web-${index}`, 10));
  }
  await clock.advance(30_000);
  expectPods(cluster, isReady, 5000);
}

const at = (name: string) => ({ namespace: "default", name });

/** Pods that run and are ready as soon as they have a node, and end as soon as they are asked to. */
function draft(name: string, replicas: number): Pick<Deployment, "spec"> & { metadata: { name: string } } {
  const labels = { app: name };
  const annotations = { "sim.trimtab.dev/startDelay": "0s", "sim.trimtab.dev/terminationDelay": "0s" };
  const spec = { containers: [{ name: "web", image: "web:1" }] };
  return {
    metadata: at(name),
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels, annotations }, spec },
    },
  };
}

function countPods({ store }: Cluster, is: (pod: Pod) => boolean): number {
  let count = 0;
  for (const { object } of store.collection(pods.plural).records()) if (is(object as unknown as Pod)) count++;
  return count;
}

function expectPods(cluster: Cluster, is: (pod: Pod) => boolean, wanted: number): void {
  const count = countPods(cluster, is);
  if (count !== wanted) throw new Error(`${count} Pods instead of ${wanted}`);
}
