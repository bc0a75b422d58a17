import type { Node, Taint } from "../../../api/generated/core-v1.ts";

/** The taint that each condition means, by its status. */
// upstream: nodelifecycle.nodeConditionToTaintKeyStatusMap
const taintKeys: ReadonlyMap<string, string> = new Map([
  ["Ready=False", "node.kubernetes.io/not-ready"],
  ["Ready=Unknown", "node.kubernetes.io/unreachable"],
  ["MemoryPressure=True", "node.kubernetes.io/memory-pressure"],
  ["DiskPressure=True", "node.kubernetes.io/disk-pressure"],
  ["NetworkUnavailable=True", "node.kubernetes.io/network-unavailable"],
  ["PIDPressure=True", "node.kubernetes.io/pid-pressure"],
]);
const ownKeys: ReadonlySet<string> = new Set(taintKeys.values());

/** The taints of a node with those NoSchedule taints that its conditions mean; `undefined` if it has the right ones. */
export function taintsByCondition({
  spec,
  status,
}: Pick<Node, "spec" | "status">): readonly Taint[] | undefined {
  const taints = spec.taints ?? [];
  const wanted = (status?.conditions ?? []).flatMap((condition) => {
    const key = taintKeys.get(`${condition.type}=${condition.status}`);
    return key === undefined ? [] : [{ key, effect: "NoSchedule" }];
  });
  const isOwn = ({ key, effect }: Taint) => effect === "NoSchedule" && ownKeys.has(key);
  const kept = taints.filter((taint) => !isOwn(taint) || wanted.some(({ key }) => key === taint.key));
  const added = wanted.filter(({ key }) => !kept.some((taint) => isOwn(taint) && taint.key === key));
  return added.length === 0 && kept.length === taints.length ? undefined : [...kept, ...added];
}
