import { type GroupKind, qualifiedKind, type Resource } from "../../../api/resource.ts";
import { schemaTable } from "../../../api/schema/table.ts";

/** A resource as discovery lists it. */
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

/** Kinds in the schema whose objects this server does not create, so discovery does not list them. */
const unsupported: ReadonlySet<string> = new Set([
  "CustomResourceDefinition.apiextensions.k8s.io",
  "MutatingAdmissionPolicy.admissionregistration.k8s.io",
  "MutatingAdmissionPolicyBinding.admissionregistration.k8s.io",
  "ValidatingAdmissionPolicy.admissionregistration.k8s.io",
  "ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io",
]);

/** Whether the server answers a create of such objects with "not supported yet". */
export function isUnsupportedKind(groupKind: GroupKind): boolean {
  return unsupported.has(qualifiedKind(groupKind));
}

/** The resources of one API group and version. */
export interface GroupVersion<R extends ListedResource = ListedResource> {
  readonly group: string;
  readonly version: string;
  readonly resources: readonly R[];
}

/**
 * Groups the resources by group and version, without unsupported kinds, in Kubernetes' order with the preferred version
 * of each group first: clients resolve a short name to the first resource that has it.
 */
export function groupVersionsOf<R extends ListedResource>(
  resources: readonly R[],
): readonly GroupVersion<R>[] {
  const known = schemaTable().groups.flatMap(({ group, versions }) =>
    versions.map((version) => ({ group, version })),
  );
  const listed = resources.filter((each) => !isUnsupportedKind(each));
  return known
    .map(({ group, version }) => ({
      group,
      version,
      resources: listed.filter((each) => each.group === group && each.version === version),
    }))
    .filter((each) => each.resources.length > 0);
}

/** The kind of a subresource; group and version are empty where they are the parent's. */
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
