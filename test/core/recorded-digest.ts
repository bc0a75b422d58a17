import { deployments } from "../../src/api/resources.ts";
import { startSimulatedCluster } from "../../src/simulation/core/index.ts";

// What Node, a page and a worker run alike: it is bundled for the latter two.

const labels = { app: "web" };
const template = (version: number) => ({
  metadata: { labels },
  spec: { containers: [{ name: "web", image: `example.com/web:${version}` }] },
});

/** The digest of everything that happens in a small cluster: a rollout, then a scale-down. */
export async function recordedDigest(seed: number): Promise<string> {
  const cluster = await startSimulatedCluster({ seed, nodes: 6, zones: 3 });
  const { client } = cluster;
  const name = { namespace: "default", name: "web" };
  const change = (body: object) => client.patch(deployments, name, { type: "merge", body: { ...body } });
  await client.create(deployments, {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: name,
    spec: { replicas: 8, selector: { matchLabels: labels }, template: template(1) },
  });
  await cluster.advance(60_000);
  await change({ spec: { template: template(2) } });
  await cluster.advance(120_000);
  await change({ spec: { replicas: 3 } });
  await cluster.advance(300_000);
  await cluster.stop();
  return cluster.recording.digest();
}
