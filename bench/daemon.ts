import { daemonSets, deployments, pods } from "../src/api/resources.ts";
import { type Cluster, startCluster } from "../src/cluster/start-cluster.ts";
import { VirtualClock } from "../src/machinery/clock/virtual-clock.ts";
import { seededRandom } from "../src/machinery/random/random.ts";
import type { Measure } from "./measure.ts";

const nodes = 5000;
const metadata = { namespace: "default", name: "agent" };
const labels = { app: "agent" };
const spec = {
  selector: { matchLabels: labels },
  template: { metadata: { labels }, spec: { containers: [{ name: "agent", image: "agent:1" }] } },
};

/** Measures a DaemonSet on many nodes against a Deployment with as many Pods, in virtual time: work without waiting. */
export async function daemon(): Promise<readonly Measure[]> {
  const ofDeployment = await bound(({ client }) =>
    client.create(deployments, { metadata, spec: { ...spec, replicas: nodes } }),
  );
  const ofDaemonSet = await bound(({ client }) => client.create(daemonSets, { metadata, spec }));
  return [
    { what: "Deployment 0 → 5,000 on 5,000 nodes, all bound", value: ofDeployment, unit: "ms" },
    {
      what: "DaemonSet on 5,000 nodes, all bound",
      value: ofDaemonSet,
      unit: "ms",
      bar: 2 * ofDeployment,
    },
  ];
}

/** Measures the time until every node has a Pod, starting from an idle cluster. */
async function bound(create: (cluster: Cluster) => Promise<unknown>): Promise<number> {
  const clock = new VirtualClock();
  const cluster = await startCluster({ clock, random: seededRandom("bench"), nodes });
  await clock.advance(1000);
  const start = performance.now();
  await create(cluster);
  const isBound = async () => {
    const { items } = await cluster.client.list(pods, {});
    return items.filter((pod) => pod.spec.nodeName !== undefined).length === nodes;
  };
  for (let second = 0; !(await isBound()); second++) {
    if (second > 60) throw new Error("not every Pod was bound");
    await clock.advance(500);
  }
  const took = performance.now() - start;
  await cluster.stop();
  return took;
}
