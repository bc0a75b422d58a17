import type { ContainerStatus, Pod } from "../../api/generated/core-v1.ts";

type Statuses = readonly (ContainerStatus | null)[] | null | undefined;

/** The restarts of the regular container that restarted most often. */
export function containerRestarts(pod: Pod): number {
  return mostRestarts(pod.status?.containerStatuses);
}

/** The restarts of the sidecar that restarted most often; init containers that end do not count. */
export function sidecarRestarts(pod: Pod): number {
  const statuses: Statuses = pod.status?.initContainerStatuses;
  if (!Array.isArray(statuses) || statuses.length === 0) return 0;
  const sidecars = new Set<string>();
  for (const container of pod.spec?.initContainers ?? []) {
    if (container?.restartPolicy === "Always") sidecars.add(container.name);
  }
  return mostRestarts(statuses.filter((status) => sidecars.has(status?.name ?? "")));
}

function mostRestarts(statuses: Statuses): number {
  let most = 0;
  for (const status of statuses ?? []) {
    const restarts: unknown = status?.restartCount;
    if (typeof restarts === "number" && restarts > most) most = restarts;
  }
  return most;
}
