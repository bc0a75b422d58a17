import { keyOf, type StoredObject } from "../../api/object.ts";
import { compareResourceVersions } from "../../api/resource-version.ts";
import type { ListWatchOutput, ObjectEvent } from "../watch/list-watch-state.ts";
import { Indexer } from "./indexer.ts";

/** Holds the objects of a collection and the resource version at which they were read; both always change together. */
export class CollectionView<T extends StoredObject> {
  readonly store = new Indexer<T>();
  #resourceVersion = "";
  /** A list of the whole collection that is not complete yet. */
  #gathered = new Map<string, T>();

  /** Empty until the collection has been listed. */
  get resourceVersion(): string {
    return this.#resourceVersion;
  }

  /** Applies an output of the list/watch machine; returns the changes in order. */
  apply(output: ListWatchOutput<T>): readonly InformerChange<T>[] {
    switch (output.type) {
      case "gather":
        this.#gather(output.event);
        return [];
      case "discard":
        this.#gathered.clear();
        return [];
      case "replace":
        return [...this.replace(output.resourceVersion)];
      case "apply":
        this.#resourceVersion = output.resourceVersion;
        return this.#apply(output.event);
      case "reach":
        this.#resourceVersion = output.resourceVersion;
        return [];
    }
  }

  /** Replaces the objects by those of the completed list, one by one; each change it yields has already been applied. */
  *replace(resourceVersion: string): Generator<InformerChange<T>, void, void> {
    this.#resourceVersion = resourceVersion;
    const gathered = this.#gathered;
    this.#gathered = new Map();
    const deleted = [...this.store.keys()].filter((key) => !gathered.has(key));
    for (const key of deleted) yield* this.#set(key, undefined);
    for (const [key, object] of gathered) yield* this.#set(key, object);
  }

  #gather({ type, object }: ObjectEvent<T>): void {
    if (type === "DELETED") this.#gathered.delete(keyOf(object));
    else this.#gathered.set(keyOf(object), object);
  }

  #apply({ type, object }: ObjectEvent<T>): InformerChange<T>[] {
    const key = keyOf(object);
    return type === "DELETED" ? this.#delete(key, object) : this.#set(key, object);
  }

  #set(key: string, object: T | undefined): InformerChange<T>[] {
    const changes = changesBetween(this.store.get(key), object);
    if (changes.length === 0) return changes;
    if (object === undefined) this.store.remove(key);
    else this.store.put(key, object);
    return changes;
  }

  #delete(key: string, object: T): InformerChange<T>[] {
    const known = this.store.get(key);
    if (known === undefined) return [];
    if (known.metadata.uid === object.metadata.uid) {
      this.store.remove(key);
      return [{ type: "deleted", object }];
    }
    // Another object of that name was deleted: before ours was created, or after ours was deleted unobserved.
    const order = compareResourceVersions(object.metadata.resourceVersion, known.metadata.resourceVersion);
    return order !== undefined && order > 0 ? this.#set(key, undefined) : [];
  }
}

/** A change of one object. An update never changes the UID. */
export type InformerChange<T> =
  | { readonly type: "added"; readonly object: T }
  | { readonly type: "updated"; readonly old: T; readonly object: T }
  | { readonly type: "deleted"; readonly object: T };

/**
 * The changes of a key between two observations. A name that was deleted and created again in between is a deletion and
 * an addition; an object with the same resource version has not changed.
 */
function changesBetween<T extends StoredObject>(
  old: T | undefined,
  object: T | undefined,
): InformerChange<T>[] {
  if (old === undefined) return object === undefined ? [] : [{ type: "added", object }];
  if (object === undefined) return [{ type: "deleted", object: old }];
  if (old.metadata.uid !== object.metadata.uid)
    return [
      { type: "deleted", object: old },
      { type: "added", object },
    ];
  if (old.metadata.resourceVersion === object.metadata.resourceVersion) return [];
  return [{ type: "updated", old, object }];
}
