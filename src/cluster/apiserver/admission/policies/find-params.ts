import type { ParamKind, ParamRef } from "../../../../api/generated/admissionregistration-v1.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../../api/json.ts";
import { compileLabelSelector } from "../../../../api/labels/compile-label-selector.ts";
import { matchesLabels } from "../../../../api/labels/label-selector.ts";
import type { Collection, Store } from "../../../store/store.ts";
import type { ServedResources } from "../../kind-registry.ts";
import { metadataOf } from "../../registry/object-meta.ts";
import type { ServedResource } from "../../served-resource.ts";
import { convertVersion } from "../../webhooks/ask-webhook.ts";

/** The parameters that a binding names, each for one evaluation, or why there are none. */
export type FoundParams =
  | { readonly ok: true; readonly params: readonly (JsonObject | null)[] }
  | { readonly ok: false; readonly why: string };

export interface ParamsDependencies {
  readonly store: Store;
  readonly resources: ServedResources;
}

/** Returns the resource of parameters; `undefined` when no such kind is served. */
export function paramResource(resources: ServedResources, kind: ParamKind): ServedResource | undefined {
  return resources.all.find((each) => kindTextOf(each) === paramKindText(kind));
}

/** Formats a kind of parameters for messages. */
export function paramKindText({ apiVersion = "", kind = "" }: ParamKind): string {
  return `${apiVersion.includes("/") ? apiVersion : `/${apiVersion}`}, Kind=${kind}`;
}

/** Formats the kind of a resource for messages. */
export function kindTextOf({ group, version, kind }: ServedResource): string {
  return `${group}/${version}, Kind=${kind}`;
}

/** Finds the parameters of a binding for a request in a namespace, which is empty for cluster-scoped objects. */
export async function findParams(
  { store }: ParamsDependencies,
  resource: ServedResource,
  { ref, namespace }: { readonly ref: ParamRef; readonly namespace: string },
): Promise<FoundParams> {
  const scope = scopeOf(resource, ref, namespace);
  if (!scope.ok) return scope;
  const found = objectsOf(store.collection(resource.collection), ref, scope.namespace);
  if (found.length === 0 && ref.parameterNotFoundAction === "Deny")
    return refused("no params found for policy binding with `Deny` parameterNotFoundAction");
  const params: JsonObject[] = [];
  for (const object of found) params.push(await served(resource, object));
  return { ok: true, params };
}

type Scope = { readonly ok: true; readonly namespace: string } | { readonly ok: false; readonly why: string };

/** Returns the namespace of the parameters; empty if they have none. */
function scopeOf(
  { namespaced }: ServedResource,
  { namespace: own = "" }: ParamRef,
  requested: string,
): Scope {
  if (!namespaced)
    return own === ""
      ? { ok: true, namespace: "" }
      : refused("paramRef.namespace must not be provided for a cluster-scoped `paramKind`");
  const namespace = own === "" ? requested : own;
  return namespace === ""
    ? refused("cannot use namespaced paramRef in policy binding that matches cluster-scoped resources")
    : { ok: true, namespace };
}

function refused(why: string) {
  return { ok: false, why } as const;
}

function objectsOf(collection: Collection, ref: ParamRef, namespace: string): readonly JsonObject[] {
  const { name = "", selector } = ref;
  if (name !== "") {
    const record = collection.get(namespace === "" ? name : `${namespace}/${name}`);
    return record === undefined ? [] : [record.object];
  }
  const compiled = compileLabelSelector(selector ?? {});
  if (!compiled.ok) return [];
  const scope = namespace === "" ? {} : { namespace };
  return [...collection.records(scope)]
    .map(({ object }) => object as JsonObject)
    .filter((object) => matchesLabels(compiled.selection, metadataOf(object).labels));
}

/** Returns a stored object in the version that the policy names. */
async function served(resource: ServedResource, object: JsonObject): Promise<JsonObject> {
  const { conversion: _, ...stored } = resource;
  const converted: Json = await convertVersion(object, stored, resource);
  return isJsonObject(converted) ? converted : object;
}
