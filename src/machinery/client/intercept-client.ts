import type { StoredObject } from "../../api/object.ts";
import { qualifiedName, type Resource } from "../../api/resource.ts";
import { pods } from "../../api/resources.ts";
import type { Client, WatchEvent } from "./client.ts";

/** A request as an interceptor sees it. */
export interface ClientCall {
  readonly verb: Exclude<keyof Client, "resource">;
  /** As Kubernetes names the collection: `replicasets.apps`. */
  readonly collection: string;
  readonly namespace?: string | undefined;
  /** Absent where it is unknown: in lists, and in creates with `generateName`. */
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
  /** What was sent: an object, a patch, a binding, options. */
  readonly body?: unknown;
}

/** Stands between a client and the API; requests it does not implement pass unchanged. */
export interface Interceptor {
  /** Answers a call, by sending it or otherwise. */
  readonly call?: <T>(call: ClientCall, send: () => Promise<T>) => Promise<T>;
  readonly watch?: <T extends StoredObject>(
    call: ClientCall,
    stream: WatchCall<T>,
  ) => AsyncIterable<WatchEvent<T>>;
}

/** A watch as an interceptor sees it. */
export interface WatchCall<T> {
  readonly open: () => AsyncIterable<WatchEvent<T>>;
  readonly signal: AbortSignal;
}

/** Interceptors in a row: the first is the nearest to the client. All see the same calls, by identity. */
export function chainInterceptors(interceptors: readonly Interceptor[]): Interceptor {
  return {
    call: (call, send) =>
      interceptors.reduceRight(
        (next, { call: pass }) => (pass === undefined ? next : () => pass(call, next)),
        send,
      )(),
    watch: (call, stream) =>
      interceptors
        .reduceRight(
          (next, { watch: pass }) =>
            pass === undefined ? next : { ...stream, open: () => pass(call, next) },
          stream,
        )
        .open(),
  };
}

/** A client whose every request passes an interceptor. */
export function interceptClient(inner: Client, interceptor: Interceptor): Client {
  const pass = <T>(call: ClientCall, send: () => Promise<T>): Promise<T> =>
    interceptor.call === undefined ? send() : interceptor.call(call, send);
  const at = (resource: Resource, place: Pick<ClientCall, "namespace" | "name"> = {}) => ({
    collection: qualifiedName(resource),
    namespace: place.namespace,
    name: place.name,
  });

  return {
    // Discovery is no request for objects.
    resource: (kind, signal) => inner.resource(kind, signal),
    get: (resource, name, signal) =>
      pass(
        { verb: "get", ...at(resource, name), ...(name.subresource && { subresource: name.subresource }) },
        () => inner.get(resource, name, signal),
      ),
    list: (resource, query, signal) =>
      pass({ verb: "list", ...at(resource, query), body: query }, () => inner.list(resource, query, signal)),
    watch(resource, query, signal) {
      const open = () => inner.watch(resource, query, signal);
      const call: ClientCall = { verb: "watch", ...at(resource, query), body: query };
      return interceptor.watch === undefined ? open() : interceptor.watch(call, { open, signal });
    },
    create: (resource, object, options) =>
      pass(
        { verb: "create", ...at(resource, object.metadata), subresource: options?.subresource, body: object },
        () => inner.create(resource, object, options),
      ),
    update: (resource, object, options) =>
      pass(
        { verb: "update", ...at(resource, object.metadata), subresource: options?.subresource, body: object },
        () => inner.update(resource, object, options),
      ),
    patch: (resource, name, patch) =>
      pass({ verb: "patch", ...at(resource, name), subresource: patch.subresource, body: patch }, () =>
        inner.patch(resource, name, patch),
      ),
    delete: (resource, name, options) =>
      pass({ verb: "delete", ...at(resource, name), body: options }, () =>
        inner.delete(resource, name, options),
      ),
    deleteCollection: (resource, query, options) =>
      pass({ verb: "deleteCollection", ...at(resource, query), body: options }, () =>
        inner.deleteCollection(resource, query, options),
      ),
    bind: (pod, binding, signal) =>
      pass({ verb: "bind", ...at(pods, pod), body: binding }, () => inner.bind(pod, binding, signal)),
    evict: (pod, options) =>
      pass({ verb: "evict", ...at(pods, pod), body: options }, () => inner.evict(pod, options)),
  };
}

/** Whether a call changes something. */
export function isWrite({ verb }: ClientCall): boolean {
  return verb !== "get" && verb !== "list" && verb !== "watch";
}

/** A client that refuses to send anything that could change the cluster: only `get`, `list` and `watch` pass. */
export function readOnlyClient(client: Client): Client {
  return interceptClient(client, {
    call: (call, send) =>
      isWrite(call)
        ? Promise.reject(new Error(`this command only reads: ${call.verb} ${call.collection} was not sent`))
        : send(),
  });
}

/** A client whose writes name their field manager, unless they name another one. */
export function withFieldManager(client: Client, fieldManager: string): Client {
  return {
    resource: (kind, signal) => client.resource(kind, signal),
    get: (resource, name, signal) => client.get(resource, name, signal),
    list: (resource, query, signal) => client.list(resource, query, signal),
    watch: (resource, query, signal) => client.watch(resource, query, signal),
    create: (resource, object, options) => client.create(resource, object, { fieldManager, ...options }),
    update: (resource, object, options) => client.update(resource, object, { fieldManager, ...options }),
    patch: (resource, name, patch) => client.patch(resource, name, { fieldManager, ...patch }),
    delete: (resource, name, options) => client.delete(resource, name, options),
    deleteCollection: (resource, query, options) => client.deleteCollection(resource, query, options),
    bind: (pod, binding, signal) => client.bind(pod, binding, signal),
    evict: (pod, options) => client.evict(pod, options),
  };
}
