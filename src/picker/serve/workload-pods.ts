import type { Deployment, ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { formatLabelSelection } from "../../api/labels/label-selector.ts";
import { workloadSelection } from "../../api/labels/workload-selection.ts";
import { keyOf } from "../../api/object.ts";
import { controllerOf } from "../../api/owner-references.ts";
import { deployments, pods, replicaSets } from "../../api/resources.ts";
import type { Client } from "../../machinery/client/client.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import { Informer } from "../../machinery/informer/informer.ts";
import type { Logger } from "../../machinery/log/logger.ts";
import type { Random } from "../../machinery/random/random.ts";

/** A workload that was asked about. */
export interface AskedWorkload {
  readonly namespace: string;
  readonly workload: { readonly kind: string; readonly name: string };
}

/** What the API says about workloads and their Pods, from a copy that follows it. */
export interface WorkloadPods {
  /** Those of these Pods that exist and belong to the workload, by name. */
  find(asked: AskedWorkload & { readonly pods: readonly string[] }): ReadonlyMap<string, Pod>;
  /** All Pods of the workload. */
  all(asked: AskedWorkload): readonly Pod[];
  /** The workload itself, if it is a Deployment or a ReplicaSet. */
  workload(asked: AskedWorkload): Deployment | ReplicaSet | undefined;
  /** Every Deployment, and every ReplicaSet that belongs to none. */
  workloads(): readonly AskedWorkload[];
}

/** The query of the Pods of a workload; `undefined`: all of its namespace. */
export function podSelectorOf(found: Deployment | ReplicaSet | undefined): string | undefined {
  const selection = found === undefined ? undefined : workloadSelection(found);
  return selection?.selects === "matching" ? formatLabelSelection(selection) : undefined;
}

export interface FollowedPodsOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** Absent: all. */
  readonly namespaces?: readonly string[] | undefined;
}

interface Followed {
  readonly pods: Informer<Pod>;
  readonly replicaSets: Informer<ReplicaSet>;
  readonly deployments: Informer<Deployment>;
}

/** Follows Pods and their owners in some namespaces, so that no question waits for the API server. */
export class FollowedPods implements WorkloadPods {
  readonly #all: readonly Followed[];
  readonly #byNamespace: ReadonlyMap<string, Followed>;

  constructor({ namespaces, ...options }: FollowedPodsOptions) {
    const follow = (namespace?: string): Followed => {
      const shared = { ...options, scope: namespace === undefined ? {} : { namespace } };
      return {
        pods: new Informer({ ...shared, resource: pods, indexes: { owner: ownersOf } }),
        replicaSets: new Informer({ ...shared, resource: replicaSets, indexes: { owner: ownersOf } }),
        deployments: new Informer({ ...shared, resource: deployments }),
      };
    };
    this.#byNamespace = new Map((namespaces ?? []).map((name) => [name, follow(name)]));
    this.#all = namespaces === undefined ? [follow()] : [...this.#byNamespace.values()];
  }

  /** Follows until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#informers().map((each) => each.run(signal)));
  }

  /** Resolves to true once everything has been read, to false when the signal aborts before. */
  async synced(signal: AbortSignal): Promise<boolean> {
    const synced = await Promise.all(this.#informers().map((each) => each.synced(signal)));
    return synced.every(Boolean);
  }

  get hasSynced(): boolean {
    return this.#informers().every((each) => each.hasSynced);
  }

  find({ pods: names, ...asked }: AskedWorkload & { readonly pods: readonly string[] }) {
    const { namespace } = asked;
    const followed = this.#in(namespace);
    const found = new Map<string, Pod>();
    for (const name of names) {
      const pod = followed?.pods.get(keyOf({ metadata: { namespace, name } }));
      if (followed !== undefined && pod !== undefined && belongs(pod, asked, followed)) found.set(name, pod);
    }
    return found;
  }

  all(asked: AskedWorkload): readonly Pod[] {
    const followed = this.#in(asked.namespace);
    const owners =
      asked.workload.kind === "ReplicaSet"
        ? [asked.workload]
        : (followed?.replicaSets.byIndex("owner", ownerKey(asked.namespace, asked.workload)) ?? []).map(
            ({ metadata: { name } }) => ({ kind: "ReplicaSet", name }),
          );
    return owners.flatMap((owner) => followed?.pods.byIndex("owner", ownerKey(asked.namespace, owner)) ?? []);
  }

  workload({ namespace, workload: { kind, name } }: AskedWorkload): Deployment | ReplicaSet | undefined {
    const key = keyOf({ metadata: { namespace, name } });
    const followed = this.#in(namespace);
    if (kind === "Deployment") return followed?.deployments.get(key);
    return kind === "ReplicaSet" ? followed?.replicaSets.get(key) : undefined;
  }

  workloads(): readonly AskedWorkload[] {
    return this.#all.flatMap((followed) => [
      ...followed.deployments.list().map((each) => askedOf("Deployment", each)),
      ...followed.replicaSets
        .list()
        .filter((each) => controllerOf(each) === undefined)
        .map((each) => askedOf("ReplicaSet", each)),
    ]);
  }

  #in(namespace: string): Followed | undefined {
    return this.#byNamespace.size === 0 ? this.#all[0] : this.#byNamespace.get(namespace);
  }

  #informers() {
    return this.#all.flatMap((followed) => [followed.pods, followed.replicaSets, followed.deployments]);
  }
}

type Owned = Pick<Pod, "metadata">;

function ownerKey(namespace = "", { kind, name }: AskedWorkload["workload"]): string {
  return `${namespace}/${kind}/${name}`;
}

function ownersOf(object: Owned): readonly string[] {
  const owner = controllerOf(object);
  return owner === undefined ? [] : [ownerKey(object.metadata.namespace, owner)];
}

function askedOf(kind: string, { metadata }: Owned): AskedWorkload {
  return { namespace: metadata.namespace ?? "", workload: { kind, name: metadata.name } };
}

/** Whether a Pod is controlled by the workload, by way of a ReplicaSet if it is none. */
function belongs(pod: Pod, { namespace, workload }: AskedWorkload, { replicaSets }: Followed): boolean {
  const owner = controllerOf(pod);
  if (owner?.kind !== "ReplicaSet") return false;
  if (workload.kind === "ReplicaSet") return owner.name === workload.name;
  const replicaSet = replicaSets.get(keyOf({ metadata: { namespace, name: owner.name } }));
  if (replicaSet?.metadata.uid !== owner.uid) return false;
  const above = controllerOf(replicaSet);
  return above?.kind === workload.kind && above.name === workload.name;
}
