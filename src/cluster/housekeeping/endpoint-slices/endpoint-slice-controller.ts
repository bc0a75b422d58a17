import type { EndpointSlice } from "../../../api/generated/discovery-v1.ts";
import type { Node, Pod, Service } from "../../../api/generated/core-v1.ts";
import { isBeingDeleted, keyOf } from "../../../api/object.ts";
import { controllerReference, isControlledBy } from "../../../api/owner-references.ts";
import { endpointSlices, services as serviceResource } from "../../../api/resources.ts";
import { isNotFound } from "../../../machinery/client/api-error.ts";
import type { Client } from "../../../machinery/client/client.ts";
import { type ControllerSpec, done, type KeyQueue, watching } from "../../../machinery/controller.ts";
import type { Informer, ResourceEventHandler } from "../../../machinery/informer/informer.ts";
import { indexByNamespace, inNamespace } from "../../../machinery/ownership/owner-index.ts";
import { ReadYourWrites } from "../../../machinery/read-your-writes.ts";
import { endpointOfPod } from "./endpoint-of-pod.ts";
import { planSlices, type SliceContent } from "./plan-slices.ts";

export interface EndpointSliceDependencies {
  readonly client: Client;
  readonly services: Informer<Service>;
  readonly pods: Informer<Pod>;
  readonly nodes: Informer<Node>;
  readonly slices: Informer<EndpointSlice>;
}

const serviceNameLabel = "kubernetes.io/service-name";
const managedByLabel = "endpointslice.kubernetes.io/managed-by";
const manager = "endpointslice-controller.k8s.io";
const byService = "service";

/** Keeps the EndpointSlices of Services with a selector in line with their Pods. */
export function endpointSliceController(deps: EndpointSliceDependencies): ControllerSpec {
  const { client, services, pods, nodes, slices } = deps;
  indexByNamespace(services);
  indexByNamespace(pods);
  slices.addIndex(byService, (slice) => (isOurs(slice) ? [serviceKeyOf(slice)] : []));
  const written = new ReadYourWrites([slices]);

  const endpointsOf = (service: Service) =>
    inNamespace(pods, service.metadata.namespace)
      .filter((pod) => selects(service, pod))
      .flatMap((pod) => endpointOfPod(service, pod, nodes.get(pod.spec.nodeName ?? "")) ?? [])
      .toSorted((a, b) => (nameOf(a.endpoint.targetRef) < nameOf(b.endpoint.targetRef) ? -1 : 1));

  return {
    name: "endpoint-slice",
    workers: 2,
    written,
    watches: [
      watching(services, (queue) => ({
        added: (service) => queue.add(keyOf(service)),
        updated: (_old, service) => queue.add(keyOf(service)),
      })),
      watching(pods, (queue) => podHandler(services, queue)),
      watching(slices, (queue) => {
        const enqueue = (slice: EndpointSlice) => {
          if (isOurs(slice)) queue.add(serviceKeyOf(slice));
        };
        return { updated: (_old, slice) => enqueue(slice), deleted: enqueue };
      }),
      nodes,
    ],
    ignores: isNotFound,

    async reconcile(key, signal) {
      const service = services.get(key);
      // The garbage collector removes the slices of a Service that is gone, or is being deleted in the foreground.
      if (service === undefined || isBeingDeleted(service) || !hasSelector(service)) return done;
      const reconciled = { key, uid: service.metadata.uid };
      const known = slices.byIndex(byService, key);
      const own = known.filter((slice) => isControlledBy(slice, service.metadata.uid));
      const plan = planSlices(endpointsOf(service), own);
      // Of an earlier Service of that name.
      const others = known.filter((slice) => !own.includes(slice));
      for (const content of plan.create) {
        const { metadata } = await client.create(endpointSlices, draftOf(service, content), { signal });
        written.record(reconciled, endpointSlices, metadata.resourceVersion);
      }
      for (const { slice, content } of plan.update) {
        const { metadata } = await client.update(endpointSlices, { ...slice, ...content }, { signal });
        written.record(reconciled, endpointSlices, metadata.resourceVersion);
      }
      for (const { metadata } of [...plan.remove, ...others])
        await client.delete(endpointSlices, metadata, { preconditions: { uid: metadata.uid }, signal });
      return done;
    },
  };
}

function draftOf(service: Service, { endpoints, ports }: SliceContent) {
  const { name, namespace, labels = {} } = service.metadata;
  return {
    metadata: {
      generateName: `${name}-`,
      ...(namespace !== undefined && { namespace }),
      labels: { ...labels, [serviceNameLabel]: name, [managedByLabel]: manager },
      ownerReferences: [controllerReference(serviceResource, service)],
    },
    addressType: "IPv4",
    endpoints,
    ports,
  };
}

function podHandler(services: Informer<Service>, queue: KeyQueue): ResourceEventHandler<Pod> {
  const enqueue = (...versions: readonly Pod[]) => {
    for (const service of inNamespace(services, versions[0]?.metadata.namespace))
      if (versions.some((pod) => selects(service, pod))) queue.addAfter(keyOf(service), batchMs);
  };
  return {
    added: enqueue,
    updated: (old, pod) => {
      if (mayChangeEndpoint(old, pod)) enqueue(old, pod);
    },
    deleted: enqueue,
  };
}

/** Pods mostly change many at a time: their events gather for a moment. */
const batchMs = 20;

/** Whether an update may matter: objects are immutable, so parts that are the same object have not changed. */
function mayChangeEndpoint(old: Pod, pod: Pod): boolean {
  return (
    old.metadata.labels !== pod.metadata.labels ||
    old.metadata.deletionTimestamp !== pod.metadata.deletionTimestamp ||
    old.status !== pod.status
  );
}

function hasSelector({ spec }: Service): boolean {
  return spec.type !== "ExternalName" && Object.keys(spec.selector ?? {}).length > 0;
}

function selects(service: Service, { metadata: { labels = {} } }: Pod): boolean {
  if (!hasSelector(service)) return false;
  return Object.entries(service.spec.selector ?? {}).every(([key, value]) => labels[key] === value);
}

function isOurs({ metadata }: EndpointSlice): boolean {
  return metadata.labels?.[managedByLabel] === manager;
}

function serviceKeyOf({ metadata }: EndpointSlice): string {
  return `${metadata.namespace}/${metadata.labels?.[serviceNameLabel]}`;
}

function nameOf(reference: { readonly name?: string } | undefined): string {
  return reference?.name ?? "";
}
