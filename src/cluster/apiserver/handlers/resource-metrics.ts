import { isConditionTrue } from "../../../api/conditions.ts";
import { formatDuration } from "../../../api/duration.ts";
import type { Node, Pod } from "../../../api/generated/core-v1.ts";
import { formatQuantity } from "../../../api/quantity/format-quantity.ts";
import { apiVersionOf, qualifiedName } from "../../../api/resource.ts";
import { nodes, pods } from "../../../api/resources.ts";
import { formatTime, type Instant } from "../../../api/time.ts";
import { yieldIfDue } from "../../../machinery/clock/run-in-steps.ts";
import { loadsOfStore } from "../../simulated-metrics/load-objects.ts";
import { measuringWindowMs } from "../../simulated-metrics/measured-pod.ts";
import { podUsage, type NamespaceUsage } from "../../simulated-metrics/pod-usage.ts";
import type { StoredJson } from "../../store/store.ts";
import type { ApiRequest } from "../request/api-request.ts";
import type { ApiResponse } from "../request/api-response.ts";
import { requestSelection } from "../request/selection.ts";
import type { ServedResource } from "../served-resource.ts";
import type { ServerContext } from "../server-context.ts";
import { notFoundError } from "../status-errors.ts";
import { withBytes } from "../storage/served-object.ts";

/** The group of the resource metrics API, whose objects are computed when they are read. */
export const resourceMetricsGroup = "metrics.k8s.io";

/** Handles gets and lists of the simulated use of Pods and nodes (upstream: metrics-server). */
export async function resourceMetrics(context: ServerContext, request: ApiRequest): Promise<ApiResponse> {
  const { resource, namespace, name } = request;
  if (name !== undefined) {
    const found = await firstOf(metricsOf(context, request));
    const kind = { group: resource.group, plural: resource.kind.toLowerCase() };
    if (found === undefined)
      throw notFoundError(kind, namespace === undefined ? name : `${namespace}/${name}`);
    return { kind: "object", code: 200, item: withBytes(found) };
  }
  const selection = requestSelection(request);
  const items: ReturnType<typeof withBytes>[] = [];
  for await (const object of metricsOf(context, request)) {
    await yieldIfDue(context.clock);
    if (selection.matches(object)) items.push(withBytes(object));
  }
  return { kind: "list", resource, items, metadata: {} };
}

async function firstOf(objects: AsyncIterable<StoredJson>): Promise<StoredJson | undefined> {
  for await (const object of objects) return object;
  return undefined;
}

type Metrics = AsyncIterable<StoredJson>;

function metricsOf(context: ServerContext, request: ApiRequest): Metrics {
  return request.resource.kind === "PodMetrics"
    ? podMetrics(context, request)
    : nodeMetrics(context, request);
}

async function* podMetrics(context: ServerContext, { resource, namespace, name }: ApiRequest): Metrics {
  const now = context.clock.now();
  const usageOf = usagesOf(context, now);
  for (const pod of storedPods(context, namespace, name)) {
    const containers = containersOf(pod, usageOf(pod));
    if (containers !== undefined) yield measured(resource, pod, { now, content: { containers } });
  }
}

async function* nodeMetrics(context: ServerContext, { resource, name }: ApiRequest): Metrics {
  const now = context.clock.now();
  const used = await usedByNode(context, now);
  for (const { object } of context.store.collection(qualifiedName(nodes)).snapshot().records()) {
    // A collection holds only objects of its resource.
    const node = object as unknown as Node;
    const isAsked = name === undefined || name === node.metadata.name;
    if (!isAsked || !isConditionTrue(node.status?.conditions, "Ready")) continue;
    const { cpu = 0, memory = 0 } = used.get(node.metadata.name) ?? {};
    yield measured(resource, node, { now, content: { usage: amounts(cpu, memory) } });
  }
}

interface Used {
  readonly cpu: number;
  readonly memory: number;
}

