import type { Deployment, ReplicaSet } from "../../src/api/generated/apps-v1.ts";
import type { Draft } from "../../src/api/object.ts";
import { controllerOf } from "../../src/api/owner-references.ts";
import { isReady } from "../../src/api/pod-state.ts";
import { deployments, pods, replicaSets } from "../../src/api/resources.ts";
import type { RolloutStep } from "../../src/decisions/explain/explain-rollout.ts";
import type { Client } from "../../src/machinery/client/client.ts";
import { atRest } from "./at-rest.ts";
import { eventually } from "./eventually.ts";
import { stagedTemplate } from "./staged-pods.ts";
import { isCounted } from "./staged-workload.ts";

/** What happened to the size of a ReplicaSet. */
export interface SizeChange {
  readonly deployment: string;
  readonly replicaSet: string;
  readonly size: number | "deleted";
}

/** The same of what was foretold. */
export function foretoldChanges(deployment: string, steps: readonly RolloutStep[]): readonly SizeChange[] {
  return steps.map((step) => {
    const size = step.do === "create" ? step.size : step.do === "scale" ? step.to : "deleted";
    return { deployment, replicaSet: step.replicaSet, size };
  });
}

/** Follows the sizes of the ReplicaSets in a namespace from now on. */
export async function watchSizes(client: Client, namespace: string) {
  const { items, resourceVersion } = await client.list(replicaSets, { namespace });
  const known = new Map(items.map((set) => [set.metadata.name, set]));
  const changes: SizeChange[] = [];
  const ending = new AbortController();
  const note = (set: ReplicaSet, sort: "ADDED" | "MODIFIED" | "DELETED") => {
    const { metadata, spec } = set;
    const { name } = metadata;
    const before = known.get(name);
    if (sort === "DELETED") known.delete(name);
    else known.set(name, set);
    if (sort === "MODIFIED" && before?.spec.replicas === spec.replicas) return;
    const deployment = controllerOf({ metadata })?.name ?? "";
    // How kube-controller-manager calls a new one is not foretold.
    const replicaSet = sort === "ADDED" ? `${deployment}-…` : name;
    changes.push({ deployment, replicaSet, size: sort === "DELETED" ? "deleted" : (spec.replicas ?? 0) });
  };
  const follow = async () => {
    for await (const event of client.watch(replicaSets, { namespace, resourceVersion }, ending.signal))
      if (event.type !== "BOOKMARK") note(event.object, event.type);
  };
  const following = follow();
  const versions = (sets: Iterable<ReplicaSet>) =>
    Array.from(sets, ({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`)
      .toSorted()
      .join();
  const isAllSeen = async () => {
    const now = await client.list(replicaSets, { namespace });
    return versions(now.items) === versions(known.values()) ? true : undefined;
  };
  return {
    /** Ends the watch when it has seen all that happened; in the order in which it did. */
    async stop(): Promise<readonly SizeChange[]> {
      await eventually(`the watch has seen everything in ${namespace}`, isAllSeen);
      ending.abort(new Error("enough"));
      await following.catch((error: unknown) => {
        if (!ending.signal.aborted) throw error;
      });
      return changes;
    },
  };
}

/** Resolves when the controllers have seen everything in a namespace and have nothing left to do. */
export async function settled(client: Client, namespace: string): Promise<void> {
  await eventually(`all is counted in ${namespace}`, async () => {
    const [own, sets, all] = await Promise.all([
      client.list(deployments, { namespace }),
      client.list(replicaSets, { namespace }),
      client.list(pods, { namespace }),
    ]);
    const isSeen = [...own.items, ...sets.items].every(
      ({ metadata, status }) => (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0),
    );
    const ready = sets.items.reduce((sum, { status }) => sum + (status?.readyReplicas ?? 0), 0);
    const made = sets.items.every(({ spec, status }) => spec.replicas === status?.replicas);
    const counted = own.items.every((deployment) =>
      isCounted(
        deployment,
        sets.items.filter((set) => controllerOf(set)?.uid === deployment.metadata.uid),
      ),
    );
    const isDone = isSeen && made && counted && ready === all.items.filter(isReady).length;
    return isDone ? true : undefined;
  });
  await atRest(client, namespace);
}

type Strategy = NonNullable<Deployment["spec"]["strategy"]>;

const rolling = (maxSurge: number | string, maxUnavailable: number | string): Strategy => ({
  type: "RollingUpdate",
  rollingUpdate: { maxSurge, maxUnavailable },
});

/** Deployments of several shapes, by name; a test says when their Pods become ready. */
export const shapes: Readonly<Record<string, Partial<Deployment["spec"]>>> = {
  surging: { replicas: 4, strategy: rolling(1, 0) },
  shrinking: { replicas: 5, strategy: rolling(0, 2) },
  usual: { replicas: 6, strategy: rolling("25%", "25%") },
  recreated: { replicas: 3, strategy: { type: "Recreate" } },
  forgetful: { replicas: 7, strategy: rolling(2, 2), revisionHistoryLimit: 0 },
  doubled: { replicas: 4, strategy: rolling("100%", 0) },
};

/** A Deployment of one of the shapes. */
export function stagedDeployment(namespace: string, name: string): Draft<Deployment> {
  const labels = { app: name };
  return {
    metadata: { namespace, name },
    spec: { selector: { matchLabels: labels }, template: stagedTemplate(labels), ...shapes[name] },
  };
}
