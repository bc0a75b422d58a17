import { onTestFinished } from "vitest";
import type { Deployment } from "../../src/api/generated/apps-v1.ts";
import { deployments, namespaces, pods, replicaSets } from "../../src/api/resources.ts";
import { web, type WebTraits } from "../deployment/builders.ts";
import { makeNamespace } from "../embedded-cluster.ts";
import { eventually, untilObject } from "./eventually.ts";
import { type PodWatch, watchPods } from "./pod-watch.ts";
import type { RealCluster } from "./real-cluster.ts";

/** A namespace with one Deployment, `web`, in it. */
export interface Scene {
  readonly namespace: string;
  readonly watch: PodWatch;
  readonly change: (spec: object) => Promise<Deployment>;
  /** Resolves when so many Pods of the newest template are available and all others have gone. */
  readonly settled: (replicas: number) => Promise<Deployment>;
  readonly replicaSets: () => ReturnType<typeof listReplicaSets>;
  readonly pods: () => ReturnType<typeof listPods>;
}

/** Pods that start and end soon, so that many steps fit into a test. */
const quick: WebTraits = { startsIn: "50ms", endsIn: "300ms" };

/** Makes a namespace with the Deployment in it; both go with the test. */
export async function startScene(
  { client }: RealCluster,
  namespace: string,
  traits: WebTraits & {
    /** Of the namespace. */
    readonly labels?: Readonly<Record<string, string>>;
  },
): Promise<Scene> {
  await makeNamespace(client, namespace);
  if (traits.labels !== undefined) {
    const body = { metadata: { labels: traits.labels } };
    await client.patch(namespaces, { name: namespace }, { type: "merge", body });
  }
  const watch = watchPods(client, namespace);
  onTestFinished(async () => {
    await watch.stop();
    await client.delete(namespaces, { name: namespace });
  });
  const draft = web({ ...quick, ...traits });
  await client.create(deployments, { ...draft, metadata: { ...draft.metadata, namespace } });
  const at = { namespace, name: "web" };
  return {
    namespace,
    watch,
    change: (spec) => client.patch(deployments, at, { type: "merge", body: { spec } as never }),
    async settled(replicas) {
      const deployment = await untilObject(client, deployments, at, (object) => isSettled(object, replicas));
      await eventually(`${replicas} Pods in ${namespace}`, async () =>
        (await listPods(client, namespace)).length === replicas ? true : undefined,
      );
      return deployment;
    },
    replicaSets: () => listReplicaSets(client, namespace),
    pods: () => listPods(client, namespace),
  };
}

function isSettled({ metadata, spec, status = {} }: Deployment, replicas: number): boolean {
  const counts = [spec.replicas, status.replicas, status.updatedReplicas, status.availableReplicas];
  return (
    (status.observedGeneration ?? 0) >= (metadata.generation ?? 0) &&
    counts.every((count) => (count ?? 0) === replicas)
  );
}

async function listReplicaSets(client: RealCluster["client"], namespace: string) {
  return [...(await client.list(replicaSets, { namespace })).items].sort(byName);
}

async function listPods(client: RealCluster["client"], namespace: string) {
  return [...(await client.list(pods, { namespace })).items].sort(byName);
}

function byName(a: { readonly metadata: { readonly name: string } }, b: typeof a): number {
  return a.metadata.name < b.metadata.name ? -1 : 1;
}
