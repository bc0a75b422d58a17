import { qualifiedNameProblems } from "../../../labels/label-syntax.ts";

const containerNames: ReadonlySet<string> = new Set(["cpu", "memory", "ephemeral-storage"]);

// Known to Kubernetes, but only quotas and claims count them.
const otherNames: ReadonlySet<string> = new Set([
  "configmaps",
  "limits.cpu",
  "limits.ephemeral-storage",
  "limits.memory",
  "persistentvolumeclaims",
  "pods",
  "replicationcontrollers",
  "requests.cpu",
  "requests.ephemeral-storage",
  "requests.memory",
  "requests.storage",
  "resourcequotas",
  "secrets",
  "services",
  "services.loadbalancers",
  "services.nodeports",
  "storage",
]);

/** Whether a resource counts memory in huge pages. */
export function isHugePages(name: string): boolean {
  return name.startsWith("hugepages-");
}

/** Whether a resource is one of Kubernetes' own: without a prefix, or with one of kubernetes.io. */
export function isNativeResource(name: string): boolean {
  return !name.includes("/") || name.includes("kubernetes.io/");
}

/** Whether a resource is somebody else's and comes in whole units. */
export function isExtendedResource(name: string): boolean {
  if (isNativeResource(name) || name.startsWith("requests.")) return false;
  return qualifiedNameProblems(`requests.${name}`).length === 0;
}

/** Whether Pods may ask for less of a resource than they may use. */
export function mayBeOvercommitted(name: string): boolean {
  return isNativeResource(name) && !isHugePages(name);
}

/** What is wrong with the name of a resource a container asks for. */
export function containerResourceProblems(name: string): readonly string[] {
  if (containerNames.has(name)) return [];
  const syntax = qualifiedNameProblems(name);
  if (name.includes("/")) {
    const isFine = isNativeResource(name) || isExtendedResource(name);
    return isFine ? syntax : [...syntax, "doesn't follow extended resource name standard"];
  }
  if (isHugePages(name)) return syntax;
  const foreign =
    syntax.length > 0 || otherNames.has(name) ? [] : ["must be a standard resource type or fully qualified"];
  return [...syntax, ...foreign, "must be a standard resource for containers"];
}
