import type { PostFilterResult } from "../placement/plugin.ts";
import { type PodInfo, priorityOf } from "../placement/objects/pod-info.ts";

/** Limits the victims that are named. */
const named = 5;

/** What preemption does for a Pod: `preempts pod default/low (priority 100) on node n: fewest victims`. */
export function describePreemption(result: PostFilterResult): string {
  if (result.kind !== "preempts") return result.message;
  const { node, victims, because } = result;
  const names = victims.slice(0, named).map(describeVictim).join(", ");
  const more = victims.length > named ? ` and ${victims.length - named} more` : "";
  return `preempts ${victims.length === 1 ? "pod" : "pods"} ${names}${more} on node ${node}: ${because}`;
}

function describeVictim({ namespace, name, pod }: PodInfo): string {
  return `${namespace}/${name} (priority ${priorityOf(pod)})`;
}
