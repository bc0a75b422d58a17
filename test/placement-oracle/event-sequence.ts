import * as fc from "fast-check";
import type { ReplicaSet } from "../../src/api/generated/apps-v1.ts";
import type {
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  Service,
} from "../../src/api/generated/core-v1.ts";
import { keyOf } from "../../src/api/object.ts";
import type { ObjectLookups, VolumeLookups } from "../../src/decisions/placement/view/cluster-view.ts";
import { lookupsIn, type PlacementObjects } from "../../src/decisions/placement/view/list-view.ts";
import { SchedulerCache } from "../../src/scheduler/cache/scheduler-cache.ts";
import { type Snapshot, snapshotOf } from "./snapshot/snapshot.ts";
import { anyNode, anyReplicaSet, anyService, nodeNames, runningPod } from "./random-objects.ts";
import { anyClaim, anyVolume, storageClasses } from "./random-volumes.ts";

/** Something that happens to a cluster. */
export type Happening =
  | { readonly kind: "setNode"; readonly node: Node }
  | { readonly kind: "removeNode"; readonly name: string }
  | { readonly kind: "setPod" | "assume"; readonly pod: Pod; readonly node: string }
  | { readonly kind: "removePod" | "forget"; readonly pod: Pod }
  | { readonly kind: "setService" | "removeService"; readonly service: Service }
  | { readonly kind: "setReplicaSet" | "removeReplicaSet"; readonly replicaSet: ReplicaSet }
  | { readonly kind: "setClaim" | "removeClaim"; readonly claim: PersistentVolumeClaim }
  | { readonly kind: "setVolume" | "removeVolume"; readonly volume: PersistentVolume }
  | { readonly kind: "labelNamespace"; readonly team: string };

const kind = <Kind extends string>(...kinds: readonly Kind[]) => fc.constantFrom(...kinds);
const nodeName = fc.constantFrom(...nodeNames);

export const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: kind("setNode"), node: anyNode }) },
  { weight: 1, arbitrary: fc.record({ kind: kind("removeNode"), name: nodeName }) },
  { weight: 8, arbitrary: fc.record({ kind: kind("setPod", "assume"), pod: runningPod, node: nodeName }) },
  { weight: 3, arbitrary: fc.record({ kind: kind("removePod", "forget"), pod: runningPod }) },
  { weight: 1, arbitrary: fc.record({ kind: kind("setService", "removeService"), service: anyService }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: kind("setReplicaSet", "removeReplicaSet"), replicaSet: anyReplicaSet }),
  },
  { weight: 4, arbitrary: fc.record({ kind: kind("setClaim"), claim: anyClaim }) },
  { weight: 1, arbitrary: fc.record({ kind: kind("removeClaim"), claim: anyClaim }) },
  { weight: 4, arbitrary: fc.record({ kind: kind("setVolume"), volume: anyVolume }) },
  { weight: 1, arbitrary: fc.record({ kind: kind("removeVolume"), volume: anyVolume }) },
  { weight: 1, arbitrary: fc.record({ kind: kind("labelNamespace"), team: fc.constantFrom("x", "y") }) },
);

interface PodChange {
  /** By UID. */
  readonly without: ReadonlySet<string>;
  readonly with: Pod;
}

/** A cluster as the scheduler caches it, and the same cluster as plain objects. */
export class TwofoldCluster {
  readonly cache: SchedulerCache;
  readonly #nodes = new Map<string, Node>();
  readonly #pods = new Map<string, Pod>();
  readonly #services = new Map<string, Service>();
  readonly #replicaSets = new Map<string, ReplicaSet>();
  readonly #claims = new Map<string, PersistentVolumeClaim>();
  readonly #volumes = new Map<string, PersistentVolume>();
  #team = "x";

