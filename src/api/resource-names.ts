import { qualifiedNameProblems } from "./labels/label-syntax.ts";

/** Whether a resource is a huge page size. */
export function isHugePages(name: string): boolean {
  return name.startsWith("hugepages-");
}

/** Whether a resource is native: its name has no prefix, or one of kubernetes.io. */
export function isNativeResource(name: string): boolean {
  return !name.includes("/") || name.includes("kubernetes.io/");
}

/** Whether a resource is an extended resource, which is counted in integers. */
export function isExtendedResource(name: string): boolean {
  if (isNativeResource(name) || name.startsWith("requests.")) return false;
  return qualifiedNameProblems(`requests.${name}`).length === 0;
}
