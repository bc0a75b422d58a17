import { isTerminal } from "../../src/api/pod-state.ts";
import type { Pod } from "../../src/api/generated/core-v1.ts";
import { defaultPlugins } from "../../src/decisions/placement/default-plugins.ts";
import { type Evaluation, evaluateNodes } from "../../src/decisions/placement/evaluate-nodes.ts";
import { pluginSetOf } from "../../src/decisions/placement/plugin-set.ts";
import { snapshotOf } from "../../src/decisions/placement/snapshot/snapshot.ts";
import type { ClusterState } from "../live/cluster-state.ts";
import type { DecisionContext } from "./rollout.ts";

/** Filters and scores every node for a Pod as if it had no node yet, by the default plugins. */
export function evaluatePlacement(pod: Pod, state: ClusterState, { gates }: DecisionContext): Evaluation {
  const { nodeName: _, ...spec } = pod.spec ?? { containers: [] };
  const others = state.objects.pods.filter((other) => other !== pod && !isTerminal(other));
  const snapshot = snapshotOf({ ...state.objects, pods: others });
  return evaluateNodes({ ...pod, spec }, snapshot, pluginSetOf(defaultPlugins({}, gates)));
}
