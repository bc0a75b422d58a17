import { extended } from "../api/extended.ts";
import type { JsonObject } from "../api/json.ts";
import type { StoredObject } from "../api/object.ts";
import type { Clock } from "../machinery/clock/clock.ts";
import { apiVersionOf, type Resource } from "../api/resource.ts";
import { pods } from "../api/resources.ts";
import type { Client, DeleteOptions, KindQuery, Patch, WriteOptions } from "../machinery/client/client.ts";
import { type GroupVersion, groupVersionsOf } from "./apiserver/discovery/listed-resource.ts";
import type { User } from "./apiserver/auth/user.ts";
import type { RequestHandler } from "./apiserver/handlers/request-handler.ts";
import type { ApiRequest, PatchBody, RequestOptions } from "./apiserver/request/api-request.ts";
import type { ApiResponse } from "./apiserver/request/api-response.ts";
import type { ServedResource } from "./apiserver/served-resource.ts";
import type { ServedResources } from "./apiserver/kind-registry.ts";
import { noSuchPath } from "./apiserver/status-errors.ts";
import { inProcessWatchEvents } from "./watch-events.ts";

/** The API that is called, and the user that calls it. */
export interface InProcessClientOptions {
  readonly requestHandler: RequestHandler;
  readonly resources: ServedResources;
  readonly user: User;
  /** Lets the event loop do I/O between requests of components, which otherwise follow each other as promises. */
  readonly clock: Clock;
}

type UnaddressedRequest = Omit<ApiRequest, "resource" | "user" | "userAgent">;

/** The field manager of components that do not name one. */
const userAgent = "trimtab";

const noOptions: RequestOptions = {};

/**
 * Creates a client of an API server in this process: the rules are the same as over HTTPS, objects are shared by
 * reference, and the only delay is microtasks.
 */
export function inProcessClient(options: InProcessClientOptions): Client {
  const { requestHandler, resources, user, clock } = options;
  const send = async (resource: Resource, request: UnaddressedRequest): Promise<ApiResponse> => {
    const turn = clock.yieldToEventLoop?.();
    if (turn !== undefined) await turn;
    request.signal?.throwIfAborted();
    return requestHandler.handle(
      extended(request, { resource: servedOf(resources, resource), user, userAgent }),
    );
  };

  /** Adds what the server requires of custom kinds only, and what objects may lack: clients over HTTPS send it always. */
  const withType = (resource: Resource, object: object, { subresource }: WriteOptions): object =>
    subresource !== "scale" && servedOf(resources, resource).isCustom === true
      ? { apiVersion: apiVersionOf(resource), kind: resource.kind, ...object }
      : object;

  return {
    async resource<T extends StoredObject>(kind: KindQuery): Promise<Resource<T>> {
      const found = findKind(groupVersionsOf(resources.all), kind);
      if (found === undefined) throw noSuchPath();
      const { group, version, plural, namespaced } = found;
      return { group, version, kind: kind.kind, plural, namespaced };
    },

    async get(resource, { namespace, name, subresource }, signal) {
      const request = { verb: "get", subresource, namespace, name, options: noOptions, signal } as const;
      return objectOf(resource, await send(resource, request));
    },

    async list(resource, { namespace, ...options }, signal) {
      const response = await send(resource, { verb: "list", namespace, options, signal });
      if (response.kind !== "list") throw unexpected(response);
      const { resourceVersion = "", ...more } = response.metadata;
      return { items: response.items.map(({ object }) => typed(resource, object)), resourceVersion, ...more };
    },

    watch(resource, { namespace, ...options }, signal) {
      return inProcessWatchEvents(
        () => send(resource, { verb: "watch", namespace, options, signal }),
        signal,
      );
    },

    async create(resource, object, writing = {}) {
      const { namespace } = object.metadata;
      const { subresource, signal } = writing;
      const [body, options] = [bodyOf(withType(resource, object, writing)), optionsOf(writing)];
      const request = { verb: "create", subresource, namespace, body, options, signal } as const;
      return objectOf(resource, await send(resource, request));
    },

    async update(resource, object, writing = {}) {
      const { namespace, name } = object.metadata;
      const { subresource, signal } = writing;
      const [body, options] = [bodyOf(withType(resource, object, writing)), optionsOf(writing)];
      const request = { verb: "update", subresource, namespace, name, body, options, signal } as const;
      return objectOf(resource, await send(resource, request));
    },

    async patch(resource, { namespace, name }, patching) {
      const { subresource, signal } = patching;
      const [patch, options] = [patchOf(patching), optionsOf(patching)];
      const request = { verb: "patch", subresource, namespace, name, patch, options, signal } as const;
      return objectOf(resource, await send(resource, request));
    },

    async delete(resource, { namespace, name }, { signal, ...deletion } = {}) {
      const request = { verb: "delete", namespace, name, body: deletionOf(deletion), signal } as const;
      const response = await send(resource, { ...request, options: noOptions });
      return response.kind === "object" && response.removed !== true
        ? objectOf(resource, response)
        : undefined;
    },

    async deleteCollection(resource, { namespace, ...options }, { signal, ...deletion } = {}) {
      const body = deletionOf(deletion);
      await send(resource, { verb: "deletecollection", namespace, options, body, signal });
    },

    async bind({ namespace, name }, { uid, target }, signal) {
      const body = bodyOf({ metadata: uid === undefined ? { name } : { name, uid }, target });
      const [subresource, options] = ["binding", noOptions];
      await send(pods, { verb: "create", subresource, namespace, name, body, signal, options });
    },

    async evict({ namespace, name }, { signal, ...deletion } = {}) {
      const body = bodyOf({ metadata: { name }, deleteOptions: deleteOptionsOf(deletion) });
      const [subresource, options] = ["eviction", noOptions];
      await send(pods, { verb: "create", subresource, namespace, name, body, signal, options });
    },
  };
}

