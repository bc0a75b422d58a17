import { deepEqual } from "../../../api/deep-equal.ts";
import type { EndpointAddress, Endpoints, EndpointSubset, Service } from "../../../api/generated/core-v1.ts";
import type { ObjectMeta } from "../../../api/generated/meta-v1.ts";
import { type Draft, isBeingDeleted, keyOf } from "../../../api/object.ts";
import { endpoints as resource } from "../../../api/resources.ts";
import { isNotFound } from "../../../machinery/client/api-error.ts";
import type { Client } from "../../../machinery/client/client.ts";
import { type ControllerSpec, done, watching } from "../../../machinery/controller.ts";
import type { Informer } from "../../../machinery/informer/informer.ts";
import { ReadYourWrites } from "../../../machinery/read-your-writes.ts";
import type { PortedEndpoint } from "./endpoint-of-pod.ts";
import {
  endpointsOf,
  hasSelector,
  indexServicePods,
  labelsOfEndpoints,
  type ServicePods,
  watchServicePods,
} from "./service-pods.ts";

export interface EndpointsDependencies extends ServicePods {
  readonly client: Client;
  readonly endpoints: Informer<Endpoints>;
}

const managedByLabel = "endpoints.kubernetes.io/managed-by";
const manager = "endpoint-controller";
const capacityAnnotation = "endpoints.kubernetes.io/over-capacity";
const mostAddresses = 1000;

/** Keeps the Endpoints of Services with a selector in line with their Pods, for clients that do not read EndpointSlices. */
export function endpointsController(deps: EndpointsDependencies): ControllerSpec {
  const { client, services, pods, nodes, endpoints } = deps;
  indexServicePods(deps);
  const written = new ReadYourWrites([endpoints]);

  return {
    name: "endpoint",
    workers: 2,
    written,
    watches: [
      ...watchServicePods({ services, pods }),
      watching(services, (queue) => ({ deleted: (service) => queue.add(keyOf(service)) })),
      watching(endpoints, (queue) => {
        const enqueue = (object: Endpoints) => queue.add(keyOf(object));
        return { updated: (_old, object) => enqueue(object), deleted: enqueue };
      }),
      nodes,
    ],
    ignores: isNotFound,

    async reconcile(key, signal) {
      const service = services.get(key);
      const stored = endpoints.get(key);
      if (service === undefined || isBeingDeleted(service)) {
        if (stored !== undefined && isOurs(stored)) {
          const { metadata } = stored;
          await client.delete(resource, metadata, { preconditions: { uid: metadata.uid }, signal });
        }
        return done;
      }
      if (!hasSelector(service)) return done; // without a selector, the user writes the Endpoints
      const wanted = contentOf(service, endpointsOf(service, deps));
      if (stored !== undefined && isSame(stored, wanted)) return done;
      const { metadata } =
        stored === undefined
          ? await client.create(resource, draftOf(service, wanted), { signal })
          : await client.update(resource, { ...stored, ...contentFor(stored.metadata, wanted) }, { signal });
      written.record({ key, uid: service.metadata.uid }, resource, metadata.resourceVersion);
      return done;
    },
  };
}

interface Content extends Required<Pick<Endpoints, "subsets">> {
  readonly labels: Readonly<Record<string, string>>;
  /** Whether addresses were left out. */
  readonly isTruncated: boolean;
}

/** Returns the addresses of a Service, grouped by their ports: at most a thousand, ready ones before the others. */
export function contentOf(service: Service, endpoints: readonly PortedEndpoint[]): Content {
  const told = endpoints.filter(({ endpoint }) => isTold(service, endpoint.conditions));
  const ready = told.filter(({ endpoint }) => endpoint.conditions?.ready === true);
  const others = told.filter(({ endpoint }) => endpoint.conditions?.ready !== true);
  const kept = new Set([...ready, ...others].slice(0, mostAddresses));
  const groups = new Map<string, PortedEndpoint[]>();
  for (const each of told.filter((one) => kept.has(one))) {
    const group = JSON.stringify(each.ports);
    groups.set(group, [...(groups.get(group) ?? []), each]);
  }
  return {
    labels: { ...labelsOfEndpoints(service), [managedByLabel]: manager },
    isTruncated: kept.size < told.length,
    subsets: [...groups.values()].map(subsetOf),
  };
}

/**
 * Reports whether an endpoint is listed: a terminating Pod is not, unless the Service publishes addresses that are not
 * ready.
 */
function isTold({ spec }: Service, conditions: PortedEndpoint["endpoint"]["conditions"]): boolean {
  return spec.publishNotReadyAddresses === true || conditions?.terminating !== true;
}

function subsetOf(group: readonly PortedEndpoint[]): EndpointSubset {
  const isReady = ({ endpoint }: PortedEndpoint) => endpoint.conditions?.ready === true;
  const addresses = group.filter(isReady).map(addressOf);
  const notReadyAddresses = group.filter((each) => !isReady(each)).map(addressOf);
  const ports =
    group[0]?.ports.flatMap(({ port, ...rest }) => (port === undefined ? [] : [{ ...rest, port }])) ?? [];
  return {
    ...(addresses.length > 0 && { addresses }),
    ...(notReadyAddresses.length > 0 && { notReadyAddresses }),
    ...(ports.length > 0 && { ports }),
  };
}

function addressOf({
  endpoint: { addresses, hostname, nodeName, targetRef },
}: PortedEndpoint): EndpointAddress {
  return {
    ip: addresses[0] ?? "",
    ...(hostname !== undefined && { hostname }),
    ...(nodeName !== undefined && { nodeName }),
    ...(targetRef !== undefined && { targetRef }),
  };
}

function draftOf({ metadata: { name, namespace } }: Service, wanted: Content): Draft<Endpoints> {
  return contentFor({ name, ...(namespace !== undefined && { namespace }) }, wanted);
}

/** Returns the Endpoints with the labels of the Service; other annotations stay. */
function contentFor<T extends ObjectMeta>(metadata: T, { labels, subsets, isTruncated }: Content) {
  const { [capacityAnnotation]: _, ...others } = metadata.annotations ?? {};
  const annotations = isTruncated ? { ...others, [capacityAnnotation]: "truncated" } : others;
  return { metadata: { ...metadata, labels, annotations }, subsets };
}

function isSame({ metadata, subsets = [] }: Endpoints, wanted: Content): boolean {
  const isTruncated = metadata.annotations?.[capacityAnnotation] === "truncated";
  return deepEqual(
    { labels: metadata.labels ?? {}, subsets, isTruncated },
    { labels: wanted.labels, subsets: wanted.subsets, isTruncated: wanted.isTruncated },
  );
}

/**
 * Reports whether this controller wrote the Endpoints; those of a Service without a selector belong to their writer.
 */
function isOurs({ metadata }: Endpoints): boolean {
  return metadata.labels?.[managedByLabel] === manager;
}
