import {
  type GroupVersion,
  type ListedResource,
  type ListedSubresource,
  responseKind,
} from "./listed-resource.ts";

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
  const { group, version, isCustom } = resource;
  const subresources = (resource.subresources ?? []).map((subresource) => ({
    subresource: subresource.name,
    responseKind: isCustom === true ? wholeKind(subresource) : responseKind(subresource, resource),
    verbs: subresource.verbs,
  }));
  return {
    resource: plural,
    responseKind: isCustom === true ? { group, version, kind } : { group: "", version: "", kind },
    scope: namespaced ? "Namespaced" : "Cluster",
    singularResource: singular,
    verbs,
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(subresources.length > 0 && { subresources }),
  };
}

/** upstream: discovery of custom kinds names every kind in full. */
function wholeKind({ kind }: ListedSubresource): object {
  const [name = "", version = "", group = ""] = kind.split("/").toReversed();
  return { group, version, kind: name };
}
