import type { WatchSource } from "../../machinery/controller.ts";
import { derivedFrom, type KindRegistry } from "../apiserver/kind-registry.ts";
import type { ServedResource } from "../apiserver/served-resource.ts";

/** Returns the resources that are garbage collected: each collection once, without Events, which have no owners. */
export function garbageCollected(resources: readonly ServedResource[]): readonly ServedResource[] {
  return distinctCollections(resources).filter(({ collection }) => collection !== "events");
}

/**
 * Returns the resources that are deleted with their namespace, except Pods, which the namespace controller deletes
 * first.
 */
export function namespaceContents(resources: readonly ServedResource[]): readonly ServedResource[] {
  return distinctCollections(resources).filter(
    ({ namespaced, verbs, plural }) => namespaced && verbs.includes("deletecollection") && plural !== "pods",
  );
}

/** Returns the resources that quotas may count: all namespaced ones. */
export function namespacedContents(resources: readonly ServedResource[]): readonly ServedResource[] {
  return distinctCollections(resources).filter(({ namespaced }) => namespaced);
}

/** Returns a resource for each collection: the version that is stored, and of a custom kind the first that is served. */
function distinctCollections(resources: readonly ServedResource[]): readonly ServedResource[] {
  const chosen = new Map<string, ServedResource>();
  for (const resource of resources) {
    const { collection, verbs, conversion, isCustom } = resource;
    if (!verbs.includes("list")) continue;
    const isFirst = isCustom === true && !chosen.has(collection);
    if (conversion === undefined || isFirst) chosen.set(collection, resource);
  }
  return [...chosen.values()];
}

/** Describes what a controller watches in every collection of some resources. */
export interface WatchedCollections {
  readonly kinds: KindRegistry;
  /** The resources whose collections are watched. */
  readonly of: (resources: readonly ServedResource[]) => readonly ServedResource[];
  readonly watch: (collection: string) => WatchSource;
}

/** Watches collections as kinds are registered and removed. */
export function watchCollections({ kinds, of, watch }: WatchedCollections): WatchSource {
  const names = derivedFrom(kinds, (all) => new Set(of(all).map(({ collection }) => collection)));
  const sources = new Map<string, WatchSource>();
  return {
    synced: async (signal) => {
      const synced = await Promise.all([...sources.values()].map((source) => source.synced(signal)));
      return synced.every(Boolean);
    },
    start(queue) {
      const stops = new Map<string, (() => void) | undefined>();
      const refresh = () => {
        for (const name of names()) if (!stops.has(name)) stops.set(name, started(name));
        for (const name of stops.keys()) if (!names().has(name)) stop(name);
      };
      const started = (name: string) => {
        const source = watch(name);
        sources.set(name, source);
        return source.start?.(queue);
      };
      const stop = (name: string) => {
        stops.get(name)?.();
        stops.delete(name);
        sources.delete(name);
      };
      refresh();
      const unsubscribe = kinds.subscribe(refresh);
      return () => {
        unsubscribe();
        for (const name of stops.keys()) stop(name);
      };
    },
  };
}
