import { notReadyTaint, unreachableTaint, unschedulableTaint } from "../../../api/well-known.ts";
import { findCondition } from "../../../api/conditions.ts";
import type { Node, Taint } from "../../../api/generated/core-v1.ts";
import { formatTime, type Instant } from "../../../api/time.ts";

/** The taint of each condition, by its status. */
// upstream: nodelifecycle.nodeConditionToTaintKeyStatusMap
const conditionTaints: ReadonlyMap<string, string> = new Map([
  ["Ready=False", notReadyTaint],
  ["Ready=Unknown", unreachableTaint],
  ["MemoryPressure=True", "node.kubernetes.io/memory-pressure"],
  ["DiskPressure=True", "node.kubernetes.io/disk-pressure"],
  ["NetworkUnavailable=True", "node.kubernetes.io/network-unavailable"],
  ["PIDPressure=True", "node.kubernetes.io/pid-pressure"],
]);

/** The taints that follow from a node's own state, as `key effect`. */
const ownTaints: ReadonlySet<string> = new Set([
  ...[...conditionTaints.values(), unschedulableTaint].map((key) => `${key} NoSchedule`),
  `${notReadyTaint} NoExecute`,
  `${unreachableTaint} NoExecute`,
]);

export interface TaintOptions {
  /** Whether a node that is not ready evicts its Pods. */
  readonly evicts: boolean;
  readonly now: Instant;
}

/**
 * Returns the taints of a node with those that follow from its conditions and `unschedulable`; `undefined` if nothing
 * changes. Other taints stay.
 */
export function wantedTaints(
  { spec, status }: Pick<Node, "spec" | "status">,
  { evicts, now }: TaintOptions,
): readonly Taint[] | undefined {
  const taints = spec.taints ?? [];
  const wanted: readonly Taint[] = [
    ...(status?.conditions ?? []).flatMap(({ type, status: value }) =>
      taint(`${type}=${value}`, "NoSchedule"),
    ),
    ...(spec.unschedulable === true ? [{ key: unschedulableTaint, effect: "NoSchedule" }] : []),
    ...(evicts ? evictingTaint(status) : []),
  ];
  const isWanted = ({ key, effect }: Taint) =>
    wanted.some((each) => each.key === key && each.effect === effect);
  const kept = taints.filter((each) => !ownTaints.has(`${each.key} ${each.effect}`) || isWanted(each));
  const added = wanted.filter(
    ({ key, effect }) => !kept.some((each) => each.key === key && each.effect === effect),
  );
  if (added.length === 0 && kept.length === taints.length) return undefined;
  return [...kept, ...added.map((each) => ({ ...each, timeAdded: formatTime(now) }))];
}

function taint(condition: string, effect: string): readonly Taint[] {
  const key = conditionTaints.get(condition);
  return key === undefined ? [] : [{ key, effect }];
}

function evictingTaint(status: Node["status"]): readonly Taint[] {
  return taint(`Ready=${findCondition(status?.conditions, "Ready")?.status}`, "NoExecute");
}