  constructor() {
    const now = (): VolumeLookups => {
      const { volumes } = lookupsIn(this.#storage());
      if (volumes === undefined) throw new Error("the claims are known");
      return volumes;
    };
    const lookups: ObjectLookups = {
      servicesIn: (namespace) => this.#servicesIn(namespace),
      replicationController: () => undefined,
      replicaSet: (namespace, name) => this.#replicaSets.get(`${namespace}/${name}`),
      statefulSet: () => undefined,
      namespaceLabels: (namespace) => this.#labelsOf(namespace),
      volumes: {
        claim: (namespace, name) => now().claim(namespace, name),
        volume: (name) => now().volume(name),
        storageClass: (name) => now().storageClass(name),
        reservedFor: (claim) => now().reservedFor(claim),
        unclaimed: (storageClass) => now().unclaimed(storageClass),
        bindsClaims: true,
      },
    };
    this.cache = new SchedulerCache(lookups);
  }

  /** Applies an event; throws when a counter of the cache is wrong after it. */
  apply(event: Happening): void {
    this.#change(event);
    const problem = this.cache.recount();
    if (problem !== undefined) throw new Error(`${event.kind} broke a counter: ${problem}`);
  }

  #change(event: Happening): void {
    switch (event.kind) {
      case "setNode":
        this.#nodes.set(event.node.metadata.name, event.node);
        return this.cache.setNode(event.node);
      case "removeNode":
        this.#nodes.delete(event.name);
        return this.cache.removeNode(event.name);
      case "setPod":
      case "assume":
      case "removePod":
      case "forget":
        return this.#applyToPod(event);
      case "setService":
        return void this.#services.set(keyOf(event.service), event.service);
      case "removeService":
        return void this.#services.delete(keyOf(event.service));
      case "setReplicaSet":
        return void this.#replicaSets.set(keyOf(event.replicaSet), event.replicaSet);
      case "removeReplicaSet":
        return void this.#replicaSets.delete(keyOf(event.replicaSet));
      case "setClaim":
        return void this.#claims.set(keyOf(event.claim), event.claim);
      case "removeClaim":
        return void this.#claims.delete(keyOf(event.claim));
      case "setVolume":
        return void this.#volumes.set(keyOf(event.volume), event.volume);
      case "removeVolume":
        return void this.#volumes.delete(keyOf(event.volume));
      case "labelNamespace":
        this.#team = event.team;
    }
  }

  #applyToPod(event: Extract<Happening, { readonly pod: Pod }>): void {
    const { uid } = event.pod.metadata;
    switch (event.kind) {
      case "setPod": {
        const assigned = onNode(event.pod, event.node);
        this.#pods.set(uid, assigned);
        return this.cache.setPod(assigned);
      }
      case "assume":
        if (this.cache.assume(event.pod, event.node)) this.#pods.set(uid, onNode(event.pod, event.node));
        return;
      case "removePod":
        this.#pods.delete(uid);
        return void this.cache.removePod(uid);
      case "forget":
        if (this.cache.forget(uid) !== undefined) this.#pods.delete(uid);
    }
  }

  /** The plain snapshot, with the nodes in the order of the cache, and maybe with other Pods. */
  plain(change?: PodChange): Snapshot {
    return snapshotOf(this.objects(change));
  }

  /** What it is made of. */
  objects(change?: PodChange): PlacementObjects {
    const pods = [...this.#pods.values()].filter(
      ({ metadata }) => change?.without.has(metadata.uid) !== true,
    );
    return {
      nodes: this.cache.view.nodes.flatMap(({ name }) => this.#nodes.get(name) ?? []),
      pods: change === undefined ? pods : [...pods, change.with],
      services: [...this.#services.values()],
      replicaSets: [...this.#replicaSets.values()],
      ...this.#storage(),
      namespaces: ["default", "other"].map((name) => ({
        metadata: { name, uid: name, resourceVersion: "1", labels: this.#labelsOf(name) },
        spec: {},
      })),
    };
  }

  #storage() {
    return {
      persistentVolumeClaims: [...this.#claims.values()],
      persistentVolumes: [...this.#volumes.values()],
      storageClasses,
    };
  }

  get nodeCount(): number {
    return this.#nodes.size;
  }

  #servicesIn(namespace: string): readonly Service[] {
    return [...this.#services.values()].filter(({ metadata }) => metadata.namespace === namespace);
  }

  #labelsOf(namespace: string): Readonly<Record<string, string>> {
    return namespace === "other" ? { team: this.#team } : {};
  }
}

function onNode(pod: Pod, node: string): Pod {
  return { ...pod, spec: { ...pod.spec, nodeName: node } };
}
