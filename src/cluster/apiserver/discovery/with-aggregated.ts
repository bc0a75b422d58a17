import { compareText } from "../../../api/compare-text.ts";
import type { DiscoveredVersion } from "../aggregation/aggregator.ts";
import { localPriorities } from "../aggregation/local-priorities.ts";
import { compareVersions, type GroupVersion } from "./listed-resource.ts";

interface Ranked extends GroupVersion {
  readonly groupPriority: number;
  readonly versionPriority: number;
}

/**
 * Adds what extension API servers have, in place of what this server has of the same group and version: groups in the
 * order of their priorities, and in each the versions by theirs.
 */
export function withAggregated(
  own: readonly GroupVersion[],
  aggregated: readonly DiscoveredVersion[],
): readonly GroupVersion[] {
  if (aggregated.length === 0) return own;
  const claimed = new Set(aggregated.map(keyOf));
  const kept = own.filter((each) => !claimed.has(keyOf(each)));
  const ranked: readonly Ranked[] = [
    ...kept.map((each) => ({ ...each, ...localPriorities(each) })),
    ...aggregated.toSorted((left, right) => compareVersions(left.version, right.version)),
  ];
  const groups = new Map<string, number>();
  for (const { group, groupPriority } of ranked)
    groups.set(group, Math.max(groupPriority, groups.get(group) ?? 0));
  const rankOf = ({ group }: Ranked) => groups.get(group) ?? 0;
  return ranked.toSorted(
    (left, right) =>
      rankOf(right) - rankOf(left) ||
      compareText(left.group, right.group) ||
      right.versionPriority - left.versionPriority,
  );
}

function keyOf({ group, version }: Pick<GroupVersion, "group" | "version">): string {
  return `${group}/${version}`;
}
