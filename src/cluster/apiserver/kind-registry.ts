import { type GroupKind, qualifiedKind } from "../../api/resource.ts";
import type { ServedResource } from "./served-resource.ts";

/** The resources that the server has at the moment. */
export interface ServedResources {
  /** Another list after every change, so that what is made from one can be kept until there is another. */
  readonly all: readonly ServedResource[];
  find(group: string, version: string, plural: string): ServedResource | undefined;
  /** The resources whose objects are in a collection of the store. */
  sharing(collection: string): readonly ServedResource[];
}

/** A kind that is served, in one or more versions. */
export interface ServedKind extends GroupKind {
  /** One resource for each version. */
  readonly versions: readonly ServedResource[];
}

/** A change of what is served; a kind that is replaced is given as it is now. */
export interface KindChange {
  readonly type: "registered" | "replaced" | "removed";
  readonly kind: ServedKind;
}

/** The kinds that the server has; they may be registered, replaced and removed while it runs. */
export interface KindRegistry extends ServedResources {
  /** Serves another kind from now on; throws when the kind, or a path of it, is served already. */
  register(kind: ServedKind): void;
  /** Serves a kind in another way: with another schema or strategy, in other versions. */
  replace(kind: ServedKind): void;
  /** Serves a kind no longer: its watches end, its paths are gone. Its objects stay in the store. */
  remove(groupKind: GroupKind): void;
  /** Calls the handler, in the turn of the change, after every one; the returned function ends that. */
  subscribe(handler: (change: KindChange) => void): () => void;
}

/** Creates a registry that serves these kinds at first. */
export function createKindRegistry(initial: readonly ServedKind[]): KindRegistry {
  const kinds = new Map<string, ServedKind>();
  const byPath = new Map<string, ServedResource>();
  const byCollection = new Map<string, readonly ServedResource[]>();
  const handlers = new Set<(change: KindChange) => void>();
  let all: readonly ServedResource[] = [];

  function add(kind: ServedKind): void {
    for (const resource of kind.versions) {
      const taken = byPath.get(pathOf(resource));
      if (taken !== undefined) throw new Error(`${pathOf(resource)} is served for ${qualifiedKind(taken)}`);
    }
    kinds.set(qualifiedKind(kind), kind);
    for (const resource of kind.versions) byPath.set(pathOf(resource), resource);
    for (const collection of collectionsOf(kind)) {
      const own = kind.versions.filter((each) => each.collection === collection);
      byCollection.set(collection, [...(byCollection.get(collection) ?? []), ...own]);
    }
  }

  /** Forgets the paths of a kind; its place in the list stays until another change. */
  function withdraw(groupKind: GroupKind): ServedKind {
    const kind = kinds.get(qualifiedKind(groupKind));
    if (kind === undefined) throw new Error(`${qualifiedKind(groupKind)} is not served`);
    const own = new Set(kind.versions);
    for (const resource of own) byPath.delete(pathOf(resource));
    for (const collection of collectionsOf(kind)) {
      const others = (byCollection.get(collection) ?? []).filter((each) => !own.has(each));
      if (others.length > 0) byCollection.set(collection, others);
      else byCollection.delete(collection);
    }
    return kind;
  }

  function changed(change: KindChange): void {
    all = [...kinds.values()].flatMap(({ versions }) => versions);
    for (const handler of handlers) handler(change);
  }

  for (const kind of initial) add(kind);
  all = [...kinds.values()].flatMap(({ versions }) => versions);
  return {
    get all() {
      return all;
    },
    find: (group, version, plural) => byPath.get(`${group}/${version}/${plural}`),
    sharing: (collection) => byCollection.get(collection) ?? [],
    register(kind) {
      if (kinds.has(qualifiedKind(kind))) throw new Error(`${qualifiedKind(kind)} is served already`);
      add(kind);
      changed({ type: "registered", kind });
    },
    replace(kind) {
      const former = withdraw(kind);
      try {
        add(kind);
      } catch (error) {
        add(former);
        throw error;
      }
      changed({ type: "replaced", kind });
    },
    remove(groupKind) {
      const kind = withdraw(groupKind);
      kinds.delete(qualifiedKind(kind));
      changed({ type: "removed", kind });
    },
    subscribe(handler) {
      handlers.add(handler);
      return () => void handlers.delete(handler);
    },
  };
}

function collectionsOf({ versions }: ServedKind): ReadonlySet<string> {
  return new Set(versions.map(({ collection }) => collection));
}

/** Returns what is made from all resources; it is made again after a change. */
export function derivedFrom<T>(
  served: Pick<ServedResources, "all">,
  make: (all: readonly ServedResource[]) => T,
): () => T {
  let made: { readonly from: readonly ServedResource[]; readonly value: T } | undefined;
  return () => {
    if (made?.from !== served.all) made = { from: served.all, value: make(served.all) };
    return made.value;
  };
}

/** Whether a resource is served, perhaps in another way than it was. */
export function isServed(kinds: ServedResources, { group, version, plural }: ServedResource): boolean {
  return kinds.find(group, version, plural) !== undefined;
}

function pathOf({ group, version, plural }: ServedResource): string {
  return `${group}/${version}/${plural}`;
}
