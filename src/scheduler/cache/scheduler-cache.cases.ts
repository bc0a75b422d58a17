import { isTerminal } from "../../api/pod-state.ts";
import { lookupsIn, type PlacementObjects } from "../../decisions/placement/view/list-view.ts";
import { SchedulerCache } from "./scheduler-cache.ts";

/** The cache of a scheduler that has seen these objects. */
export function cacheOf({ nodes, pods = [], ...others }: PlacementObjects): SchedulerCache {
  const cache = new SchedulerCache(lookupsIn(others));
  for (const node of nodes) cache.setNode(node);
  for (const pod of pods) if ((pod.spec.nodeName ?? "") !== "" && !isTerminal(pod)) cache.setPod(pod);
  return cache;
}
