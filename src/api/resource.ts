import type { StoredObject } from "./object.ts";

/** A resource of the API: its path, and the type of its objects. */
export interface Resource<T extends StoredObject = StoredObject> {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** Never set: it only carries the type of the objects. */
  readonly of?: T;
}

/** `apps/v1`, or `v1` for the core group. */
export function apiVersionOf(resource: Pick<Resource, "group" | "version">): string {
  return resource.group === "" ? resource.version : `${resource.group}/${resource.version}`;
}

/** A kind, whatever its version; the key of everything that is registered per kind. */
export interface GroupKind {
  readonly group: string;
  readonly kind: string;
}

/** `Deployment.apps`, or `Pod` for the core group (upstream: GroupKind.String). */
export function qualifiedKind({ group, kind }: GroupKind): string {
  return group === "" ? kind : `${kind}.${group}`;
}

/** `deployments.apps`, or `pods` for the core group: how Kubernetes names a collection in messages. */
export function qualifiedName(resource: Pick<Resource, "group" | "plural">): string {
  return resource.group === "" ? resource.plural : `${resource.plural}.${resource.group}`;
}
