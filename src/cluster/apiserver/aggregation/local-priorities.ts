import type { GroupVersion } from "../discovery/listed-resource.ts";

/** The priorities of a group version in discovery: higher numbers come first. */
export interface Priorities {
  readonly groupPriority: number;
  readonly versionPriority: number;
}

/** The priorities of Kubernetes' groups; the priority of a version is 15 unless it is named here. */
const groups: ReadonlyMap<string, number> = new Map([
  ["", 18_000],
  ["apiregistration.k8s.io", 18_000],
  ["apps", 17_800],
  ["events.k8s.io", 17_750],
  ["authentication.k8s.io", 17_700],
  ["authorization.k8s.io", 17_600],
  ["autoscaling", 17_500],
  ["batch", 17_400],
  ["certificates.k8s.io", 17_300],
  ["networking.k8s.io", 17_200],
  ["policy", 17_100],
  ["rbac.authorization.k8s.io", 17_000],
  ["storage.k8s.io", 16_800],
  ["admissionregistration.k8s.io", 16_700],
  ["apiextensions.k8s.io", 16_700],
  ["scheduling.k8s.io", 16_600],
  ["coordination.k8s.io", 16_500],
  ["node.k8s.io", 16_300],
  ["discovery.k8s.io", 16_200],
]);
const versions: ReadonlyMap<string, number> = new Map([
  ["/v1", 1],
  ["autoscaling/v2", 30],
]);

/** The groups that are served without custom resource definitions, though Kubernetes itself does not have them. */
const extensions: ReadonlySet<string> = new Set(["metrics.k8s.io"]);

/** Returns the priorities of a group version that this server has. */
export function localPriorities({ group, version }: Pick<GroupVersion, "group" | "version">): Priorities {
  const groupPriority = groups.get(group);
  if (groupPriority !== undefined)
    return { groupPriority, versionPriority: versions.get(`${group}/${version}`) ?? 15 };
  return { groupPriority: extensions.has(group) ? 100 : 1000, versionPriority: 100 };
}

/** Reports whether a group is served from the start. */
export function isBuiltInGroup(group: string): boolean {
  return groups.has(group) || extensions.has(group);
}
