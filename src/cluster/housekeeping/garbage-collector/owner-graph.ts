import type { ObjectMeta, OwnerReference } from "../../../api/generated/meta-v1.ts";
import { isBeingDeleted } from "../../../api/object.ts";
import type { Resource } from "../../../api/resource.ts";
import { apiVersionOf } from "../../../api/resource.ts";
import type { Location, Store, StoreRecord } from "../../store/store.ts";
import { type Dependent, isWaitingForDependents, type OwnerState, type GraphNode } from "./garbage-action.ts";

/** A collection of the store and the resource of its objects. */
export interface CollectedResource {
  readonly collection: string;
  readonly resource: Resource;
}

/** The graph of owners and dependents, read from the store itself, so that it is never out of date. */
export class OwnerGraph {
  readonly #store: Store;
  readonly #byKind: ReadonlyMap<string, CollectedResource>;
  readonly #byCollection: ReadonlyMap<string, CollectedResource>;

  constructor(store: Store, collected: readonly CollectedResource[]) {
    this.#store = store;
    this.#byKind = new Map(
      collected.map((entry) => [`${apiVersionOf(entry.resource)}/${entry.resource.kind}`, entry]),
    );
    this.#byCollection = new Map(collected.map((entry) => [entry.collection, entry]));
  }

  resourceOf(collection: string): Resource | undefined {
    return this.#byCollection.get(collection)?.resource;
  }

  find({ collection, key }: Location): StoreRecord | undefined {
    return this.#store.collection(collection).get(key);
  }

  /** Where the objects are that name this UID as an owner. */
  dependentsOf(uid: string): readonly Location[] {
    return this.#store.ownedBy(uid);
  }

  /** Where the owners of an object are, or would be. */
  ownerLocations({ ownerReferences = [], namespace }: ObjectMeta): readonly Location[] {
    return ownerReferences.flatMap((reference) => this.#locationOf(reference, namespace) ?? []);
  }

  /** An object with its owners and dependents. */
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

  /** A namespaced owner is in the namespace of its dependent. */
  #locationOf(
    { apiVersion, kind, name }: OwnerReference,
    namespace: string | undefined,
  ): Location | undefined {
    const owner = this.#byKind.get(`${apiVersion}/${kind}`);
    if (owner === undefined) return undefined;
    if (!owner.resource.namespaced) return { collection: owner.collection, key: name };
    return namespace === undefined
      ? undefined
      : { collection: owner.collection, key: `${namespace}/${name}` };
  }
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
