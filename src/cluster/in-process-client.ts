import type { JsonObject } from "../api/json.ts";
import type { StoredObject } from "../api/object.ts";
import type { Resource } from "../api/resource.ts";
import { pods } from "../api/resources.ts";
import type { Client, DeleteOptions, Patch, WriteOptions } from "../machinery/client/client.ts";
import type { User } from "./apiserver/auth/user.ts";
import type { RequestHandler } from "./apiserver/handlers/request-handler.ts";
import type { ApiRequest, PatchBody, RequestOptions } from "./apiserver/request/api-request.ts";
import type { ApiResponse } from "./apiserver/request/api-response.ts";
import type { ServedResource } from "./apiserver/served-resource.ts";
import type { ServedResources } from "./apiserver/served-resources.ts";
import { noSuchPath } from "./apiserver/status-errors.ts";
import { watchEvents } from "./watch-events.ts";

/** Whose API, and as whom. */
export interface InProcessClientOptions {
  readonly requestHandler: RequestHandler;
  readonly resources: ServedResources;
  readonly user: User;
}

type Asked = Omit<ApiRequest, "resource" | "user">;

const noOptions: RequestOptions = {};

/**
 * The API without a wire: the same rules, objects by reference, nothing but microtasks between the call and its answer.
 */
export function inProcessClient({ requestHandler, resources, user }: InProcessClientOptions): Client {
  const ask = async (resource: Resource, asked: Asked): Promise<ApiResponse> => {
    asked.signal?.throwIfAborted();
    return requestHandler.handle({ ...asked, resource: servedOf(resources, resource), user });
  };

  return {
    async get(resource, { namespace, name }, signal) {
      const answer = await ask(resource, { verb: "get", namespace, name, options: noOptions, signal });
      return objectOf(resource, answer);
    },

    async list(resource, { namespace, ...options }, signal) {
      const answer = await ask(resource, { verb: "list", namespace, options, signal });
      if (answer.kind !== "list") throw unexpected(answer);
      const { resourceVersion = "", ...more } = answer.metadata;
      return { items: answer.items.map(({ object }) => typed(resource, object)), resourceVersion, ...more };
    },

    watch(resource, { namespace, ...options }, signal) {
      return watchEvents(() => ask(resource, { verb: "watch", namespace, options, signal }), signal);
    },

    async create(resource, object, writing = {}) {
      const { namespace } = object.metadata;
      const { subresource, signal } = writing;
      const asked = { verb: "create", subresource, namespace, body: bodyOf(object), signal } as const;
      return objectOf(resource, await ask(resource, { ...asked, options: optionsOf(writing) }));
    },

    async update(resource, object, writing = {}) {
      const { namespace, name } = object.metadata;
      const { subresource, signal } = writing;
      const asked = { verb: "update", subresource, namespace, name, body: bodyOf(object), signal } as const;
      return objectOf(resource, await ask(resource, { ...asked, options: optionsOf(writing) }));
    },

    async patch(resource, { namespace, name }, patch) {
      const { subresource, signal } = patch;
      const asked = { verb: "patch", subresource, namespace, name, patch: patchOf(patch), signal } as const;
      return objectOf(resource, await ask(resource, { ...asked, options: optionsOf(patch) }));
    },

    async delete(resource, { namespace, name }, { signal, ...deletion } = {}) {
      const asked = { verb: "delete", namespace, name, body: deletionOf(deletion), signal } as const;
      const answer = await ask(resource, { ...asked, options: noOptions });
      return answer.kind === "object" && answer.removed !== true ? objectOf(resource, answer) : undefined;
    },

    async deleteCollection(resource, { namespace, ...options }, { signal, ...deletion } = {}) {
      const body = deletionOf(deletion);
      await ask(resource, { verb: "deletecollection", namespace, options, body, signal });
    },

    async bind({ namespace, name }, { uid, target }, signal) {
      const body = bodyOf({ metadata: uid === undefined ? { name } : { name, uid }, target });
      const asked = { verb: "create", subresource: "binding", namespace, name, body, signal } as const;
      await ask(pods, { ...asked, options: noOptions });
    },
  };
}

function servedOf(resources: ServedResources, { group, version, plural }: Resource): ServedResource {
  const resource = resources.find(group, version, plural);
  if (resource === undefined) throw noSuchPath();
  return resource;
}

/** The caller says what an object is by saying where it is from: a collection serves nothing else. */
const typed = <T extends StoredObject>(_of: Resource<T>, object: unknown): T => object as T;

function objectOf<T extends StoredObject>(resource: Resource<T>, answer: ApiResponse): T {
  switch (answer.kind) {
    case "object":
      return typed(resource, answer.item.object);
    case "value":
      return typed(resource, answer.value);
    case "list":
    case "watch":
    case "status":
      throw unexpected(answer);
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

function deletionOf({ dryRun, ...rest }: DeleteOptions): ApiRequest["body"] {
  return bodyOf(dryRun === true ? { ...rest, dryRun: ["All"] } : rest);
}
