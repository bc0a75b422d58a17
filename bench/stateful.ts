import { deployments, pods, statefulSets } from "../src/api/resources.ts";
import { isReady } from "../src/api/pod-state.ts";
import { type Cluster, startCluster } from "../src/cluster/start-cluster.ts";
import { VirtualClock } from "../src/machinery/clock/virtual-clock.ts";
import { seededRandom } from "../src/machinery/random/random.ts";
import type { Measure } from "./measure.ts";

const metadata = { namespace: "default", name: "web" };
const labels = { app: "web" };
const spec = {
  selector: { matchLabels: labels },
  template: { metadata: { labels }, spec: { containers: [{ name: "web", image: "web:1" }] } },
};
const ofSet = (replicas: number, podManagementPolicy: string) => ({
  metadata,
  spec: { ...spec, serviceName: "web", replicas, podManagementPolicy },
});

/** Measures StatefulSets against a Deployment, in virtual time: work without waiting. */
export async function stateful(): Promise<readonly Measure[]> {
  const deployment = await ready(1000, ({ client }) =>
    client.create(deployments, { metadata, spec: { ...spec, replicas: 1000 } }),
  );
  const parallel = await ready(1000, ({ client }) => client.create(statefulSets, ofSet(1000, "Parallel")));
  const larger = await ready(2000, ({ client }) => client.create(statefulSets, ofSet(2000, "Parallel")));
  const [few, many] = [await orderly(250), await orderly(1000)];
  return [
    { what: "Deployment 0 → 1,000, all ready", value: deployment.tookMs, unit: "ms" },
    {
      what: "StatefulSet 0 → 1,000, Parallel, all ready",
      value: parallel.tookMs,
      unit: "ms",
      bar: 1.2 * deployment.tookMs,
    },
    {
      what: "StatefulSet 0 → 2,000, Parallel, all ready",
      value: larger.tookMs,
      unit: "ms",
      bar: 2 * 1.2 * parallel.tookMs,
    },
    { what: "StatefulSet 0 → 250, OrderedReady, a Pod", value: few.tookMs / 250, unit: "ms" },
    { what: "StatefulSet 0 → 1,000, OrderedReady, a Pod", value: many.tookMs / 1000, unit: "ms" },
    {
      what: "… the same in virtual time, of which 500 ms until it is ready",
      value: many.virtualMs / 1000,
      unit: "ms",
    },
  ];
}

const orderly = (replicas: number) =>
  ready(replicas, ({ client }) => client.create(statefulSets, ofSet(replicas, "OrderedReady")));

/** Measures the time until this many Pods are ready, starting from an idle cluster. */
async function ready(count: number, create: (cluster: Cluster) => Promise<unknown>) {
  const clock = new VirtualClock();
  const cluster = await startCluster({ clock, random: seededRandom("bench"), nodes: 100 });
  await clock.advance(1000);
  const [start, began] = [performance.now(), clock.now()];
  await create(cluster);
  const isDone = async () => {
    const { items } = await cluster.client.list(pods, {});
    return items.filter(isReady).length === count;
  };
  while (!(await isDone())) {
    if (clock.now() > began + 1_200_000) throw new Error("not every Pod was ready");
    await clock.advance(1000);
  }
  const took = { tookMs: performance.now() - start, virtualMs: clock.now() - began };
  await cluster.stop();
  return took;
}
