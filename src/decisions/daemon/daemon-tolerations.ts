import type { PodSpec, Toleration } from "../../api/generated/core-v1.ts";
import { itemsOf } from "../placement/objects/reading.ts";

const tolerated = (key: string, effect: string): Toleration => ({
  key: `node.kubernetes.io/${key}`,
  operator: "Exists",
  effect,
});

/** What the Pods of every DaemonSet tolerate: they run on nodes that are in trouble. */
const always: readonly Toleration[] = [
  tolerated("not-ready", "NoExecute"),
  tolerated("unreachable", "NoExecute"),
  tolerated("disk-pressure", "NoSchedule"),
  tolerated("memory-pressure", "NoSchedule"),
  tolerated("pid-pressure", "NoSchedule"),
  tolerated("unschedulable", "NoSchedule"),
];

/** Tolerated by Pods in the network of their node, which may have to set that network up. */
const onHostNetwork = [...always, tolerated("network-unavailable", "NoSchedule")];

/** The tolerations of a template with those of daemon Pods (upstream: AddOrUpdateDaemonPodTolerations). */
export function daemonTolerations({
  tolerations,
  hostNetwork,
}: Partial<Pick<PodSpec, "tolerations" | "hostNetwork">>): readonly Toleration[] {
  const added = hostNetwork === true ? onHostNetwork : always;
  const own = itemsOf(tolerations).map(
    (toleration) => added.find((other) => isSame(toleration, other)) ?? toleration,
  );
  return [...own, ...added.filter((toleration) => !own.includes(toleration))];
}

/** Tolerations that differ only in how long they tolerate are the same. */
function isSame(one: Toleration, other: Toleration): boolean {
  return (
    one.key === other.key &&
    one.operator === other.operator &&
    one.effect === other.effect &&
    (one.value ?? "") === (other.value ?? "")
  );
}