/** Returns the first resource of a kind in the order of discovery. */
function findKind(
  groupVersions: readonly GroupVersion<ServedResource>[],
  { group, kind, version }: KindQuery,
): ServedResource | undefined {
  return groupVersions
    .filter((each) => each.group === group && (version === undefined || each.version === version))
    .flatMap((each) => each.resources)
    .find((each) => each.kind === kind);
}

function servedOf(resources: ServedResources, { group, version, plural }: Resource): ServedResource {
  const resource = resources.find(group, version, plural);
  if (resource === undefined) throw noSuchPath();
  return resource;
}

/** The type of an object follows from its resource: a collection serves no other kind. */
const typed = <T extends StoredObject>(_of: Resource<T>, object: unknown): T => object as T;

function objectOf<T extends StoredObject>(resource: Resource<T>, response: ApiResponse): T {
  switch (response.kind) {
    case "object":
      return typed(resource, response.item.object);
    case "value":
      return typed(resource, response.value);
    case "list":
    case "watch":
    case "text":
    case "text-stream":
    case "raw":
    case "status":
      throw unexpected(response);
  }
}

function unexpected({ kind }: ApiResponse): Error {
  return new Error(`the API answered with a ${kind}`);
}

function bodyOf(value: object): ApiRequest["body"] {
  return { form: "value", value: value as JsonObject };
}

function patchOf(patch: Patch): PatchBody {
  return patch.type === "json"
    ? { form: "value", type: "json", value: patch.operations }
    : { form: "value", type: patch.type, value: patch.body };
}

function optionsOf({ fieldManager, dryRun }: WriteOptions): RequestOptions {
  if (fieldManager === undefined && dryRun !== true) return noOptions;
  return { fieldManager, ...(dryRun === true && { dryRun: ["All"] }) };
}

function deletionOf(deletion: DeleteOptions): ApiRequest["body"] {
  return bodyOf(deleteOptionsOf(deletion));
}

function deleteOptionsOf({ dryRun, reads: _unsent, ...rest }: DeleteOptions): object {
  return dryRun === true ? { ...rest, dryRun: ["All"] } : rest;
}
