import { compareText } from "../../api/compare-text.ts";
import { matchesLabels } from "../../api/labels/label-selector.ts";
import type { Choice } from "../downscale/choose-victims.ts";
import { nodeOf } from "../downscale/co-location.ts";
import type { Spread, SpreadDomains } from "../downscale/facts.ts";

/** How many Pods the domains of a workload have before and after a removal, as plain JSON. */
export interface SpreadCounts {
  readonly constraints: readonly ConstraintCounts[];
  /** Why each of the other constraints is ignored. */
  readonly ignored: readonly string[];
}

/** The domains of one constraint. */
export interface ConstraintCounts {
  readonly topologyKey: string;
  readonly whenUnsatisfiable: string;
  readonly source: string;
  /** The domains that have Pods or nodes, the fullest before the removal first; Pods of other ReplicaSets are counted. */
  readonly domains: readonly DomainCount[];
  /** How many more domains there are, if they are too many to be listed. */
  readonly leftOut?: number;
}

/** One domain; without a name: the Pods whose nodes have no such label, or are gone. */
export interface DomainCount {
  readonly domain?: string;
  readonly before: number;
  readonly after: number;
}

/** Limits the domains that are listed per constraint. */
const longestList = 100;

/** Counts the Pods of every domain before and after a removal. */
export function spreadCounts(
  { victims, survivors }: Pick<Choice, "victims" | "survivors">,
  spread: Spread,
): SpreadCounts {
  const constraints = spread.constraints.map((constraint): ConstraintCounts => {
    const after = countPods(survivors, constraint, initialCounts(constraint));
    const before = countPods(victims, constraint, new Map(after));
    const domains = [...before]
      .map(([domain, count]) => ({
        ...(domain === undefined ? {} : { domain }),
        before: count,
        after: after.get(domain) ?? 0,
      }))
      .toSorted(
        (one, other) => other.before - one.before || compareText(one.domain ?? "", other.domain ?? ""),
      );
    const { topologyKey, whenUnsatisfiable, source } = constraint;
    return {
      topologyKey,
      whenUnsatisfiable,
      source,
      domains: domains.slice(0, longestList),
      ...(domains.length > longestList ? { leftOut: domains.length - longestList } : {}),
    };
  });
  return { constraints, ignored: spread.ignored };
}

/** Every domain that has a node, with the Pods that stay anyway. */
function initialCounts({ domains, base }: SpreadDomains): Map<string | undefined, number> {
  return new Map([...domains.values()].map((domain) => [domain, base.get(domain) ?? 0]));
}

function countPods(
  decided: Choice["victims"],
  { domains, selection }: SpreadDomains,
  counts: Map<string | undefined, number>,
): Map<string | undefined, number> {
  for (const { pod } of decided) {
    if (!matchesLabels(selection, pod.metadata?.labels)) continue;
    const domain = domains.get(nodeOf(pod));
    counts.set(domain, (counts.get(domain) ?? 0) + 1);
  }
  return counts;
}
