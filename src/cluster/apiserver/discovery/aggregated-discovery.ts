import { type GroupVersion, type ListedResource, responseKind } from "./listed-resource.ts";

// Aggregated discovery: all groups, versions and resources in two documents.

export type AggregatedVersion = "v2" | "v2beta1";

/** Returns the document at `/api` or `/apis` for clients that accept aggregated discovery. */
export function apiGroupDiscoveryList(
  groupVersions: readonly GroupVersion[],
  version: AggregatedVersion,
): object {
  const names = new Set(groupVersions.map(({ group }) => group));
  return {
    kind: "APIGroupDiscoveryList",
    apiVersion: `apidiscovery.k8s.io/${version}`,
    metadata: {},
    items: [...names].map((name) => ({
      metadata: { name, creationTimestamp: null },
      versions: groupVersions
        .filter(({ group }) => group === name)
        .map(({ version, resources, isStale = false }) => ({
          version,
          resources: resources.map(describe),
          freshness: isStale ? "Stale" : "Current",
        })),
    })),
  };
}

function describe(resource: ListedResource): object {
  const { plural, kind, namespaced, singular, verbs, shortNames = [], categories = [] } = resource;
  const subresources = (resource.subresources ?? []).map((subresource) => ({
    subresource: subresource.name,
    responseKind: responseKind(subresource, resource),
    verbs: subresource.verbs,
  }));
  return {
    resource: plural,
    responseKind: { group: "", version: "", kind },
    scope: namespaced ? "Namespaced" : "Cluster",
    singularResource: singular,
    verbs,
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(subresources.length > 0 && { subresources }),
  };
}
