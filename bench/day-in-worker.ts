import { deployments } from "../src/api/resources.ts";
import { startSimulatedCluster } from "../src/simulation/core/index.ts";

const workloads = 10;
const replicas = 100;
const dayMs = 86_400_000;

/** A simulated day of 1,000 Pods on 100 nodes: resolves to how many Pods were ready at its end. */
export async function simulatedDay(): Promise<number> {
  const cluster = await startSimulatedCluster({ seed: 1, nodes: 100, zones: 3 });
  for (let index = 0; index < workloads; index++) {
    const labels = { app: `web-${index}` };
    await cluster.client.create(deployments, {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { namespace: "default", name: `web-${index}` },
      spec: {
        replicas,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { containers: [{ name: "web", image: "example.com/web:1" }] },
        },
      },
    });
  }
  await cluster.advance(dayMs);
  const { items } = await cluster.client.list(deployments, {});
  await cluster.stop();
  return items.reduce((sum, { status }) => sum + (status?.readyReplicas ?? 0), 0);
}

/** What a worker has, which the types of Node do not say. */
interface WorkerScope {
  addEventListener(type: "message", listener: () => void): void;
  postMessage(ready: number | string): void;
}

const scope = globalThis as unknown as WorkerScope;
scope.addEventListener("message", () => {
  simulatedDay().then(
    (ready) => scope.postMessage(ready),
    (error: unknown) => scope.postMessage(String(error)),
  );
});
