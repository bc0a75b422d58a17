import { failure } from "../command-failure.ts";
import type { ApiResource } from "../server/discovery.ts";

/** How a user names a type: `deploy`, `deployments.apps` or `deployments.v1.apps`. */
interface TypeName {
  readonly name: string;
  readonly version?: string;
  readonly group?: string;
}

/** Finds the resource that a word names; of several versions the preferred one. Throws for an unknown type. */
export function findType(resources: readonly ApiResource[], word: string): ApiResource {
  const found = readings(word)
    .map((reading) => matching(resources, reading))
    .find((each) => each !== undefined);
  if (found !== undefined) return found;
  const { name, group } = readings(word).at(-1) ?? { name: word };
  const inGroup = group === undefined ? "" : ` in group ${JSON.stringify(group)}`;
  throw failure(`the server doesn't have a resource type ${JSON.stringify(name)}${inGroup}`);
}

/** What a word may mean, the first that is served counts. */
function readings(word: string): readonly TypeName[] {
  const [name = "", ...rest] = word.toLowerCase().split(".");
  if (rest.length === 0) return [{ name }];
  const [version = "", ...group] = rest;
  const inGroup = { name, group: rest.join(".") };
  return group.length === 0 && !/^v\d/.test(version)
    ? [inGroup]
    : [{ name, version, group: group.join(".") }, inGroup];
}

function matching(
  resources: readonly ApiResource[],
  { name, version, group }: TypeName,
): ApiResource | undefined {
  const named = resources.filter(
    (each) =>
      (each.plural === name || each.singular === name || each.kind.toLowerCase() === name) &&
      (version === undefined || each.version === version),
  );
  const short = resources.filter((each) => each.shortNames.includes(name));
  const all = named.length > 0 ? named : version === undefined ? short : [];
  const exact = group === undefined ? all : all.filter((each) => each.group === group);
  const near =
    exact.length > 0 || group === undefined ? exact : all.filter((each) => each.group.startsWith(group));
  return near.find(({ isPreferred }) => isPreferred) ?? near[0];
}

/** Finds the resource of a kind in a version. */
export function findKind(
  resources: readonly ApiResource[],
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
): ApiResource | undefined {
  return resources.find(
    ({ group, version, kind: each }) =>
      each === kind && (group === "" ? version : `${group}/${version}`) === apiVersion,
  );
}

/** The types that a word of `get` names: comma-separated ones, and those of categories such as `all`. */
export function findTypes(resources: readonly ApiResource[], word: string): readonly ApiResource[] {
  return word.split(",").flatMap((each) => {
    const inCategory = resources.filter(
      ({ categories, isPreferred }) => isPreferred && categories.includes(each),
    );
    return inCategory.length > 0 ? inCategory : [findType(resources, each)];
  });
}
