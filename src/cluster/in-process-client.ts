import type { JsonObject } from "../api/json.ts";
import type { StoredObject } from "../api/object.ts";
import type { Resource } from "../api/resource.ts";
import { pods } from "../api/resources.ts";
import type { Client, DeleteOptions, Patch, WriteOptions } from "../machinery/client/client.ts";
import type { ApiRequest, PatchBody, RequestOptions, User } from "./apiserver/api-request.ts";
import type { ApiResponse } from "./apiserver/api-response.ts";
import type { Engine } from "./apiserver/engine.ts";
import { noSuchPath } from "./apiserver/failures.ts";
import type { ServedResource } from "./apiserver/served-resource.ts";
import type { ServedResources } from "./apiserver/served-resources.ts";
import { watchEvents } from "./watch-events.ts";

export interface InProcessClientOptions {
  readonly engine: Engine;
  readonly resources: ServedResources;
  readonly user: User;
}

type Asked = Omit<ApiRequest, "resource" | "user" | "options"> & { readonly options?: RequestOptions };

/**
 * The API without a wire: the same rules, objects by reference, nothing but microtasks between the call and its answer.
 */
export function inProcessClient({ engine, resources, user }: InProcessClientOptions): Client {
  const ask = async (resource: Resource, { signal, options = {}, ...asked }: Asked): Promise<ApiResponse> => {
    signal?.throwIfAborted();
    return engine.handle({ ...asked, resource: servedOf(resources, resource), options, user, signal });
  };

  return {
    async get(resource, { namespace, name }, signal) {
      return objectOf(resource, await ask(resource, { verb: "get", namespace, name, signal }));
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

    async create(resource, object, options = {}) {
      const { namespace } = object.metadata;
      const body = bodyOf(object);
      return objectOf(
        resource,
        await ask(resource, { verb: "create", namespace, body, ...writing(options) }),
      );
    },

    async update(resource, object, options = {}) {
      const { namespace, name } = object.metadata;
      const body = bodyOf(object);
      return objectOf(
        resource,
        await ask(resource, { verb: "update", namespace, name, body, ...writing(options) }),
      );
    },

    async patch(resource, { namespace, name }, patch) {
      const asked = { namespace, name, patch: patchOf(patch), ...writing(patch) };
      return objectOf(resource, await ask(resource, { verb: "patch", ...asked }));
    },

    async delete(resource, { namespace, name }, options = {}) {
      const answer = await ask(resource, { verb: "delete", namespace, name, ...deleting(options) });
      return answer.kind === "object" && answer.removed !== true ? objectOf(resource, answer) : undefined;
    },

    async deleteCollection(resource, { namespace, ...query }, options = {}) {
      const { body, signal } = deleting(options);
      await ask(resource, { verb: "deletecollection", namespace, options: query, body, signal });
    },

    async bind({ namespace, name }, { uid, target }, signal) {
      const metadata = { name, ...(uid !== undefined && { uid }) };
      const body = bodyOf({ metadata, target });
      await ask(pods, { verb: "create", subresource: "binding", namespace, name, body, signal });
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

function writing({ subresource, fieldManager, dryRun, signal }: WriteOptions) {
  const options: RequestOptions = { fieldManager, ...(dryRun === true && { dryRun: ["All"] }) };
  return { subresource, options, signal };
}

function deleting({ signal, dryRun, ...rest }: DeleteOptions) {
  return { body: bodyOf({ ...rest, ...(dryRun === true && { dryRun: ["All"] }) }), signal };
}
