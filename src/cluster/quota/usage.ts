import type { PersistentVolumeClaim, Pod, Service } from "../../api/generated/core-v1.ts";
import type { JsonObject } from "../../api/json.ts";
import { isHugePages } from "../../api/resource-names.ts";
import type { Sent } from "../../api/sent.ts";
import { parseQuantity, type Quantity, zero } from "../../api/quantity/quantity.ts";
import { isTerminal } from "../../api/pod-state.ts";
import { type Instant, parseTime } from "../../api/time.ts";
import { formerClassAnnotation } from "../../api/volume-names.ts";
import { type Amounts, count, one } from "./amounts.ts";
import { podTotals } from "./pod-totals.ts";

/** The collections that quotas never count. */
const uncounted: ReadonlySet<string> = new Set(["events", "bindings"]);

/** Collections whose objects are also counted by the name of the collection alone. */
const countedByName: ReadonlySet<string> = new Set([
  "services",
  "configmaps",
  "secrets",
  "replicationcontrollers",
  "resourcequotas",
  "persistentvolumeclaims",
]);

/** Returns what an object of a collection uses of the quotas of its namespace. */
export function usageOf(collection: string, object: JsonObject, now: Instant): Amounts {
  const usage = new Map<string, Quantity>();
  if (uncounted.has(collection)) return usage;
  usage.set(`count/${collection}`, one);
  if (countedByName.has(collection)) usage.set(collection, one);
  switch (collection) {
    case "pods":
      return addPod(usage, object as unknown as Pod, now);
    case "services":
      return addService(usage, object);
    case "persistentvolumeclaims":
      return addClaim(usage, object);
    default:
      return usage;
  }
}

/** Reports whether a Pod is charged: it has not ended, and its kubelet should not have removed it by now. */
export function isCharged(pod: Pod, now: Instant): boolean {
  if (isTerminal(pod)) return false;
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = pod.metadata;
  const deadline = parseTime(deletionTimestamp);
  // The timestamp includes the grace period; upstream grants it a second time.
  return deadline === undefined || now <= deadline + deletionGracePeriodSeconds * 1000;
}

const standard: ReadonlySet<string> = new Set(["cpu", "memory", "ephemeral-storage"]);

function addPod(usage: Map<string, Quantity>, pod: Pod, now: Instant): Amounts {
  if (!isCharged(pod, now)) return usage;
  usage.set("pods", one);
  for (const [name, amount] of podTotals(pod.spec, "requests")) {
    if (standard.has(name) || isHugePages(name)) usage.set(name, amount);
    if (standard.has(name) || isHugePages(name) || isExtended(name)) usage.set(`requests.${name}`, amount);
  }
  for (const [name, amount] of podTotals(pod.spec, "limits"))
    if (standard.has(name)) usage.set(`limits.${name}`, amount);
  return usage;
}

const isExtended = (name: string) => name.includes("/") && !name.startsWith("kubernetes.io/");

function addService(usage: Map<string, Quantity>, { spec = {} }: Sent<Service>): Amounts {
  const { type, ports = [], allocateLoadBalancerNodePorts = true } = spec;
  const taken = ports.filter(({ nodePort = 0 }) => nodePort > 0).length;
  if (type === "NodePort") usage.set("services.nodeports", count(ports.length));
  if (type === "LoadBalancer") {
    usage.set("services.loadbalancers", one);
    usage.set("services.nodeports", count(allocateLoadBalancerNodePorts ? ports.length : taken));
  }
  return usage;
}

function addClaim(
  usage: Map<string, Quantity>,
  { spec = {}, metadata }: Sent<PersistentVolumeClaim>,
): Amounts {
  const storage = parseQuantity(spec.resources?.requests?.["storage"]) ?? zero;
  usage.set("requests.storage", storage);
  const storageClass = spec.storageClassName ?? metadata?.annotations?.[formerClassAnnotation] ?? "";
  if (storageClass === "") return usage;
  const prefix = `${storageClass}.storageclass.storage.k8s.io`;
  usage.set(`${prefix}/persistentvolumeclaims`, one);
  usage.set(`${prefix}/requests.storage`, storage);
  return usage;
}

const podResource = /^(pods|cpu|memory|ephemeral-storage|hugepages-.*|limits\..*|requests\..*)$/;
const storageResource = /(^requests\.storage|\.storageclass\.storage\.k8s\.io\/[a-z.]+)$/;

/** Returns the collection whose objects use a resource of a quota; `undefined` when none does. */
export function collectionOfResource(resource: string): string | undefined {
  if (resource.startsWith("count/")) return resource.slice("count/".length);
  if (storageResource.test(resource)) return "persistentvolumeclaims";
  if (podResource.test(resource)) return "pods";
  if (resource.startsWith("services.")) return "services";
  return countedByName.has(resource) ? resource : undefined;
}
