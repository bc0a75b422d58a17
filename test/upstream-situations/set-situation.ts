import { expect, onTestFinished } from "vitest";
import type { DaemonSet, StatefulSet, StatefulSetSpec } from "../../src/api/generated/apps-v1.ts";
import type { Pod, PodSpec } from "../../src/api/generated/core-v1.ts";
import { isBeingDeleted } from "../../src/api/object.ts";
import { isReady } from "../../src/api/pod-state.ts";
import { daemonSets, persistentVolumeClaims, pods, statefulSets } from "../../src/api/resources.ts";
import { testCluster, type TestCluster, type TestClusterOptions } from "../../src/testing/test-cluster.ts";
import { labels } from "./situation.ts";

// StatefulSets and DaemonSets whose Pods a test makes ready or not, by a readiness gate.

const namespace = "default";
export const set = { namespace, name: "ss" };
const gate = "example.com/healthy";

export interface SetSituation extends TestCluster {
  /** The Pods by name, as `ss-0 httpd:1`; those that are not ready end with `…`, those that are terminating with `T`. */
  readonly seen: () => Promise<readonly string[]>;
  readonly pods: () => Promise<readonly Pod[]>;
  readonly pod: (name: string) => Promise<Pod>;
  /** Makes Pods ready, or not; by name, or all there are. */
  readonly health: (isHealthy: boolean, ...names: readonly string[]) => Promise<void>;
  readonly deletePod: (name: string) => Promise<void>;
  readonly seconds: (count: number) => Promise<void>;
}

/** Pods are ready at once, but for those whose template has the readiness gate. */
export async function startSets(options: TestClusterOptions = {}): Promise<SetSituation> {
  const cluster = await testCluster({ nodes: 3, ...options });
  onTestFinished(() => cluster.stop());
  const { client, clock } = cluster;
  await clock.advance(1000);
  const listed = async () => (await client.list(pods, { namespace })).items;
  return {
    ...cluster,
    pods: listed,
    seen: async () => (await listed()).map(briefly).toSorted(),
    pod: (name) => client.get(pods, { namespace, name }),
    async health(isHealthy, ...names) {
      for (const { metadata } of await listed()) {
        if (names.length > 0 && !names.includes(metadata.name)) continue;
        const conditions = [{ type: gate, status: isHealthy ? "True" : "False" }];
        const body = { status: { conditions } } as never;
        await client.patch(pods, metadata, { type: "strategic", subresource: "status", body });
      }
      await clock.advance(2000);
    },
    deletePod: async (name) => void (await client.delete(pods, { namespace, name })),
    seconds: (count) => clock.advance(count * 1000),
  };
}

function briefly(pod: Pod): string {
  const image = pod.spec.containers[0]?.image ?? "";
  return `${pod.metadata.name} ${image}${isReady(pod) ? "" : " …"}${isBeingDeleted(pod) ? " T" : ""}`;
}

/** A Pod template; `isGated`: its Pods are ready only when a test says so. */
export function setTemplate(image = "httpd:1", isGated = false, spec: Partial<PodSpec> = {}) {
  const containers = [{ name: "web", image }];
  const readinessGates = isGated ? { readinessGates: [{ conditionType: gate }] } : {};
  return {
    metadata: { labels },
    spec: { terminationGracePeriodSeconds: 1, containers, ...readinessGates, ...spec },
  };
}

export const dataClaim = {
  // A template has no more metadata than this, though its type says so.
  metadata: { name: "data" } as never,
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
};

export const createStateful = (
  { client }: TestCluster,
  { isGated = false, ...spec }: Partial<StatefulSetSpec> & { readonly isGated?: boolean } = {},
) =>
  client.create(statefulSets, {
    metadata: { ...set, labels },
    spec: {
      replicas: 3,
      serviceName: "web",
      selector: { matchLabels: labels },
      template: setTemplate("httpd:1", isGated),
      ...spec,
    },
  });

export const patchStateful = ({ client }: TestCluster, spec: object): Promise<StatefulSet> =>
  client.patch(statefulSets, set, { type: "strategic", body: { spec } as never });

export const statefulImage = (cluster: TestCluster, image: string) =>
  patchStateful(cluster, { template: { spec: { containers: [{ name: "web", image }] } } });

export const claimNames = async ({ client }: TestCluster) =>
  (await client.list(persistentVolumeClaims, { namespace })).items
    .map(({ metadata }) => metadata.name)
    .toSorted();

export const createDaemon = ({ client }: TestCluster, spec: Partial<DaemonSet["spec"]> = {}) =>
  client.create(daemonSets, {
    metadata: { ...set, labels },
    spec: { selector: { matchLabels: labels }, template: setTemplate(), ...spec },
  });

export const patchDaemon = ({ client }: TestCluster, spec: object): Promise<DaemonSet> =>
  client.patch(daemonSets, set, { type: "strategic", body: { spec } as never });

/** The nodes with a Pod, with its image: `node-1 httpd:1`. */
export const placesOf = async (cluster: SetSituation) =>
  (await cluster.pods()).map(({ spec }) => `${spec.nodeName} ${spec.containers[0]?.image}`).toSorted();

/** The names of the Pods that are ready. */
export const readyNames = async (cluster: SetSituation) =>
  (await cluster.pods())
    .filter(isReady)
    .map(({ metadata }) => metadata.name)
    .toSorted();

/** Fails unless the StatefulSet has this status, among other things. */
export async function expectStatus({ client }: TestCluster, status: object): Promise<void> {
  expect((await client.get(statefulSets, set)).status).toMatchObject(status);
}