async function usedByNode(context: ServerContext, now: Instant): Promise<ReadonlyMap<string, Used>> {
  const usageOf = usagesOf(context, now);
  const used = new Map<string, Used>();
  for (const pod of storedPods(context)) {
    await yieldIfDue(context.clock);
    const { nodeName = "" } = pod.spec;
    const { cpu, memory } = usageOf(pod);
    const sum = used.get(nodeName) ?? { cpu: 0, memory: 0 };
    used.set(nodeName, { cpu: sum.cpu + (cpu(pod) ?? 0), memory: sum.memory + (memory(pod) ?? 0) });
  }
  return used;
}

function* storedPods({ store }: ServerContext, namespace?: string, name?: string): Iterable<Pod> {
  const collection = store.collection(qualifiedName(pods));
  if (name === undefined) {
    // The loop yields to other requests between two Pods, and a tree cannot be walked while it is written to.
    for (const { object } of collection.snapshot().records({ namespace })) yield object as unknown as Pod;
    return;
  }
  const found = collection.get(`${namespace ?? ""}/${name}`);
  if (found !== undefined) yield found.object as unknown as Pod;
}

/** Readers of a Pod's usage, for one container or for all. */
interface UsageReaders {
  readonly cpu: ReturnType<NamespaceUsage["reader"]>;
  readonly memory: ReturnType<NamespaceUsage["reader"]>;
  readonly of: (container: string) => Omit<UsageReaders, "of">;
}

/** Returns readers of the usage of each namespace's Pods, created once per request. */
function usagesOf({ store }: ServerContext, now: Instant): (pod: Pod) => UsageReaders {
  const objects = loadsOfStore(store);
  const byNamespace = new Map<string, UsageReaders>();
  return ({ metadata: { namespace = "" } }) => {
    const known = byNamespace.get(namespace) ?? readersOf(podUsage(objects, namespace, now));
    byNamespace.set(namespace, known);
    return known;
  };
}

function readersOf(usage: NamespaceUsage): UsageReaders {
  const readers = (container?: string) => ({
    cpu: usage.reader("cpu", container),
    memory: usage.reader("memory", container),
  });
  const byContainer = new Map<string, Omit<UsageReaders, "of">>();
  return {
    ...readers(),
    of(container) {
      const known = byContainer.get(container) ?? readers(container);
      byContainer.set(container, known);
      return known;
    },
  };
}

/** Returns the usage of a Pod's containers; `undefined` while it is not measured. */
function containersOf(pod: Pod, { cpu, memory, of }: UsageReaders) {
  if (cpu(pod) === undefined || memory(pod) === undefined) return undefined;
  return pod.spec.containers.map(({ name }) => ({
    name,
    usage: amounts(of(name).cpu(pod) ?? 0, of(name).memory(pod) ?? 0),
  }));
}

/** Returns amounts as metrics-server writes them: CPU to the nanocore, memory in whole Ki. */
function amounts(cpu: number, memory: number) {
  const kilobytes = BigInt(Math.ceil(memory / 1024));
  return {
    cpu: formatQuantity({ nanos: BigInt(Math.round(cpu * 1e9)), format: "decimal" }),
    memory: formatQuantity({ nanos: kilobytes * 1024n * 1_000_000_000n, format: "binary" }),
  };
}

function measured(
  resource: ServedResource,
  { metadata: { name, namespace, labels } }: Pod | Node,
  { now, content }: { readonly now: Instant; readonly content: object },
): StoredJson {
  const object = {
    kind: resource.kind,
    apiVersion: apiVersionOf(resource),
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      creationTimestamp: formatTime(now),
      ...(labels !== undefined && { labels }),
    },
    timestamp: formatTime(now),
    window: formatDuration(measuringWindowMs),
    ...content,
  };
  // It is never stored, so it has neither UID nor version.
  return object as unknown as StoredJson;
}
