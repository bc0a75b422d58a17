import type { APIService } from "../../../api/generated/apiregistration-v1.ts";
import type { Draft } from "../../../api/object.ts";
import type { Resource } from "../../../api/resource.ts";
import { localPriorities } from "./local-priorities.ts";

export const apiServices: Resource<APIService> = {
  group: "apiregistration.k8s.io",
  version: "v1",
  kind: "APIService",
  plural: "apiservices",
  namespaced: false,
};

/** The label of APIServices that are made by this server, and how long it looks after them. */
export const automanagedLabel = "kube-aggregator.kubernetes.io/automanaged";

interface GroupVersionName {
  readonly group: string;
  readonly version: string;
}

/** Returns the name of the APIService of a group version. */
export function apiServiceName({ group, version }: GroupVersionName): string {
  return `${version}.${group}`;
}

/** Returns the APIService of a group version that this server has itself. */
export function localApiService(of: GroupVersionName, automanaged: "onstart" | "true"): Draft<APIService> {
  const { groupPriority, versionPriority } = localPriorities(of);
  return {
    metadata: { name: apiServiceName(of), labels: { [automanagedLabel]: automanaged } },
    spec: {
      ...(of.group !== "" && { group: of.group }),
      version: of.version,
      groupPriorityMinimum: groupPriority,
      versionPriority,
    },
  };
}
