import { compareText } from "../../../api/compare-text.ts";
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
  readonly storageVersionHash?: string;
  readonly isCustom?: boolean;
}

export interface ListedSubresource {
  readonly name: string;
  /** `group/version/Kind`, or `version/Kind` of the core group. */
  readonly kind: string;
  readonly verbs: readonly string[];
}

/** Kinds in the schema whose objects this server does not create, so discovery does not list them. */
const unsupported: ReadonlySet<string> = new Set([
  "MutatingAdmissionPolicy.admissionregistration.k8s.io",
  "MutatingAdmissionPolicyBinding.admissionregistration.k8s.io",
]);

/** Reports whether the server answers a create of such objects with "not supported yet". */
export function isUnsupportedKind(groupKind: GroupKind): boolean {
  return unsupported.has(qualifiedKind(groupKind));
}

/** The resources of one API group and version. */
export interface GroupVersion<R extends ListedResource = ListedResource> {
  readonly group: string;
  readonly version: string;
  readonly resources: readonly R[];
  /** Whether they belong to an extension API server that does not answer at the moment. */
  readonly isStale?: boolean;
}

/**
 * Groups the resources by group and version, without unsupported kinds, in Kubernetes' order with the preferred version
 * of each group first: clients resolve a short name to the first resource that has it. Groups that Kubernetes does not
 * have follow by name.
 */
export function groupVersionsOf<R extends ListedResource>(
  resources: readonly R[],
): readonly GroupVersion<R>[] {
  const byGroupVersion = new Map<string, R[]>();
  for (const { group, versions } of schemaTable().groups)
    for (const version of versions) byGroupVersion.set(`${group}/${version}`, []);
  const listed = resources.filter((each) => !isUnsupportedKind(each));
  const own = listed.filter((each) => byGroupVersion.has(`${each.group}/${each.version}`));
  const others = listed.filter((each) => !byGroupVersion.has(`${each.group}/${each.version}`));
  for (const each of [...own, ...others.toSorted(byGroupAndVersion)]) {
    const key = `${each.group}/${each.version}`;
    byGroupVersion.set(key, [...(byGroupVersion.get(key) ?? []), each]);
  }
  return [...byGroupVersion.values()].flatMap((together) => {
    const [first] = together;
    return first === undefined ? [] : [{ group: first.group, version: first.version, resources: together }];
  });
}

function byGroupAndVersion(left: ListedResource, right: ListedResource): number {
  return (
    compareText(left.group, right.group) ||
    compareVersions(left.version, right.version) ||
    compareText(left.plural, right.plural)
  );
}

/**
 * Orders `v2` before `v1` before `v2beta1` before `v2alpha1` before all other names (upstream:
 * CompareKubeAwareVersionStrings).
 */
export function compareVersions(left: string, right: string): number {
  const [a, b] = [rankOf(left), rankOf(right)];
  if (a === undefined || b === undefined)
    return Number(a === undefined) - Number(b === undefined) || compareText(left, right);
  const different = a.findIndex((number, index) => number !== b[index]);
  return different < 0 ? 0 : (b[different] ?? 0) - (a[different] ?? 0);
}

const stabilities = ["alpha", "beta", ""];

/** Returns the stability, major version and minor version. */
function rankOf(version: string): readonly number[] | undefined {
  const [, major, stability = "", minor = "0"] =
    /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/.exec(version) ?? [];
  return major === undefined ? undefined : [stabilities.indexOf(stability), Number(major), Number(minor)];
}

/** Returns the kind of a subresource; group and version are empty where they are the parent's, if that is not a custom kind. */
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
