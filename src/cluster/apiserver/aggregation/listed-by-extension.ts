import { isJsonObject, type JsonObject } from "../../../api/json.ts";
import type { ListedResource, ListedSubresource } from "../discovery/listed-resource.ts";

interface GroupVersionName {
  readonly group: string;
  readonly version: string;
}

/** Limits the resources that one extension API server adds to discovery. */
const maxResources = 2000;

/**
 * Returns the resources of an APIResourceList that an extension API server sent; `undefined` for anything else. Entries
 * that are not what they should be are left out, so that no server can break the discovery of others.
 */
export function listedByExtension(
  of: GroupVersionName,
  document: unknown,
): readonly ListedResource[] | undefined {
  if (!isJsonObject(document) || !Array.isArray(document["resources"])) return undefined;
  const entries = (document["resources"] as readonly unknown[]).slice(0, maxResources).filter(isEntry);
  const subresources = new Map<string, ListedSubresource[]>();
  for (const entry of entries) {
    const [plural = "", ...rest] = entry.name.split("/");
    if (rest.length === 0) continue;
    const listed = { name: rest.join("/"), kind: kindOf(of, entry), verbs: textsOf(entry["verbs"]) };
    subresources.set(plural, [...(subresources.get(plural) ?? []), listed]);
  }
  return entries
    .filter(({ name }) => !name.includes("/"))
    .map((entry) => ({
      ...of,
      plural: entry.name,
      kind: entry.kind,
      namespaced: entry["namespaced"] === true,
      singular: typeof entry["singularName"] === "string" ? entry["singularName"] : "",
      shortNames: textsOf(entry["shortNames"]),
      categories: textsOf(entry["categories"]),
      verbs: textsOf(entry["verbs"]),
      subresources: subresources.get(entry.name) ?? [],
    }));
}

type Entry = JsonObject & { readonly name: string; readonly kind: string };

function isEntry(value: unknown): value is Entry {
  return isJsonObject(value) && typeof value["name"] === "string" && typeof value["kind"] === "string";
}

/** Returns the kind of a subresource's bodies as `group/version/Kind`; its group and version may be another's. */
function kindOf(of: GroupVersionName, entry: Entry): string {
  const own = (field: "group" | "version") => {
    const value = entry[field];
    return typeof value === "string" ? value : of[field];
  };
  return [own("group"), own("version"), entry.kind].filter((part) => part !== "").join("/");
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}
