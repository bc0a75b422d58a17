import { isJsonObject, type Json, type JsonObject } from "../../../api/json.ts";
import type { StoredObject } from "../../../api/object.ts";
import { qualifiedKind, type Resource } from "../../../api/resource.ts";
import { apiFailure, isNotFound } from "../api-error.ts";
import type { KindQuery } from "../client.ts";

/** Reads a document of discovery. */
type ReadDocument = (path: string) => Promise<JsonObject>;

/** Finds the resource of a kind by discovery; throws 404 when there is none. */
export async function findResource<T extends StoredObject>(
  read: ReadDocument,
  query: KindQuery,
): Promise<Resource<T>> {
  const { group, kind } = query;
  for (const version of await versionsOf(read, query)) {
    const root = group === "" ? "/api" : `/apis/${encodeURIComponent(group)}`;
    const list = await read(`${root}/${encodeURIComponent(version)}`).catch(nothingIfNotFound);
    for (const { kind: listed, name, namespaced } of itemsOf(list["resources"]))
      if (listed === kind && typeof name === "string" && !name.includes("/"))
        // those of subresources have a slash
        return { group, version, kind, plural: name, namespaced: namespaced === true };
  }
  throw apiFailure(404, "NotFound", `the server has no kind ${qualifiedKind(query)}`);
}

/** Returns the versions to look in: the wanted one, otherwise all of the group, the preferred one first. */
async function versionsOf(read: ReadDocument, { group, version }: KindQuery): Promise<readonly string[]> {
  if (version !== undefined) return [version];
  if (group === "") return ["v1"];
  const document = await read(`/apis/${encodeURIComponent(group)}`).catch(nothingIfNotFound);
  const preferred = versionIn(document["preferredVersion"]);
  const all = itemsOf(document["versions"]).map(versionIn);
  return [...new Set([preferred, ...all])].filter((each) => each !== "");
}

function versionIn(value: Json | undefined): string {
  const { version } = isJsonObject(value) ? value : {};
  return typeof version === "string" ? version : "";
}

function itemsOf(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function nothingIfNotFound(error: unknown): JsonObject {
  if (!isNotFound(error)) throw error;
  return {};
}
