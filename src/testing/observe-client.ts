import type { StoredObject } from "../api/object.ts";
import { qualifiedName, type Resource } from "../api/resource.ts";
import type { Client, WatchEvent } from "../machinery/client/client.ts";
import { deepFreeze } from "./deep-freeze.ts";

/** A request that went through an overseen client. */
export interface ObservedRequest {
  readonly verb: keyof Client;
  /** As Kubernetes names the collection: `replicasets.apps`. */
  readonly resource: string;
  readonly subresource?: string | undefined;
  readonly name?: string | undefined;
  /** What was sent: an object, a patch, options. */
  readonly body?: unknown;
}

/** Looks at a request; what it returns is what the request fails with. */
export type RequestFailure = (request: ObservedRequest) => Error | undefined;

/** A client, and what a test can do to it. */
export interface ObservedClient {
  readonly client: Client;
  /** Every request but watches, the refused ones included. */
  readonly requests: readonly ObservedRequest[];
  /** Has requests refused, or their answers lost when they have been served, until the returned function is called. */
  failRequests(interference: RequestFailure, what?: "request" | "answer"): () => void;
  /** Keeps the watch events of a collection back, so that views of it become stale; absent: of all. */
  holdWatches(resource?: Resource): void;
  /** Lets everything come that was kept back; with an error it is lost, and the streams it was on fail. */
  releaseWatches(error?: Error): void;
}

interface Hold {
  readonly resource: string | undefined;
  readonly over: Promise<Error | undefined>;
  readonly end: (error: Error | undefined) => void;
}

/** Passes everything on to a client; what comes out is frozen deeply, so that a test fails where it is changed. */
export function observeClient(inner: Client): ObservedClient {
  const requests: ObservedRequest[] = [];
  const refusing = new Set<RequestFailure>();
  const losing = new Set<RequestFailure>();
  const fail = (interferences: Iterable<RequestFailure>, request: ObservedRequest) => {
    for (const interfere of interferences) {
      const error = interfere(request);
      if (error !== undefined) throw error;
    }
  };
  const holds: Hold[] = [];

  async function pass<T>(request: ObservedRequest, send: () => Promise<T>): Promise<T> {
    requests.push(request);
    fail(refusing, request);
    const answer = deepFreeze(await send());
    fail(losing, request);
    return answer;
  }

  async function* watch<T extends StoredObject>(resource: string, events: AsyncIterable<WatchEvent<T>>) {
    for await (const event of events) {
      const meant = holds.filter((hold) => hold.resource === undefined || hold.resource === resource);
      for (const hold of meant) {
        const error = await hold.over;
        if (error !== undefined) throw error;
      }
      yield deepFreeze(event);
    }
  }

  const named = (resource: Resource) => ({ resource: qualifiedName(resource) });
  const client: Client = {
    get: (resource, name, signal) =>
      pass({ verb: "get", ...named(resource), name: name.name }, () => inner.get(resource, name, signal)),
    list: (resource, query, signal) =>
      pass({ verb: "list", ...named(resource), body: query }, () => inner.list(resource, query, signal)),
    watch: (resource, query, signal) => watch(qualifiedName(resource), inner.watch(resource, query, signal)),
    create: (resource, object, options) =>
      pass({ verb: "create", ...named(resource), body: object }, () =>
        inner.create(resource, object, options),
      ),
    update: (resource, object, options) => {
      const { subresource } = options ?? {};
      const { name } = object.metadata;
      return pass({ verb: "update", ...named(resource), subresource, name, body: object }, () =>
        inner.update(resource, object, options),
      );
    },
    patch: (resource, { namespace, name }, patch) => {
      const { subresource } = patch;
      return pass({ verb: "patch", ...named(resource), subresource, name, body: patch }, () =>
        inner.patch(resource, { namespace, name }, patch),
      );
    },
    delete: (resource, { namespace, name }, options) =>
      pass({ verb: "delete", ...named(resource), name, body: options }, () =>
        inner.delete(resource, { namespace, name }, options),
      ),
    deleteCollection: (resource, query, options) =>
      pass({ verb: "deleteCollection", ...named(resource), body: query }, () =>
        inner.deleteCollection(resource, query, options),
      ),
    bind: (pod, binding, signal) =>
      pass({ verb: "bind", resource: "pods", name: pod.name, body: binding }, () =>
        inner.bind(pod, binding, signal),
      ),
  };

  return {
    client,
    requests,
    failRequests(interference, what = "request") {
      const interferences = what === "request" ? refusing : losing;
      interferences.add(interference);
      return () => void interferences.delete(interference);
    },
    holdWatches(resource) {
      let end: Hold["end"] = () => undefined;
      const over = new Promise<Error | undefined>((resolve) => (end = resolve));
      holds.push({ resource: resource && qualifiedName(resource), over, end });
    },
    releaseWatches(error) {
      for (const { end } of holds.splice(0)) end(error);
    },
  };
}
