import type { Deployment, ReplicaSet } from "../../src/api/generated/apps-v1.ts";
import type { Pod, ReplicationController } from "../../src/api/generated/core-v1.ts";
import type { Resource } from "../../src/api/resource.ts";
import { deployments, pods, replicaSets, replicationControllers } from "../../src/api/resources.ts";
import type { ExplainedObject } from "../../src/decisions/explain/object-reference.ts";
import type { Client } from "../../src/machinery/client/client.ts";
import { makeNamespace } from "../embedded-cluster.ts";
import { eventually } from "./eventually.ts";
import { type PodState, stage, stagedTemplate } from "./staged-pods.ts";

/** A workload, alone in its namespace, whose Pods are in the states that a test gave them. */
export interface StagedWorkload {
  readonly reference: ExplainedObject;
  /** Gives it another size; resolves with the Pods that are left when the stock controllers have done that. */
  readonly scale: (replicas: number) => Promise<readonly Pod[]>;
}

export type StagedKind = "Deployment" | "ReplicaSet" | "ReplicationController";

type AnyWorkload = Deployment | ReplicaSet | ReplicationController;

const name = "web";
const labels = { app: name };
const resources: Readonly<Record<StagedKind, Resource<AnyWorkload>>> = {
  Deployment: deployments,
  ReplicaSet: replicaSets,
  ReplicationController: replicationControllers,
};

/**
 * Makes a workload with one Pod per state. A Deployment is paused in the middle of a rollout, with a third of the Pods
 * new. Resolves when the stock controllers have seen all states.
 */
export async function stageWorkload(
  client: Client,
  { namespace, kind }: { readonly namespace: string; readonly kind: StagedKind },
  states: readonly PodState[],
): Promise<StagedWorkload> {
  await makeNamespace(client, namespace);
  const scene: Scene = { client, namespace, kind };
  const made =
    kind === "Deployment" ? await halfRolled(scene, states.length) : await plain(scene, states.length);
  // Those that are ready last: when all of them are counted, the controllers have seen the others, too.
  const staged = made.map((pod, index) => ({ pod, state: states[index] ?? {} }));
  const ready = staged.filter(({ state }) => state.readySeconds !== undefined);
  for (const { pod, state } of [...staged.filter((each) => !ready.includes(each)), ...ready])
    await stage(client, pod, state);
  await eventually(`${ready.length} ready Pods in ${namespace}`, async () => {
    const { status } = await read(scene);
    return (status?.readyReplicas ?? 0) === ready.length ? true : undefined;
  });
  return {
    reference: { kind, namespace, name },
    async scale(replicas) {
      await change(scene, { replicas });
      await eventually(`${namespace} is scaled`, async () => ((await isScaled(scene)) ? true : undefined));
      return listPods(scene);
    },
  };
}

interface Scene {
  readonly client: Client;
  readonly namespace: string;
  readonly kind: StagedKind;
}

const read = ({ client, namespace, kind }: Scene) => client.get(resources[kind], { namespace, name });

function change({ client, namespace, kind }: Scene, spec: object): Promise<AnyWorkload> {
  return client.patch(resources[kind], { namespace, name }, { type: "merge", body: { spec } as never });
}

async function listPods({ client, namespace }: Scene): Promise<readonly Pod[]> {
  return (await client.list(pods, { namespace })).items;
}

function untilPods(scene: Scene, count: number): Promise<readonly Pod[]> {
  return eventually(`${count} Pods in ${scene.namespace}`, async () => {
    const found = await listPods(scene);
    return found.length === count ? found : undefined;
  });
}

/** A ReplicaSet or ReplicationController that gets its Pods in two waves, so that their ages differ. */
async function plain(scene: Scene, count: number): Promise<readonly Pod[]> {
  const { client, namespace, kind } = scene;
  const first = Math.ceil(count / 2);
  const template = stagedTemplate(labels);
  const metadata = { namespace, name };
  if (kind === "ReplicaSet") {
    const spec = { replicas: first, selector: { matchLabels: labels }, template };
    await client.create(replicaSets, { metadata, spec });
  } else {
    await client.create(replicationControllers, {
      metadata,
      spec: { replicas: first, selector: labels, template },
    });
  }
  await untilPods(scene, first);
  await change(scene, { replicas: count });
  return untilPods(scene, count);
}

/** A Deployment whose rollout has made all the Pods that fit beside the old ones, and is paused then. */
async function halfRolled(scene: Scene, count: number): Promise<readonly Pod[]> {
  const { client, namespace } = scene;
  const surge = Math.floor(count / 3);
  const replicas = count - surge;
  await client.create(deployments, {
    metadata: { namespace, name },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: surge, maxUnavailable: 0 } },
      template: stagedTemplate(labels),
    },
  });
  await untilPods(scene, replicas);
  await change(scene, { template: stagedTemplate(labels, "web:2") });
  const made = await untilPods(scene, count);
  await change(scene, { paused: true });
  await eventually(`${namespace} is paused`, async () => ((await isScaled(scene)) ? true : undefined));
  return made;
}

/** Whether the controllers have seen the newest spec and what came of it, and all ReplicaSets have their Pods. */
async function isScaled(scene: Scene): Promise<boolean> {
  const { client, namespace, kind } = scene;
  const sets = (await client.list(replicaSets, { namespace })).items;
  const own = await read(scene);
  const isSeen = [own, ...sets].every(
    ({ metadata, status }) => (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0),
  );
  const owners: readonly AnyWorkload[] = kind === "ReplicationController" ? [own] : sets;
  const hasPods = owners.every(({ spec, status }) => (status?.replicas ?? 0) === (spec?.replicas ?? 0));
  return isSeen && hasPods && isCounted(own, owners);
}

/**
 * Whether a workload has counted the Pods that its ReplicaSets have: a Deployment that has not may still have something to do
 * about them.
 */
export function isCounted({ status: own }: AnyWorkload, owners: readonly AnyWorkload[]): boolean {
  return (["replicas", "readyReplicas"] as const).every(
    (count) => (own?.[count] ?? 0) === owners.reduce((sum, { status }) => sum + (status?.[count] ?? 0), 0),
  );
}
