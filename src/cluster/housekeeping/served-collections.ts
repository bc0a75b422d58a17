import type { ServedResource } from "../apiserver/served-resource.ts";

/** Events have no owners; a second version of a collection is not collected twice. */
export function garbageCollected(resources: readonly ServedResource[]) {
  return distinctCollections(resources)
    .filter(({ collection }) => collection !== "events")
    .map((resource) => ({ collection: resource.collection, resource }));
}

/** What is deleted with its namespace, but for Pods, which the namespace controller deletes first. */
export function namespaceContents(resources: readonly ServedResource[]) {
  return distinctCollections(resources).filter(
    ({ namespaced, verbs, plural }) => namespaced && verbs.includes("deletecollection") && plural !== "pods",
  );
}

/** What quotas may count: everything in namespaces. */
export function namespacedCollections(resources: readonly ServedResource[]): readonly string[] {
  return distinctCollections(resources)
    .filter(({ namespaced }) => namespaced)
    .map(({ collection }) => collection);
}

function distinctCollections(resources: readonly ServedResource[]): readonly ServedResource[] {
  const first = new Map<string, ServedResource>();
  for (const resource of resources) {
    if (resource.verbs.includes("list") && resource.conversion === undefined)
      first.set(resource.collection, resource);
  }
  return [...first.values()];
}
