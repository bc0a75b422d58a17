import type { Deployment } from "../src/api/generated/apps-v1.ts";
import type { Draft } from "../src/api/object.ts";
import { deployments, pods } from "../src/api/resources.ts";
import { template } from "../test/deployment/builders.ts";
import { makeNamespace } from "../test/embedded-cluster.ts";
import { eventually } from "../test/real-cluster/eventually.ts";
import {
  missingControlPlane,
  type RealCluster,
  startRealCluster,
} from "../test/real-cluster/real-cluster.ts";
import { startTrimtab } from "../test/real-cluster/trimtab-program.ts";
import type { Measure } from "./measure.ts";

const count = 300;

/** `trimtab controllers` and kube-controller-manager on one real API server, in turn. */
export async function realCluster(): Promise<readonly Measure[]> {
  const problem = missingControlPlane();
  if (problem !== undefined) {
    console.error(`real-cluster: ${problem}`);
    return [];
  }
  const cluster = await startRealCluster({
    controllers: "all",
    nodes: 6,
    // Its defaults, 20 requests a second, would measure the limit.
    controllerManagerFlags: ["--kube-api-qps=1000", "--kube-api-burst=1000"],
  });
  try {
    const stock = await measured(cluster, "stock");
    await cluster.runControllers("without-workloads");
    const { folder, kubeconfig } = cluster;
    const flags = ["--no-lease", "--log-level", "error"];
    cluster.alsoStop(await startTrimtab({ command: "controllers", kubeconfig, flags, folder }));
    const ours = await measured(cluster, "ours");
    return (["created", "rolled", "removed"] as const).flatMap((what) => [
      { what: `${count} Pods ${what}, kube-controller-manager`, value: stock[what], unit: "ms" as const },
      {
        what: `${count} Pods ${what}, trimtab controllers`,
        value: ours[what],
        unit: "ms" as const,
        bar: stock[what],
      },
    ]);
  } finally {
    await cluster.stop();
  }
}

const labels = { app: "web" };
const quick = { startsIn: "0s", endsIn: "0s" };

const draftIn = (namespace: string): Draft<Deployment> => ({
  metadata: { namespace, name: "web" },
  spec: {
    replicas: count,
    selector: { matchLabels: labels },
    strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: "25%", maxUnavailable: "25%" } },
    template: template(quick),
  },
});

/** A Deployment is made, its template changed, and scaled to zero, once to warm up and once for the clock. */
async function measured({ client }: RealCluster, name: string) {
  const round = async (namespace: string) => {
    await makeNamespace(client, namespace);
    const at = { namespace, name: "web" };
    const change = (spec: object) =>
      client.patch(deployments, at, { type: "merge", body: { spec } as never });
    const available = async () => {
      const { metadata, status = {} } = await client.get(deployments, at);
      const counts = [status.replicas, status.updatedReplicas, status.availableReplicas];
      const isDone =
        status.observedGeneration === metadata.generation && counts.every((each) => each === count);
      return isDone ? true : undefined;
    };
    const gone = async () =>
      (await client.list(pods, { namespace, limit: 1 })).items.length === 0 ? true : undefined;
    const timed = async (change: () => Promise<unknown>, done: () => Promise<true | undefined>) => {
      const start = performance.now();
      await change();
      await eventually("the work is done", done, 120_000);
      return performance.now() - start;
    };
    return {
      created: await timed(() => client.create(deployments, draftIn(namespace)), available),
      rolled: await timed(() => change({ template: template({ ...quick, image: "web:2" }) }), available),
      removed: await timed(() => change({ replicas: 0 }), gone),
    };
  };
  await round(`warm-up-${name}`);
  return round(name);
}
