import { onTestFinished } from "vitest";
import type { Deployment, ReplicaSet } from "../../src/api/generated/apps-v1.ts";
import type { Pod } from "../../src/api/generated/core-v1.ts";
import type { Draft } from "../../src/api/object.ts";
import { deployments, pods, replicaSets } from "../../src/api/resources.ts";
import { type TestCluster, testCluster } from "../../src/testing/test-cluster.ts";

const namespace = "default";
export const web = { namespace, name: "web" };
export const labels = { name: "web" };

/** A cluster of some nodes that is ready for Pods; the end of the test stops it. */
export async function startSituation(nodes = 4): Promise<TestCluster> {
  const cluster = await testCluster({ nodes, zones: 2 });
  onTestFinished(() => cluster.stop());
  await cluster.clock.advance(1000);
  return cluster;
}

export interface Shape {
  readonly replicas?: number;
  readonly image?: string;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Whatever else the spec should have. */
  readonly spec?: Partial<Deployment["spec"]>;
}

export function podTemplate({ image = "httpd:2", annotations = {} }: Shape = {}) {
  return {
    metadata: { labels, annotations },
    spec: { terminationGracePeriodSeconds: 1, containers: [{ name: "web", image }] },
  };
}

export function deployment(shape: Shape = {}): Draft<Deployment> {
  const { replicas = 1, spec = {} } = shape;
  const selector = { matchLabels: labels };
  return {
    metadata: { ...web, labels },
    spec: { replicas, selector, template: podTemplate(shape), ...spec },
  };
}

export function replicaSet(shape: Shape = {}): Draft<ReplicaSet> {
  const { replicas = 1 } = shape;
  const selector = { matchLabels: labels };
  return { metadata: { ...web, labels }, spec: { replicas, selector, template: podTemplate(shape) } };
}

export const podsOf = async ({ client }: TestCluster): Promise<readonly Pod[]> =>
  (await client.list(pods, { namespace })).items;

export const replicaSetsOf = async ({ client }: TestCluster): Promise<readonly ReplicaSet[]> =>
  (await client.list(replicaSets, { namespace })).items;

/** How many replicas each ReplicaSet wants, the smallest number first. */
export const sizesOf = async (cluster: TestCluster): Promise<readonly number[]> =>
  (await replicaSetsOf(cluster)).map(({ spec }) => spec?.replicas ?? 0).toSorted((a, b) => a - b);

export const setImage = ({ client }: TestCluster, image: string) =>
  client.patch(deployments, web, {
    type: "strategic",
    body: { spec: { template: { spec: { containers: [{ name: "web", image }] } } } },
  });
