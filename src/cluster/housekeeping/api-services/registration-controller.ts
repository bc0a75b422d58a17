import { deepEqual } from "../../../api/deep-equal.ts";
import type { APIService } from "../../../api/generated/apiregistration-v1.ts";
import { hasCause, isAlreadyExists, isConflict, isNotFound } from "../../../machinery/client/api-error.ts";
import type { Client } from "../../../machinery/client/client.ts";
import { type ControllerSpec, done, type WatchSource } from "../../../machinery/controller.ts";
import { apiServicesCollection } from "../../apiserver/aggregation/aggregated-api.ts";
import {
  apiServiceName,
  apiServices,
  automanagedLabel,
  localApiService,
} from "../../apiserver/aggregation/local-api-service.ts";
import { isBuiltInGroup } from "../../apiserver/aggregation/local-priorities.ts";
import { derivedFrom, type KindRegistry } from "../../apiserver/kind-registry.ts";
import type { Store } from "../../store/store.ts";

export interface RegistrationDependencies {
  readonly client: Client;
  readonly store: Store;
  readonly kinds: KindRegistry;
}

/**
 * Keeps an APIService for each version of a group that custom resource definitions serve. One that a user made, and that
 * does not have our label, is left alone.
 */
export function apiServiceRegistrationController(dependencies: RegistrationDependencies): ControllerSpec {
  const { client, store } = dependencies;
  const served = servedByName(dependencies.kinds);
  return {
    name: "apiservice-registration",
    workers: 1,
    watches: [watchServed(dependencies, served)],
    ignores: (error) => isNotFound(error) || hasCause(error, "UIDMismatch"),

    async reconcile(name, signal) {
      const stored = store.collection(apiServicesCollection).get(name)?.object as APIService | undefined;
      const groupVersion = served().get(name);
      if (stored === undefined) {
        if (groupVersion === undefined) return done;
        await client
          .create(apiServices, localApiService(groupVersion, "true"), { signal })
          .catch(unlessExists);
        return done;
      }
      if (stored.metadata.labels?.[automanagedLabel] !== "true") return done;
      if (groupVersion === undefined) {
        const { uid } = stored.metadata;
        await client.delete(apiServices, { name }, { preconditions: { uid }, signal });
        return done;
      }
      const { spec } = localApiService(groupVersion, "true");
      if (deepEqual(spec, stored.spec)) return done;
      try {
        await client.update(apiServices, { ...stored, spec }, { signal });
      } catch (error) {
        if (!isConflict(error)) throw error;
        return { requeueAfterMs: 1 };
      }
      return done;
    },
  };
}

function unlessExists(error: unknown): void {
  if (!isAlreadyExists(error)) throw error;
}

interface ServedVersion {
  readonly group: string;
  readonly version: string;
}

/** Returns the group versions of custom resources by the names of their APIServices. */
function servedByName(kinds: KindRegistry): () => ReadonlyMap<string, ServedVersion> {
  return derivedFrom(
    kinds,
    (all) =>
      new Map(
        all
          .filter(({ group }) => !isBuiltInGroup(group))
          .map(({ group, version }) => [apiServiceName({ group, version }), { group, version }]),
      ),
  );
}

/** Enqueues group versions as they come and go, and APIServices as they change. */
function watchServed(
  { store, kinds }: RegistrationDependencies,
  served: () => ReadonlyMap<string, ServedVersion>,
): WatchSource {
  return {
    synced: () => Promise.resolve(true),
    start(queue) {
      const collection = store.collection(apiServicesCollection);
      let before: ReadonlyMap<string, ServedVersion> = new Map();
      const enqueueChanged = () => {
        const now = served();
        for (const name of now.keys()) if (!before.has(name)) queue.add(name);
        for (const name of before.keys()) if (!now.has(name)) queue.add(name);
        before = now;
      };
      for (const { key, object } of collection.records())
        if (object.metadata.labels?.[automanagedLabel] === "true") queue.add(key);
      enqueueChanged();
      const stops = [
        kinds.subscribe(enqueueChanged),
        collection.subscribe({ of: "all" }, (events) => {
          for (const { record } of events) queue.add(record.key);
        }),
      ];
      return () => stops.forEach((stop) => stop());
    },
  };
}
