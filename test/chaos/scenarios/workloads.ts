import type { ReplicaSet } from "../../../src/api/generated/apps-v1.ts";
import type { Pod, PodTemplateSpec } from "../../../src/api/generated/core-v1.ts";
import type { Draft } from "../../../src/api/object.ts";
import type { Resource } from "../../../src/api/resource.ts";
import {
  deployments,
  namespaces,
  pods,
  replicaSets,
  replicationControllers,
} from "../../../src/api/resources.ts";
import { ifFound } from "../../../src/machinery/client/api-error.ts";
import { oneOf, randomInt } from "../../../src/machinery/random/random.ts";
import type { UserStep, User } from "./scenario.ts";

// What user in these clusters ask for, and how they change their minds.

/** So many Pods are enough for anything to go wrong. */
const mostReplicas = 7;

function template(app: string, { random }: User): PodTemplateSpec {
  const annotations = {
    "sim.trimtab.dev/startDelay": `${randomInt(random, 5000)}ms`,
    "sim.trimtab.dev/terminationDelay": `${randomInt(random, 5000)}ms`,
  };
  return {
    metadata: { labels: { app }, annotations },
    spec: { containers: [{ name: "app", image: `registry.example/${app}:1` }] },
  };
}

export function draftReplicaSet(namespace: string, name: string, user: User): Draft<ReplicaSet> {
  return {
    metadata: { namespace, name },
    spec: {
      replicas: randomInt(user.random, mostReplicas),
      minReadySeconds: randomInt(user.random, 2) * 10,
      selector: { matchLabels: { app: name } },
      template: template(name, user),
    },
  };
}

/** Creates ReplicaSets of these names. */
export const createReplicaSets =
  (names: readonly string[], namespace = "default"): UserStep =>
  async (user) => {
    for (const name of names) await user.client.create(replicaSets, draftReplicaSet(namespace, name, user));
  };

/** Creates ReplicationControllers of these names. */
export const createReplicationControllers =
  (names: readonly string[], namespace = "default"): UserStep =>
  async (user) => {
    for (const name of names) {
      const replicas = randomInt(user.random, mostReplicas);
      await user.client.create(replicationControllers, {
        metadata: { namespace, name },
        spec: { replicas, selector: { app: name }, template: template(name, user) },
      });
    }
  };

const workloads: readonly Resource[] = [replicaSets, replicationControllers, deployments];

/** Some workload wants another number of Pods. */
export const rescale: UserStep = async ({ client, random, perform }) => {
  const found = await Promise.all(
    workloads.map(async (resource) =>
      (await client.list(resource, {})).items
        // What a Deployment owns it would only set right again.
        .filter(({ metadata }) => metadata.ownerReferences === undefined)
        .map(({ metadata: { namespace = "", name } }) => ({ kind: resource.kind, namespace, name })),
    ),
  );
  const chosen = oneOf(found.flat(), random);
  if (chosen === undefined) return;
  await perform({ action: "scale", ...chosen, replicas: randomInt(random, mostReplicas) });
};

async function somePod({ client, random }: User): Promise<Pod | undefined> {
  return oneOf((await client.list(pods, {})).items, random);
}

/** Some Pod gets the labels of another workload, or of none. */
export const relabel =
  (apps: readonly string[]): UserStep =>
  async (user) => {
    const pod = await somePod(user);
    if (pod === undefined) return;
    const { namespace = "", name } = pod.metadata;
    const labels = { app: oneOf(apps, user.random) ?? null };
    await user.perform({ action: "label", kind: pods.kind, namespace, name, labels });
  };

/** Some ReplicaSet is deleted, its Pods with it, before it or without it, and soon there is another of its name. */
export const replaceReplicaSet: UserStep = async (user) => {
  const { client, random, perform } = user;
  const chosen = oneOf((await client.list(replicaSets, {})).items, random);
  if (chosen === undefined) return;
  const policies = ["Background", "Foreground", "Orphan"] as const;
  const propagationPolicy = oneOf(policies, random) ?? "Background";
  const { namespace = "", name } = chosen.metadata;
  await perform({ action: "delete", kind: replicaSets.kind, namespace, name, propagationPolicy });
};

/** Whatever ReplicaSet is missing is created again. */
export const recreateReplicaSets =
  (names: readonly string[], namespace = "default"): UserStep =>
  async (user) => {
    const name = oneOf(names, user.random) ?? "";
    await user.client.create(replicaSets, draftReplicaSet(namespace, name, user));
  };

/** A bare Pod of a fixed name goes, at once, and another of that name comes, perhaps with other labels. */
export const replaceBarePod =
  (apps: readonly string[]): UserStep =>
  async (user) => {
    const { client, random, perform } = user;
    const metadata = { namespace: "default", name: `solo-${randomInt(random, 2)}` };
    // There may be none yet.
    await ifFound(perform({ action: "delete", kind: pods.kind, ...metadata, gracePeriodSeconds: 0 }));
    const app = oneOf(apps, random) ?? "";
    const { spec = {} } = template(app, user);
    await client.create(pods, { metadata: { ...metadata, labels: { app } }, spec: spec as Pod["spec"] });
  };

/** A namespace with workloads in it. */
export const createNamespace =
  (name: string, names: readonly string[]): UserStep =>
  async (user) => {
    await user.client.create(namespaces, { metadata: { name }, spec: {} });
    await createReplicaSets(names, name)(user);
  };

export const deleteNamespace =
  (name: string): UserStep =>
  ({ perform }) =>
    perform({ action: "delete", kind: namespaces.kind, name });

/** Creates Deployments of these names. */
export const createDeployments =
  (names: readonly string[]): UserStep =>
  async (user) => {
    for (const name of names) {
      const { metadata, spec } = draftReplicaSet("default", name, user);
      const { replicas = 1, minReadySeconds = 0, selector } = spec;
      const policies = [undefined, "TerminationStarted", "TerminationComplete"] as const;
      const podReplacementPolicy = oneOf(policies, user.random);
      await user.client.create(deployments, {
        metadata,
        spec: {
          replicas,
          minReadySeconds,
          selector,
          template: template(name, user),
          ...(podReplacementPolicy !== undefined && { podReplacementPolicy }),
        },
      });
    }
  };

/** A Deployment gets another image. */
export const rollOut: UserStep = async ({ client, random, perform }) => {
  const chosen = oneOf((await client.list(deployments, {})).items, random);
  if (chosen === undefined) return;
  const { namespace = "", name } = chosen.metadata;
  const image = `registry.example/app:${randomInt(random, 5)}`;
  await perform({ action: "set-image", kind: deployments.kind, namespace, name, container: "app", image });
};
