import type { Pod } from "../../src/api/generated/core-v1.ts";
import type { StoredObject } from "../../src/api/object.ts";
import { controllerOf } from "../../src/api/owner-references.ts";
import type { ClusterObjects } from "../../src/decisions/explain/cluster-objects.ts";
import { type LiveChange, type WatchedKind, watchedKinds, type WatchedKinds } from "./kinds.ts";

type Collections = { readonly [K in WatchedKind]: Map<string, WatchedKinds[K]> };

/**
 * The objects of a cluster at one moment, and indexes of its Pods. The live cluster is one, and so is the cluster as it was at
 * a moment of the past. Objects are never modified: a change replaces them.
 */
export class ClusterState {
  readonly collections: Collections;
  readonly podsByNode = new GroupedPods((pod) => pod.spec?.nodeName ?? "");
  /** By the UID of the controller; "" for Pods without one. */
  readonly podsByController = new GroupedPods((pod) => controllerOf(pod)?.uid ?? "");
  /** Counts the changes, so that what was computed from the objects is known to be current. */
  version = 0;
  /** Counts the changes of nodes alone: their layout is computed again only after one of these. */
  nodesVersion = 0;
  /** Counts the changes of what controls ReplicaSets: by that alone the Pods of a Deployment are known to be its own. */
  ownersVersion = 0;
  #objects: { readonly version: number; readonly objects: ClusterObjects } | undefined;

  constructor() {
    const entries = watchedKinds.map((kind) => [kind, new Map()] as const);
    this.collections = Object.fromEntries(entries) as unknown as Collections;
  }

  /** Returns a copy that changes independently of this state. */
  copy(): ClusterState {
    const copy = new ClusterState();
    for (const kind of watchedKinds) {
      for (const [key, object] of this.collections[kind])
        copy.apply({ kind, key, before: undefined, after: object });
    }
    return copy;
  }

  /** Makes the object what it is after the change. */
  apply({ kind, key, after }: LiveChange): void {
    this.version++;
    const collection = this.collections[kind] as Map<string, unknown>;
    const before = collection.get(key);
    if (after === undefined) collection.delete(key);
    else collection.set(key, after);
    if (kind === "nodes") this.nodesVersion++;
    if (kind === "replicaSets" && controllerUid(before) !== controllerUid(after)) this.ownersVersion++;
    if (kind !== "pods") return;
    this.podsByNode.replace(key, before as Pod | undefined, after as Pod | undefined);
    this.podsByController.replace(key, before as Pod | undefined, after as Pod | undefined);
  }

  /** Makes the object what it was before the change. */
  undo(change: LiveChange): void {
    this.apply({ ...change, before: change.after, after: change.before });
  }

  /** The objects as decisions read them; made once per version. */
  get objects(): ClusterObjects {
    if (this.#objects?.version !== this.version) {
      const lists = watchedKinds.map((kind) => [kind, [...this.collections[kind].values()]] as const);
      this.#objects = {
        version: this.version,
        objects: Object.fromEntries(lists) as unknown as ClusterObjects,
      };
    }
    return this.#objects.objects;
  }
}

function controllerUid(object: unknown): string | undefined {
  return object === undefined ? undefined : controllerOf(object as StoredObject)?.uid;
}

interface Group {
  readonly members: Map<string, Pod>;
  /** The members as a list; made anew only when one has changed, so that it may be compared by identity. */
  list?: readonly Pod[];
}

const none: readonly Pod[] = [];

/** Pods in groups; the list of a group stays the same array for as long as none of its Pods changes. */
class GroupedPods {
  readonly #groupOf: (pod: Pod) => string;
  readonly #groups = new Map<string, Group>();

  constructor(groupOf: (pod: Pod) => string) {
    this.#groupOf = groupOf;
  }

  in(name: string): readonly Pod[] {
    const group = this.#groups.get(name);
    if (group === undefined) return none;
    group.list ??= [...group.members.values()];
    return group.list;
  }

  replace(key: string, before: Pod | undefined, after: Pod | undefined): void {
    const from = before === undefined ? undefined : this.#groupOf(before);
    const to = after === undefined ? undefined : this.#groupOf(after);
    if (from !== undefined && from !== to) this.#remove(from, key);
    if (to === undefined || after === undefined) return;
    const group = this.#groups.get(to) ?? { members: new Map<string, Pod>() };
    this.#groups.set(to, group);
    group.members.set(key, after);
    delete group.list;
  }

  #remove(name: string, key: string): void {
    const group = this.#groups.get(name);
    if (group === undefined) return;
    group.members.delete(key);
    delete group.list;
    if (group.members.size === 0) this.#groups.delete(name);
  }
}
