import type { DaemonSet, StatefulSet } from "../../src/api/generated/apps-v1.ts";
import { daemonSummary } from "../../src/decisions/explain/daemon-set-text.ts";
import { explainDaemonSet } from "../../src/decisions/explain/explain-daemon-set.ts";
import { explainStatefulSet } from "../../src/decisions/explain/explain-stateful-set.ts";
import { statefulSummary } from "../../src/decisions/explain/stateful-set-text.ts";
import type { ClusterState } from "../live/cluster-state.ts";
import type { DecisionContext } from "./decision-context.ts";
import { jobHeadline } from "./job-view.ts";
import { rolloutView, type RolloutView } from "./revision-rows.ts";
import { podsOfWorkload, type Workload } from "./workloads.ts";

/** What a workload waits for, in a few words; `undefined` for kinds that have no rollouts. */
export function workloadHeadline(
  workload: Workload,
  state: ClusterState,
  context: DecisionContext,
): RolloutView["headline"] | undefined {
  if (workload.kind === "Deployment") return rolloutView(workload.object, state, context).headline;
  if (workload.kind === "StatefulSet") return statefulHeadline(workload.object, state, context);
  if (workload.kind === "DaemonSet") return daemonHeadline(workload.object, state, context);
  if (workload.kind === "Job")
    return jobHeadline(workload.object, podsOfWorkload(workload, state), context.now);
  return undefined;
}

function statefulHeadline(
  { metadata: { namespace = "", name } }: StatefulSet,
  { objects }: ClusterState,
  { now, gates }: DecisionContext,
): RolloutView["headline"] | undefined {
  const workload = { kind: "StatefulSet", namespace, name } as const;
  const explanation = explainStatefulSet(objects, { workload, now, gates: () => gates });
  if (explanation === undefined) return undefined;
  const [wait] = explanation.waits;
  return { text: wait ?? statefulSummary(explanation), isWaiting: wait !== undefined };
}

function daemonHeadline(
  { metadata: { namespace = "", name } }: DaemonSet,
  { objects }: ClusterState,
  { now }: DecisionContext,
): RolloutView["headline"] | undefined {
  const workload = { kind: "DaemonSet", namespace, name } as const;
  const explanation = explainDaemonSet(objects, { workload, now });
  if (explanation === undefined) return undefined;
  return {
    text: daemonSummary(explanation),
    isWaiting: explanation.nodes.some(({ next }) => next === "wait"),
  };
}
