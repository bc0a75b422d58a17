import type { StoredObject } from "../api/object.ts";
import { qualifiedName, type Resource } from "../api/resource.ts";
import type { Client, WatchEvent } from "../machinery/client/client.ts";
import { deepFreeze } from "./deep-freeze.ts";

/** A request that went through an overseen client. */
export interface OverseenRequest {
  readonly verb: keyof Client;
  /** As Kubernetes names the collection: `replicasets.apps`. */
  readonly resource: string;
  readonly subresource?: string | undefined;
  readonly name?: string | undefined;
  /** What was sent: an object, a patch, options. */
  readonly body?: unknown;
}

/** Looks at a request before it is sent; what it returns is what the request fails with. */
export type Interference = (request: OverseenRequest) => Error | undefined;

/** A client, and what a test can do to it. */
export interface Oversight {
  readonly client: Client;
  /** Every request but watches, the refused ones included. */
  readonly requests: readonly OverseenRequest[];
  /** Has requests refused until the returned function is called. */
  interfere(interference: Interference): () => void;
  /** Keeps watch events back, so that views become stale. */
  holdWatches(): void;
  releaseWatches(): void;
}

/** Passes everything on to a client; what comes out is frozen deeply, so that a test fails where it is changed. */
export function oversee(inner: Client): Oversight {
  const requests: OverseenRequest[] = [];
  const interferences = new Set<Interference>();
  let released: Promise<void> | undefined;
  let release = () => {};

  async function pass<T>(request: OverseenRequest, send: () => Promise<T>): Promise<T> {
    requests.push(request);
    for (const interfere of interferences) {
      const error = interfere(request);
      if (error !== undefined) throw error;
    }
    return deepFreeze(await send());
  }

  async function* held<T extends StoredObject>(events: AsyncIterable<WatchEvent<T>>) {
    for await (const event of events) {
      await released;
      yield deepFreeze(event);
    }
  }

  const named = (resource: Resource) => ({ resource: qualifiedName(resource) });
  const client: Client = {
    get: (resource, name, signal) =>
      pass({ verb: "get", ...named(resource), name: name.name }, () => inner.get(resource, name, signal)),
    list: (resource, query, signal) =>
      pass({ verb: "list", ...named(resource), body: query }, () => inner.list(resource, query, signal)),
    watch: (resource, query, signal) => held(inner.watch(resource, query, signal)),
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
    interfere(interference) {
      interferences.add(interference);
      return () => void interferences.delete(interference);
    },
    holdWatches() {
      released ??= new Promise((resolve) => (release = resolve));
    },
    releaseWatches() {
      release();
      released = undefined;
    },
  };
}
