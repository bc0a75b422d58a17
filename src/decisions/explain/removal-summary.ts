import type { Choice } from "../downscale/choose-victims.ts";
import { decidingRule } from "../downscale/reason.ts";

/** A removal of more Pods than this has a summary: of many events, one per Pod, some may be dropped. */
const summarizedFrom = 11;

/** Limits the Pods that a summary names. */
const namedPods = 5;

/**
 * A removal of many Pods in one sentence: how many go by which rule, and the first of them. `undefined` where the events
 * of the single Pods say it all.
 */
export function removalSummary({ victims, survivors }: Choice): string | undefined {
  if (victims.length < summarizedFrom) return undefined;
  const names = victims.slice(0, namedPods).map(({ pod }) => pod.metadata?.name ?? "");
  const listed = `${names.join(", ")} and ${victims.length - names.length} more`;
  const all = victims.length + survivors.length;
  if (survivors.length === 0) return `Deleting all ${all} pods: ${listed}`;
  return `Deleting ${victims.length} of ${all} pods (${countsPerRule(victims)}): ${listed}`;
}

/** `co-located 12, ready-time 3`, in the order in which the Pods go. */
function countsPerRule(victims: Choice["victims"]): string {
  const counts = new Map<string, number>();
  for (const victim of victims) {
    const rule = decidingRule(victim);
    counts.set(rule, (counts.get(rule) ?? 0) + 1);
  }
  return Array.from(counts, ([rule, count]) => `${rule} ${count}`).join(", ");
}
