import { defaultFeatureGates } from "../api/feature-gates.ts";
import type { JsonObject } from "../api/json.ts";
import { type Draft, keyOf, type StoredObject } from "../api/object.ts";
import { apiVersionOf, qualifiedName, type Resource } from "../api/resource.ts";
import { createApiServer } from "../cluster/apiserver/create-api-server.ts";
import { MemoryStore } from "../cluster/store/memory-store.ts";
import { VirtualClock } from "../machinery/clock/virtual-clock.ts";
import { silentLogger } from "../machinery/log/logger.ts";
import { seededRandom } from "../machinery/random/random.ts";
import { deepFreeze } from "./deep-freeze.ts";
import { observeClient, type ObservedClient } from "./observe-client.ts";

/** An API server for one test, and a client whose requests the test can read, and make fail or wait. */
export interface TestApi extends ObservedClient {
  readonly clock: VirtualClock;
  readonly store: MemoryStore;
  /** Fails the next requests, each with one of the errors in turn. */
  readonly failNext: (...errors: readonly Error[]) => void;
  /**
   * Stores an object as it is, as if it had been there before; a UID is made of its name unless it has one. Neither its
   * namespace has to exist nor is it validated.
   */
  readonly seed: <T extends StoredObject>(resource: Resource<T>, object: Draft<T>) => T;
}

/** The API server of the embedded cluster over an empty store, in process, without any component. */
export function testApi(clock: VirtualClock = new VirtualClock()): TestApi {
  const store = new MemoryStore({ clock, transformObject: deepFreeze });
  const gates = () => defaultFeatureGates;
  const { client } = createApiServer({
    clock,
    random: seededRandom("api"),
    store,
    gates,
    log: silentLogger,
  });
  const observed = observeClient(client);
  const failures: Error[] = [];
  observed.failRequests(() => failures.shift());
  return {
    ...observed,
    clock,
    store,
    failNext: (...errors) => void failures.push(...errors),
    seed<T extends StoredObject>(resource: Resource<T>, object: Draft<T>): T {
      const { name = "" } = object.metadata;
      const metadata = { uid: `uid-of-${name}`, ...object.metadata };
      const stored = { apiVersion: apiVersionOf(resource), kind: resource.kind, ...object, metadata };
      const key = keyOf({ metadata: { ...object.metadata, name } });
      const { record } = store.collection(qualifiedName(resource)).put(key, stored as unknown as JsonObject);
      return record.object as unknown as T;
    },
  };
}
