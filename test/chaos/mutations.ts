import type { ReplicaSet, ReplicaSetStatus } from "../../src/api/generated/apps-v1.ts";
import type { JsonObject } from "../../src/api/json.ts";
import type { StoredObject } from "../../src/api/object.ts";
import { qualifiedName, type Resource } from "../../src/api/resource.ts";
import { pods, replicaSets } from "../../src/api/resources.ts";
import type {
  Client,
  DeleteOptions,
  ListResult,
  Patch,
  WriteOptions,
} from "../../src/machinery/client/client.ts";
import { interceptClient } from "../../src/machinery/client/intercept-client.ts";
import { Expectations } from "../../src/machinery/expectations.ts";
import type { ControllerSpec } from "../../src/machinery/controller.ts";

/** A bug put into components on purpose, to prove that an invariant notices it. */
export interface Mutation {
  readonly client?: (client: Client, component: string) => Client;
  readonly controller?: (spec: ControllerSpec) => ControllerSpec;
  /** Changes code that all components share, until the returned function undoes that. */
  readonly install?: () => () => void;
}

/** Requests do not say which object they mean: any object of the name will do. */
export const withoutUids: Mutation = {
  client: (inner): Client => ({
    ...inner,
    patch: (resource, name, patch) => inner.patch(resource, name, withoutUid(patch)),
    delete: (resource, name, options) => inner.delete(resource, name, withoutPreconditions(options)),
    bind: (pod, { target }, signal) => inner.bind(pod, { target }, signal),
    evict: (pod, options) => inner.evict(pod, withoutPreconditions(options)),
  }),
};

function withoutUid(patch: Patch & WriteOptions): Patch & WriteOptions {
  if (patch.type === "json") return patch;
  const { uid: _uid, ...metadata } = (patch.body["metadata"] ?? {}) as JsonObject;
  return { ...patch, body: { ...patch.body, metadata } };
}

function withoutPreconditions(options: DeleteOptions = {}): DeleteOptions {
  return { ...options, preconditions: undefined };
}

/** Controllers expect nothing: the next sync does not wait for what the last one has done. */
export const withoutExpectations: Mutation = {
  install() {
    const { prototype } = Expectations;
    const guards = ["expectCreations", "expectDeletions", "expireInMs"] as const;
    const original = guards.map((name) => [name, Object.getOwnPropertyDescriptor(prototype, name)] as const);
    for (const name of guards)
      Object.defineProperty(prototype, name, { value: () => undefined, configurable: true });
    return () => {
      for (const [name, descriptor] of original) Object.defineProperty(prototype, name, descriptor ?? {});
    };
  },
};

/** Controllers do not wait until they see what they have written. */
export const withoutReadingOwnWrites: Mutation = {
  controller: (spec) => ({ ...spec, written: undefined }),
};

/** Neither of the two guards against an old view. */
export const withoutGuards: Mutation = { ...withoutExpectations, ...withoutReadingOwnWrites };

type ReadStatus = (status: ReplicaSetStatus, of: ReplicaSet) => ReplicaSetStatus;

/** The Deployment controller reads the status of ReplicaSets wrongly. */
export function readingReplicaSetStatus(read: ReadStatus): Mutation {
  return misreading(replicaSets, (replicaSet) => ({
    ...replicaSet,
    status: read(replicaSet.status ?? { replicas: 0 }, replicaSet),
  }));
}

/** The Deployment controller does not see that Pods are terminating. */
export const withoutSeeingDeletions: Mutation = misreading(pods, ({ metadata, ...pod }) => {
  const { deletionTimestamp: _deletionTimestamp, ...rest } = metadata;
  return { ...pod, metadata: rest };
});

/** Both mutations of the clients of components. */
export function withBoth(one: Mutation, other: Mutation): Mutation {
  return {
    client: (client, component) => {
      const changed = one.client?.(client, component) ?? client;
      return other.client?.(changed, component) ?? changed;
    },
  };
}

/** Changes the objects of a resource as the Deployment controller reads them. */
function misreading<R extends StoredObject>(resource: Resource<R>, read: (object: R) => R): Mutation {
  const misread = <T>(object: T): T => read(object as unknown as R) as unknown as T;
  const isMisread = ({ collection }: { readonly collection: string }) =>
    collection === qualifiedName(resource);
  return {
    client: (inner, component) =>
      component !== "deployment"
        ? inner
        : interceptClient(inner, {
            async call<T>(
              call: Parameters<typeof isMisread>[0] & { readonly verb: string },
              send: () => Promise<T>,
            ) {
              const answer = await send();
              if (call.verb !== "list" || !isMisread(call)) return answer;
              const { items, ...rest } = answer as ListResult<R>;
              return { ...rest, items: items.map(misread) } as T;
            },
            async *watch(call, { open }) {
              for await (const event of open())
                yield event.type === "BOOKMARK" || !isMisread(call)
                  ? event
                  : { ...event, object: misread(event.object) };
            },
          }),
  };
}
