import type { APIService } from "../../../api/generated/apiregistration-v1.ts";
import type { Service } from "../../../api/generated/core-v1.ts";
import type { EndpointSlice } from "../../../api/generated/discovery-v1.ts";
import { qualifiedName } from "../../../api/resource.ts";
import { endpointSlices } from "../../../api/resources.ts";
import { serviceNameLabel } from "../../../api/well-known.ts";
import { isConflict, isNotFound } from "../../../machinery/client/api-error.ts";
import type { Client } from "../../../machinery/client/client.ts";
import type { Clock } from "../../../machinery/clock/clock.ts";
import { type ControllerSpec, done, type WatchSource } from "../../../machinery/controller.ts";
import { apiServicesCollection, serviceNamed } from "../../apiserver/aggregation/aggregated-api.ts";
import type { Aggregator } from "../../apiserver/aggregation/aggregator.ts";
import { apiServices } from "../../apiserver/aggregation/local-api-service.ts";
import { localCondition } from "../../apiserver/kinds/api-service/strategy.ts";
import type { Store, StoreRecord } from "../../store/store.ts";
import {
  type ApiServiceAvailability,
  failedDiscovery,
  allChecksPassed,
  unreachable,
  withAvailability,
} from "./plan-availability.ts";

export interface AvailabilityDependencies {
  readonly client: Client;
  readonly clock: Clock;
  readonly store: Store;
  readonly aggregator: Pick<Aggregator, "find" | "probe" | "readOpenApi">;
}

/** How often an extension API server is asked again, for what it serves and whether it does. */
const recheckMs = 30_000;
/** How soon a server that did not answer is asked again. */
const retryMs = 5000;

const slicesCollection = qualifiedName(endpointSlices);

/** Keeps the `Available` condition of APIServices, and what discovery lists of their servers. */
export function apiServiceAvailabilityController(dependencies: AvailabilityDependencies): ControllerSpec {
  const { store } = dependencies;
  return {
    name: "apiservice-availability",
    workers: 4,
    watches: [watchApiServices(store), watchServices(store), watchSlices(store)],
    ignores: isNotFound,

    async reconcile(name, signal) {
      const before = storedApiService(store, name);
      if (before === undefined) return done;
      const availability = await availabilityOf(dependencies, before);
      // The APIService may have changed while its server was asked.
      const apiService = storedApiService(store, name);
      if (apiService === undefined) return done;
      if (apiService.spec !== before.spec) return { requeueAfterMs: 1 };
      if (!(await writeAvailability(dependencies, { apiService, availability, signal })))
        return { requeueAfterMs: 1 };
      if (apiService.spec.service === undefined) return done;
      if (availability.status === "True") await readOpenApi(dependencies, apiService);
      return { requeueAfterMs: availability.reason === "FailedDiscoveryCheck" ? retryMs : recheckMs };
    },
  };
}

interface Finding {
  readonly apiService: APIService;
  readonly availability: ApiServiceAvailability;
  readonly signal: AbortSignal;
}

/** Writes a condition unless it is there; `false` when the object has changed meanwhile. */
async function writeAvailability(
  { client, clock }: AvailabilityDependencies,
  { apiService, availability, signal }: Finding,
): Promise<boolean> {
  const stored = apiService.status?.conditions ?? [];
  const conditions = withAvailability(stored, availability, clock.now());
  if (conditions === stored) return true;
  try {
    const next = { ...apiService, status: { ...apiService.status, conditions } };
    await client.update(apiServices, next, { subresource: "status", signal });
    return true;
  } catch (error) {
    if (!isConflict(error)) throw error;
    return false;
  }
}

// A collection holds only objects of its resource.
function storedApiService(store: Store, name: string): APIService | undefined {
  return store.collection(apiServicesCollection).get(name)?.object as APIService | undefined;
}

async function availabilityOf(
  { store, aggregator }: AvailabilityDependencies,
  { spec }: APIService,
): Promise<ApiServiceAvailability> {
  const { group = "", version = "" } = spec;
  if (spec.service === undefined) return localCondition;
  const named = serviceNamed(spec.service);
  const { namespace, name } = named;
  const problem = unreachable({
    ...named,
    service: store.collection("services").get(`${namespace}/${name}`)?.object as Service | undefined,
    slices: slicesOf(store, namespace, name),
  });
  if (problem !== undefined) return problem;
  const api = aggregator.find(group, version);
  if (api === undefined) return failedDiscovery("the core group cannot be another server's");
  const probe = await aggregator.probe(api);
  return probe.ok ? allChecksPassed : failedDiscovery(probe.why);
}

async function readOpenApi({ aggregator }: AvailabilityDependencies, { spec }: APIService): Promise<void> {
  const api = aggregator.find(spec.group ?? "", spec.version ?? "");
  if (api !== undefined) await aggregator.readOpenApi(api);
}

function slicesOf(store: Store, namespace: string, name: string): readonly EndpointSlice[] {
  return [...store.collection(slicesCollection).records({ namespace })]
    .map(({ object }) => object as unknown as EndpointSlice)
    .filter(({ metadata }) => metadata.labels?.[serviceNameLabel] === name);
}

function watchApiServices(store: Store): WatchSource {
  return watchOf(store, apiServicesCollection, ({ key }) => [key]);
}

function watchServices(store: Store): WatchSource {
  return watchOf(store, "services", ({ object }) =>
    referring(store, object.metadata.namespace, object.metadata.name),
  );
}

function watchSlices(store: Store): WatchSource {
  return watchOf(store, slicesCollection, ({ object }) => {
    const name = object.metadata.labels?.[serviceNameLabel];
    return name === undefined ? [] : referring(store, object.metadata.namespace, name);
  });
}

/** Returns the APIServices that refer to a Service; mostly there are none. */
function referring(store: Store, namespace: string | undefined, name: string): readonly string[] {
  return [...store.collection(apiServicesCollection).records()].flatMap(({ key, object }) => {
    const { service } = (object as unknown as APIService).spec;
    return service !== undefined && service.name === name && service.namespace === namespace ? [key] : [];
  });
}

function watchOf(
  store: Store,
  name: string,
  keysOf: (record: StoreRecord) => readonly string[],
): WatchSource {
  return {
    synced: () => Promise.resolve(true),
    start(queue) {
      const collection = store.collection(name);
      if (name === apiServicesCollection) for (const { key } of collection.records()) queue.add(key);
      return collection.subscribe({ of: "all" }, (events) => {
        for (const { record } of events) for (const key of keysOf(record)) queue.add(key);
      });
    },
  };
}
