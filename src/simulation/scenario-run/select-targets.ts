import type { Pod } from "../../api/generated/core-v1.ts";
import { isActive } from "../../api/pod-state.ts";
import { pods } from "../../api/resources.ts";
import type { Random } from "../../machinery/random/random.ts";
import type { ActionTarget } from "../../user-actions/user-action.ts";
import type { ObjectsTarget } from "../scenario-files/scenario-document.ts";
import type { SimulatedCluster } from "../simulated-cluster.ts";
import type { BusyPods } from "../tracking/busy-pods.ts";

interface Selecting {
  readonly cluster: Pick<SimulatedCluster, "client" | "clock" | "random">;
  readonly busy: BusyPods;
}

/** The active Pods of a selector, or as many of them as an event wants. */
export async function selectPods(
  target: ObjectsTarget,
  { cluster, busy }: Selecting,
): Promise<readonly ActionTarget[]> {
  const { selector, namespace = "default", count, which = "oldest" } = target;
  const { items } = await cluster.client.list(pods, { namespace, labelSelector: selector });
  const oldestFirst = items.filter(isActive).toSorted(byAge);
  const isBusy = (pod: Pod) => busy.workOf(pod, cluster.clock.now()) !== undefined;
  const ordered = {
    oldest: () => oldestFirst,
    youngest: () => oldestFirst.toReversed(),
    random: () => shuffled(oldestFirst, cluster.random),
    busy: () => oldestFirst.filter(isBusy),
    idle: () => oldestFirst.filter((pod) => !isBusy(pod)),
  }[which]();
  return ordered.slice(0, count ?? ordered.length).map(({ metadata: { name } }) => ({
    kind: pods.kind,
    namespace,
    name,
  }));
}

function byAge({ metadata: a }: Pod, { metadata: b }: Pod): number {
  const [createdA, createdB] = [a.creationTimestamp ?? "", b.creationTimestamp ?? ""];
  if (createdA !== createdB) return createdA < createdB ? -1 : 1;
  return a.name < b.name ? -1 : 1;
}

function shuffled<T>(items: readonly T[], random: Random): readonly T[] {
  return items
    .map((item) => ({ item, order: random.next() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ item }) => item);
}
