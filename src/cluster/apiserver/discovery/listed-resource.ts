import type { Resource } from "../../../api/resource.ts";
import { schemaTable } from "../../../api/schema/table.ts";

/** What discovery tells about a collection. */
export interface ListedResource extends Pick<
  Resource,
  "group" | "version" | "kind" | "plural" | "namespaced"
> {
  readonly singular: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly verbs: readonly string[];
  readonly subresources?: readonly ListedSubresource[];
}

export interface ListedSubresource {
  readonly name: string;
  /** `group/version/Kind`, or `version/Kind` of the core group. */
  readonly kind: string;
  readonly verbs: readonly string[];
}

/** The collections of one API group and version. */
export interface GroupVersion {
  readonly group: string;
  readonly version: string;
  readonly resources: readonly ListedResource[];
}

/**
 * Collections by group and version. Which kind a short name means depends on this order: Kubernetes' own, with
 * the preferred version of each group first.
 */
export function groupVersionsOf(resources: readonly ListedResource[]): readonly GroupVersion[] {
  const known = schemaTable().groups.flatMap(({ group, versions }) =>
    versions.map((version) => ({ group, version })),
  );
  return known
    .map(({ group, version }) => ({
      group,
      version,
      resources: resources.filter((each) => each.group === group && each.version === version),
    }))
    .filter((each) => each.resources.length > 0);
}

/** A kind apart from its group and version, which are empty where they are the collection's own. */
export function responseKind(
  subresource: ListedSubresource,
  parent: ListedResource,
): { readonly group: string; readonly version: string; readonly kind: string } {
  const parts = subresource.kind.split("/");
  const kind = parts.at(-1) ?? "";
  const version = parts.at(-2) ?? "";
  const group = parts.at(-3) ?? "";
  const own = group === parent.group && version === parent.version;
  return own ? { group: "", version: "", kind } : { group, version, kind };
}
