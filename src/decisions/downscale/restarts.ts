import type { Container, ContainerStatus, Pod } from "../../api/generated/core-v1.ts";

/** The restarts of the regular container that restarted most often. */
export function containerRestarts(pod: Pod): number {
  return mostRestarts(listOf(pod.status?.containerStatuses));
}

/** The restarts of the sidecar that restarted most often; init containers that are not sidecars do not count. */
export function sidecarRestarts(pod: Pod): number {
  const statuses = listOf<ContainerStatus>(pod.status?.initContainerStatuses);
  if (statuses.length === 0) return 0;
  const sidecars = new Set<string | undefined>();
  for (const container of listOf<Container>(pod.spec?.initContainers)) {
    if (container?.restartPolicy === "Always") sidecars.add(container.name);
  }
  return mostRestarts(statuses.filter((status) => sidecars.has(status?.name)));
}

function mostRestarts(statuses: readonly (ContainerStatus | null)[]): number {
  let most = 0;
  for (const status of statuses) {
    const restarts: unknown = status?.restartCount;
    if (typeof restarts === "number" && restarts > most) most = restarts;
  }
  return most;
}

/** A list that is absent or not a list counts as empty; its items may be null. */
function listOf<T>(list: readonly T[] | null | undefined): readonly (T | null)[] {
  return Array.isArray(list) ? list : [];
}
