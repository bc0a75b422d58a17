import { apiVersionOf } from "../../../api/resource.ts";
import { type GroupVersion, type ListedResource, responseKind } from "./listed-resource.ts";

// Legacy discovery: one document for the groups, one for each group and version.

/** The document at `/api`. */
export function apiVersions(serverAddress: string): object {
  return {
    kind: "APIVersions",
    versions: ["v1"],
    serverAddressByClientCIDRs: [{ clientCIDR: "0.0.0.0/0", serverAddress }],
  };
}

/** The document at `/apis`: every group but the core one. */
export function apiGroupList(groupVersions: readonly GroupVersion[]): object {
  const names = new Set(groupVersions.map(({ group }) => group).filter((group) => group !== ""));
  return {
    kind: "APIGroupList",
    apiVersion: "v1",
    groups: [...names].map((name) => groupFacts(groupVersions, name)),
  };
}

/** The document at `/apis/<group>`. */
export function apiGroup(groupVersions: readonly GroupVersion[], group: string): object | undefined {
  if (group === "" || !groupVersions.some((each) => each.group === group)) return undefined;
  return { kind: "APIGroup", apiVersion: "v1", ...groupFacts(groupVersions, group) };
}

/** The document at `/api/v1` and `/apis/<group>/<version>`. */
export function apiResourceList(groupVersion: GroupVersion): object {
  return {
    kind: "APIResourceList",
    // upstream: the list of the core group has no apiVersion.
    ...(groupVersion.group !== "" && { apiVersion: "v1" }),
    groupVersion: apiVersionOf(groupVersion),
    resources: groupVersion.resources.flatMap(entriesOf),
  };
}

function groupFacts(groupVersions: readonly GroupVersion[], name: string) {
  const versions = groupVersions
    .filter(({ group }) => group === name)
    .map(({ version }) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions, preferredVersion: versions[0] };
}

function entriesOf(resource: ListedResource): readonly object[] {
  const {
    plural,
    singular,
    namespaced,
    kind,
    verbs,
    shortNames = [],
    categories = [],
    storageVersionHash,
  } = resource;
  const own = {
    name: plural,
    singularName: singular,
    namespaced,
    kind,
    verbs,
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(storageVersionHash !== undefined && { storageVersionHash }),
  };
  const subresources = (resource.subresources ?? []).map((subresource) => {
    const { group, version, kind } = responseKind(subresource, resource);
    return {
      name: `${plural}/${subresource.name}`,
      singularName: "",
      namespaced,
      ...(group !== "" && { group }),
      ...(version !== "" && { version }),
      kind,
      verbs: subresource.verbs,
    };
  });
  return [own, ...subresources];
}
