import type { Node, Pod, Service } from "../../../api/generated/core-v1.ts";
import { keyOf } from "../../../api/object.ts";
import { type KeyQueue, watching } from "../../../machinery/controller.ts";
import type { Informer, ResourceEventHandler } from "../../../machinery/informer/informer.ts";
import { indexByNamespace, objectsInNamespace } from "../../../machinery/ownership/owner-index.ts";
import { endpointOfPod, type PortedEndpoint } from "./endpoint-of-pod.ts";

/** Where the Pods of Services are found. */
export interface ServicePods {
  readonly services: Informer<Service>;
  readonly pods: Informer<Pod>;
  readonly nodes: Informer<Node>;
}

/** Lets the Pods and Services of a namespace be found without a look at all others. */
export function indexServicePods({ services, pods }: Pick<ServicePods, "services" | "pods">): void {
  indexByNamespace(services);
  indexByNamespace(pods);
}

/** The endpoints of a Service, by the names of their Pods. */
export function endpointsOf(service: Service, { pods, nodes }: ServicePods): readonly PortedEndpoint[] {
  return objectsInNamespace(pods, service.metadata.namespace)
    .filter((pod) => selects(service, pod))
    .flatMap((pod) => endpointOfPod(service, pod, nodes.get(pod.spec.nodeName ?? "")) ?? [])
    .toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

const nameOf = ({ endpoint }: PortedEndpoint): string => endpoint.targetRef?.name ?? "";

/** The labels of a Service as its endpoints have them: which of them are headless is known by a label. */
export function labelsOfEndpoints({ metadata, spec }: Service): Readonly<Record<string, string>> {
  return { ...metadata.labels, ...(spec.clusterIP === "None" && { "service.kubernetes.io/headless": "" }) };
}

/** Enqueues the Services that changed, and those whose Pods did. */
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

/** Whether the Pods of a Service are found by its selector. */
export function hasSelector({ spec }: Service): boolean {
  return spec.type !== "ExternalName" && Object.keys(spec.selector ?? {}).length > 0;
}

function selects(service: Service, { metadata: { labels = {} } }: Pod): boolean {
  if (!hasSelector(service)) return false;
  return Object.entries(service.spec.selector ?? {}).every(([key, value]) => labels[key] === value);
}
