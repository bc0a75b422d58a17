import type { Binding } from "../../../api/generated/core-v1.ts";
import type { Draft, StoredObject } from "../../../api/object.ts";
import { apiVersionOf, type Resource } from "../../../api/resource.ts";
import { pods } from "../../../api/resources.ts";
import type {
  DeleteOptions,
  EvictOptions,
  ListQuery,
  ObjectName,
  ObjectWriteOptions,
  Patch,
  WatchQuery,
  WriteOptions,
} from "../client.ts";
import { requestPath } from "./request-path.ts";

/** A request as it is sent, without credentials, which the transport adds. */
export interface OutgoingRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path and query, relative to the address of the server. */
  readonly path: string;
  readonly contentType?: string;
  readonly body?: string;
  /** The response formats that the client accepts; absent: JSON. */
  readonly accept?: string;
}

export function getRequest(resource: Resource, name: ObjectName): OutgoingRequest {
  return { method: "GET", path: requestPath(resource, name) };
}

export function listRequest(resource: Resource, query: ListQuery): OutgoingRequest {
  return {
    method: "GET",
    path: requestPath(resource, { namespace: query.namespace }) + search(selection(query)),
  };
}

export function watchRequest(resource: Resource, query: WatchQuery): OutgoingRequest {
  const parameters = {
    watch: true,
    ...selection(query),
    allowWatchBookmarks: query.allowWatchBookmarks,
    sendInitialEvents: query.sendInitialEvents,
    timeoutSeconds: query.timeoutSeconds,
  };
  return { method: "GET", path: requestPath(resource, { namespace: query.namespace }) + search(parameters) };
}

export function createRequest<T extends StoredObject>(
  resource: Resource<T>,
  object: Draft<T>,
  options: ObjectWriteOptions = {},
): OutgoingRequest {
  const { namespace, name } = object.metadata;
  const place = options.subresource === undefined ? { namespace } : { namespace, name };
  const path = requestPath(resource, { ...place, subresource: options.subresource });
  return {
    method: "POST",
    path: path + search(writing(options)),
    ...json(typed(resource, object, options)),
    ...replyTo(options),
  };
}

export function updateRequest<T extends StoredObject>(
  resource: Resource<T>,
  object: T,
  options: ObjectWriteOptions = {},
): OutgoingRequest {
  const { namespace, name } = object.metadata;
  const path = requestPath(resource, { namespace, name, subresource: options.subresource });
  return {
    method: "PUT",
    path: path + search(writing(options)),
    ...json(typed(resource, object, options)),
    ...replyTo(options),
  };
}

const patchContentTypes = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
} as const;

export function patchRequest(
  resource: Resource,
  name: ObjectName,
  patch: Patch & WriteOptions,
): OutgoingRequest {
  return {
    method: "PATCH",
    path: requestPath(resource, { ...name, subresource: patch.subresource }) + search(writing(patch)),
    contentType: patchContentTypes[patch.type],
    body: JSON.stringify(patch.type === "json" ? patch.operations : patch.body),
  };
}

export function deleteRequest(
  resource: Resource,
  name: ObjectName,
  options: DeleteOptions = {},
): OutgoingRequest {
  return {
    method: "DELETE",
    path: requestPath(resource, name),
    ...json(deleting(options)),
    ...replyTo(options),
  };
}

export function deleteCollectionRequest(
  resource: Resource,
  query: ListQuery,
  options: DeleteOptions = {},
): OutgoingRequest {
  const path = requestPath(resource, { namespace: query.namespace }) + search(selection(query));
  return { method: "DELETE", path, ...json(deleting(options)) };
}

export function bindRequest(
  pod: ObjectName,
  { uid, target }: Pick<Binding, "target"> & { readonly uid?: string },
): OutgoingRequest {
  const body = { apiVersion: "v1", kind: "Binding", metadata: { ...pod, uid }, target };
  return { method: "POST", path: requestPath(pods, { ...pod, subresource: "binding" }), ...json(body) };
}

export function evictRequest(pod: ObjectName, options: EvictOptions = {}): OutgoingRequest {
  const { namespace, name } = pod;
  const body = {
    apiVersion: "policy/v1",
    kind: "Eviction",
    metadata: { namespace, name },
    deleteOptions: deleting(options),
  };
  return {
    method: "POST",
    path: requestPath(pods, { namespace, name, subresource: "eviction" }),
    ...json(body),
  };
}

type Parameters = Readonly<Record<string, string | number | boolean | undefined>>;

function selection(query: ListQuery): Parameters {
  return {
    labelSelector: query.labelSelector,
    fieldSelector: query.fieldSelector,
    resourceVersion: query.resourceVersion,
    resourceVersionMatch: query.resourceVersionMatch,
    limit: query.limit,
    continue: query.continue,
  };
}

function writing(options: WriteOptions): Parameters {
  return { fieldManager: options.fieldManager, dryRun: options.dryRun === true ? "All" : undefined };
}

function deleting({ gracePeriodSeconds, propagationPolicy, preconditions, dryRun }: DeleteOptions): unknown {
  return {
    apiVersion: "v1",
    kind: "DeleteOptions",
    gracePeriodSeconds,
    propagationPolicy,
    preconditions,
    dryRun: dryRun === true ? ["All"] : undefined,
  };
}

/** Adds apiVersion and kind, which objects from lists lack and the server requires. */
function typed(resource: Resource, object: object, { subresource }: WriteOptions): unknown {
  const type =
    subresource === "scale"
      ? { apiVersion: "autoscaling/v1", kind: "Scale" }
      : { apiVersion: apiVersionOf(resource), kind: resource.kind };
  return { ...type, ...object };
}

/** Asks the server to send only the metadata of an object; a server that does not support this sends the whole object. */
const metadataAlone = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";

function replyTo({ reads }: { readonly reads?: string | undefined }): Pick<OutgoingRequest, "accept"> {
  return reads === undefined ? {} : { accept: metadataAlone };
}

function json(body: unknown): Pick<Required<OutgoingRequest>, "contentType" | "body"> {
  return { contentType: "application/json", body: JSON.stringify(body) };
}

function search(parameters: Parameters): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(parameters))
    if (value !== undefined) query.set(key, String(value));
  return query.size === 0 ? "" : `?${query.toString()}`;
}
