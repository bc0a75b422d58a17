import type { Node, Pod, Service } from "../../../api/generated/core-v1.ts";
import { keyOf } from "../../../api/object.ts";
import { type KeyQueue, watching } from "../../../machinery/controller.ts";
import type { Informer, ResourceEventHandler } from "../../../machinery/informer/informer.ts";
import { indexByNamespace, objectsInNamespace } from "../../../machinery/ownership/owner-index.ts";
import { endpointOfPod, type PortedEndpoint } from "./endpoint-of-pod.ts";

/** The informers that find the Pods of Services. */
export interface ServicePods {
  readonly services: Informer<Service>;
  readonly pods: Informer<Pod>;
  readonly nodes: Informer<Node>;
}

/** Indexes Pods and Services by namespace, so that lookups do not read all of them. */
export function indexServicePods({ services, pods }: Pick<ServicePods, "services" | "pods">): void {
  indexByNamespace(services);
  indexByNamespace(pods);
}

/** Returns the endpoints of a Service, ordered by the names of their Pods. */
export function endpointsOf(service: Service, { pods, nodes }: ServicePods): readonly PortedEndpoint[] {
  return objectsInNamespace(pods, service.metadata.namespace)
    .filter((pod) => selects(service, pod))
    .flatMap((pod) => endpointOfPod(service, pod, nodes.get(pod.spec.nodeName ?? "")) ?? [])
    .toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

const nameOf = ({ endpoint }: PortedEndpoint): string => endpoint.targetRef?.name ?? "";

/**
 * Returns the labels that the endpoints of a Service have: those of the Service, and one that marks headless Services.
 */
export function labelsOfEndpoints({ metadata, spec }: Service): Readonly<Record<string, string>> {
  return { ...metadata.labels, ...(spec.clusterIP === "None" && { "service.kubernetes.io/headless": "" }) };
}

/** Enqueues the Services that change, and those whose Pods change. */
export function watchServicePods({ services, pods }: Pick<ServicePods, "services" | "pods">) {
  return [
    watching(services, (queue) => ({
      added: (service) => queue.add(keyOf(service)),
      updated: (_old, service) => queue.add(keyOf(service)),
    })),
    watching(pods, (queue) => podHandler(services, queue)),
  ];
}

function podHandler(services: Informer<Service>, queue: KeyQueue): ResourceEventHandler<Pod> {
  const enqueue = (...versions: readonly Pod[]) => {
    for (const service of objectsInNamespace(services, versions[0]?.metadata.namespace))
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

/** Delays a sync for a moment, so that one sync serves the many Pods that mostly change together. */
const batchMs = 20;

/** Reports whether an update may matter. Objects are immutable, so members that are identical have not changed. */
function mayChangeEndpoint(old: Pod, pod: Pod): boolean {
  return (
    old.metadata.labels !== pod.metadata.labels ||
    old.metadata.deletionTimestamp !== pod.metadata.deletionTimestamp ||
    old.status !== pod.status
  );
}

/** Reports whether a Service finds its Pods by a selector. */
export function hasSelector({ spec }: Service): boolean {
  return spec.type !== "ExternalName" && Object.keys(spec.selector ?? {}).length > 0;
}

function selects(service: Service, { metadata: { labels = {} } }: Pod): boolean {
  if (!hasSelector(service)) return false;
  return Object.entries(service.spec.selector ?? {}).every(([key, value]) => labels[key] === value);
}
