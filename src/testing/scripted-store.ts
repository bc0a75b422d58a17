import { keyOf, type StoredObject } from "../api/object.ts";
import { qualifiedName, type Resource } from "../api/resource.ts";
import { apiFailure } from "../machinery/client/api-error.ts";
import type { ListQuery, ListResult, WatchEvent } from "../machinery/client/client.ts";
import { deepFreeze } from "./deep-freeze.ts";

/** Something that happened to an object. */
export interface Past {
  readonly revision: number;
  readonly resource: string;
  readonly event: Exclude<WatchEvent<StoredObject>, { type: "BOOKMARK" }>;
}

/** Part of a collection, from a revision on. */
export interface Interest {
  readonly resource: string;
  readonly namespace: string | undefined;
  readonly since: number;
}

/** Frozen objects by collection and key, one revision counter, and a history that can be forgotten. */
export class ScriptedStore {
  #revision = 0;
  #forgotten = 0;
  #history: Past[] = [];
  readonly #objects = new Map<string, Map<string, StoredObject>>();
  /** What paged lists go on with, by continue token. */
  readonly #rest = new Map<string, ListResult<StoredObject>>();

  get revision(): number {
    return this.#revision;
  }

  forgetHistory(): void {
    this.#history = [];
    this.#rest.clear();
    this.#forgotten = this.#revision;
  }

  has(resource: Resource, key: string): boolean {
    return this.#collection(resource).has(key);
  }

  get<T extends StoredObject>(resource: Resource<T>, key: string): T {
    const object = this.#collection(resource).get(key);
    if (object === undefined)
      throw apiFailure(404, "NotFound", `${qualifiedName(resource)} ${key} not found`);
    return object as T;
  }

  /** Everything in a namespace, or in all of them, by key. */
  all<T extends StoredObject>(resource: Resource<T>, namespace: string | undefined): T[] {
    return [...this.#collection(resource).entries()]
      .filter(([, object]) => namespace === undefined || object.metadata.namespace === namespace)
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([, object]) => object as T);
  }

  page(resource: Resource, { namespace, limit, continue: token }: ListQuery): ListResult<StoredObject> {
    const from =
      token === undefined
        ? { items: this.all(resource, namespace), resourceVersion: String(this.#revision) }
        : this.#rest.get(token);
    if (from === undefined) throw apiFailure(410, "Expired", "the continue token is too old");
    if (limit === undefined || from.items.length <= limit) return from;
    const following = `${from.resourceVersion}/${from.items.length}`;
    this.#rest.set(following, { ...from, items: from.items.slice(limit) });
    return { ...from, items: from.items.slice(0, limit), continue: following };
  }

  commit(resource: Resource, type: Past["event"]["type"], object: StoredObject): Past {
    const revision = ++this.#revision;
    const copy = structuredClone(object);
    const stored = deepFreeze({ ...copy, metadata: { ...copy.metadata, resourceVersion: String(revision) } });
    if (type === "DELETED") this.#collection(resource).delete(keyOf(stored));
    else this.#collection(resource).set(keyOf(stored), stored);
    const past: Past = { revision, resource: qualifiedName(resource), event: { type, object: stored } };
    this.#history.push(past);
    return past;
  }

  happened(interest: Interest): readonly Past[] {
    if (interest.since < this.#forgotten)
      throw apiFailure(410, "Expired", `too old resource version: ${interest.since} (${this.#forgotten})`);
    return this.#history.filter((past) => concerns(past, interest));
  }

  #collection(resource: Resource): Map<string, StoredObject> {
    const name = qualifiedName(resource);
    const collection = this.#objects.get(name) ?? new Map<string, StoredObject>();
    this.#objects.set(name, collection);
    return collection;
  }
}

/** Reports whether a change is within a watched part of a collection. */
export function concerns({ resource, revision, event }: Past, interest: Interest): boolean {
  const { namespace } = event.object.metadata;
  return (
    resource === interest.resource &&
    revision > interest.since &&
    (interest.namespace === undefined || interest.namespace === namespace)
  );
}
