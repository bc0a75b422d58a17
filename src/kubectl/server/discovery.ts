import type { JsonObject } from "../../api/json.ts";

/** A resource that the API server serves. */
export interface ApiResource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly verbs: readonly string[];
  readonly categories: readonly string[];
  readonly subresources: readonly string[];
  /** Whether its version is the one that its group prefers. */
  readonly isPreferred: boolean;
}

const aggregated = ["v2", "v2beta1"]
  .map((version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`)
  .join(",");

interface DiscoveredResource {
  readonly resource: string;
  readonly responseKind?: { readonly kind?: string };
  readonly scope?: string;
  readonly singularResource?: string;
  readonly shortNames?: readonly string[];
  readonly verbs?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly { readonly subresource: string }[];
}

interface DiscoveredGroup {
  readonly metadata?: { readonly name?: string };
  readonly versions?: readonly {
    readonly version: string;
    readonly resources?: readonly DiscoveredResource[];
  }[];
}

/** Reads what the server serves, in its order, from the two documents of aggregated discovery. */
export async function readDiscovery(
  get: (path: string, accept: string) => Promise<JsonObject>,
): Promise<readonly ApiResource[]> {
  const documents = await Promise.all(
    ["/api", "/apis"].map((path) => get(path, `${aggregated},application/json`)),
  );
  return documents.flatMap((document) =>
    resourcesIn((document["items"] ?? []) as unknown as readonly DiscoveredGroup[]),
  );
}

function resourcesIn(groups: readonly DiscoveredGroup[]): readonly ApiResource[] {
  return groups.flatMap(({ metadata, versions = [] }) =>
    versions.flatMap(({ version, resources = [] }, index) =>
      resources.map((each) =>
        resourceOf(each, { group: metadata?.name ?? "", version, isPreferred: index === 0 }),
      ),
    ),
  );
}

function resourceOf(
  found: DiscoveredResource,
  of: Pick<ApiResource, "group" | "version" | "isPreferred">,
): ApiResource {
  const kind = found.responseKind?.kind ?? "";
  return {
    ...of,
    kind,
    plural: found.resource,
    singular: found.singularResource ?? kind.toLowerCase(),
    namespaced: found.scope === "Namespaced",
    shortNames: found.shortNames ?? [],
    verbs: found.verbs ?? [],
    categories: found.categories ?? [],
    subresources: (found.subresources ?? []).map(({ subresource }) => subresource),
  };
}

/** `v1`, or `apps/v1`. */
export function apiVersionText({ group, version }: Pick<ApiResource, "group" | "version">): string {
  return group === "" ? version : `${group}/${version}`;
}

/** `pods`, or `deployments.apps`. */
export function fullPlural({ plural, group }: Pick<ApiResource, "plural" | "group">): string {
  return group === "" ? plural : `${plural}.${group}`;
}

/** `pod`, or `deployment.apps`: how output names an object's kind. */
export function fullSingular({ kind, group }: Pick<ApiResource, "kind" | "group">): string {
  return group === "" ? kind.toLowerCase() : `${kind.toLowerCase()}.${group}`;
}

/** The path of a collection, or of an object in it. */
export function resourcePath(
  { group, version, plural, namespaced }: ApiResource,
  {
    namespace,
    name,
    subresource,
  }: {
    readonly namespace?: string | undefined;
    readonly name?: string | undefined;
    readonly subresource?: string | undefined;
  },
): string {
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  const place =
    namespaced && namespace !== undefined && namespace !== ""
      ? `/namespaces/${encodeURIComponent(namespace)}`
      : "";
  const object = name === undefined ? "" : `/${encodeURIComponent(name)}`;
  return `${root}${place}/${plural}${object}${subresource === undefined || subresource === "" ? "" : `/${subresource}`}`;
}
