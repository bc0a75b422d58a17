import type { ObjectMeta, OwnerReference } from "../../../api/generated/meta-v1.ts";
import { isBeingDeleted } from "../../../api/object.ts";
import { apiVersionOf } from "../../../api/resource.ts";
import { derivedFrom, type ServedResources } from "../../apiserver/kind-registry.ts";
import type { ServedResource } from "../../apiserver/served-resource.ts";
import { garbageCollected } from "../served-collections.ts";
import type { Location, Store, StoreRecord } from "../../store/store.ts";
import { type Dependent, isWaitingForDependents, type OwnerState, type GraphNode } from "./garbage-action.ts";

/** The resources whose objects are collected. */
interface Collected {
  /** By `apiVersion/Kind`, in every version. */
  readonly byKind: ReadonlyMap<string, ServedResource>;
  /** By the name of the collection, in the version that is stored. */
  readonly byCollection: ReadonlyMap<string, ServedResource>;
}

/** The graph of owners and dependents, read from the store itself, so that it is never out of date. */
export class OwnerGraph {
  readonly #store: Store;
  readonly #collected: () => Collected;

  constructor(store: Store, kinds: ServedResources) {
    this.#store = store;
    this.#collected = derivedFrom(kinds, collectedOf);
  }

  resourceOf(collection: string): ServedResource | undefined {
    return this.#collected().byCollection.get(collection);
  }

  find({ collection, key }: Location): StoreRecord | undefined {
    return this.#store.collection(collection).get(key);
  }

  /** Returns where the objects are that name this UID as an owner. */
  dependentsOf(uid: string): readonly Location[] {
    return this.#store.ownedBy(uid);
  }

  /** Returns where the owners of an object are, or would be. */
  ownerLocations({ ownerReferences = [], namespace }: ObjectMeta): readonly Location[] {
    return ownerReferences.flatMap((reference) => this.#locationOf(reference, namespace) ?? []);
  }

  /** Returns an object's node of the graph: its owners and dependents. */
  nodeOf(metadata: ObjectMeta): GraphNode {
    const owners = (metadata.ownerReferences ?? []).map((reference) =>
      this.#ownerOf(reference, metadata.namespace),
    );
    const dependents = () =>
      this.dependentsOf(metadata.uid ?? "").flatMap((location) => {
        const dependent = this.find(location);
        return dependent === undefined ? [] : [asDependent(dependent.object.metadata, metadata.uid ?? "")];
      });
    return { metadata, owners, dependents };
  }

  #ownerOf(reference: OwnerReference, namespace: string | undefined): OwnerState {
    const location = this.#locationOf(reference, namespace);
    // An owner of an unknown kind, or one that cannot exist, is no reason to delete an object.
    if (location === undefined) return { reference, state: "alive" };
    const found = this.find(location);
    if (found === undefined || found.object.metadata.uid !== reference.uid)
      return { reference, state: "absent" };
    return { reference, state: isWaitingForDependents(found.object.metadata) ? "waiting" : "alive" };
  }

  /** Locates an owner; a namespaced owner is in the namespace of its dependent. */
  #locationOf(
    { apiVersion, kind, name }: OwnerReference,
    namespace: string | undefined,
  ): Location | undefined {
    const owner = this.#collected().byKind.get(`${apiVersion}/${kind}`);
    if (owner === undefined) return undefined;
    if (!owner.namespaced) return { collection: owner.collection, key: name };
    return namespace === undefined
      ? undefined
      : { collection: owner.collection, key: `${namespace}/${name}` };
  }
}

function collectedOf(all: readonly ServedResource[]): Collected {
  const byCollection = new Map(garbageCollected(all).map((resource) => [resource.collection, resource]));
  const served = all.filter(({ collection }) => byCollection.has(collection));
  return {
    byKind: new Map(served.map((resource) => [`${apiVersionOf(resource)}/${resource.kind}`, resource])),
    byCollection,
  };
}

function asDependent(metadata: ObjectMeta, owner: string): Dependent {
  const blocksOwner = metadata.ownerReferences?.some(
    ({ uid, blockOwnerDeletion }) => uid === owner && blockOwnerDeletion === true,
  );
  return {
    blocksOwner: blocksOwner === true,
    isBeingDeleted: isBeingDeleted({ metadata }),
    isWaiting: isWaitingForDependents(metadata),
  };
}
