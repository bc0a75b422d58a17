import type { StatefulSet } from "../../api/generated/apps-v1.ts";
import { workloadSelection } from "../../api/labels/workload-selection.ts";
import { keyOf } from "../../api/object.ts";
import { planStatefulSet, type StatefulPlan } from "../../decisions/stateful/plan-stateful-set.ts";
import type { StatefulState } from "../../decisions/stateful/state.ts";
import { type ControllerSpec, done, watching } from "../../machinery/controller.ts";
import { ownerIndexOf } from "../../machinery/ownership/owner-index.ts";
import { ReadYourWrites } from "../../machinery/read-your-writes.ts";
import { deleteRevision } from "../revisions/write-revision.ts";
import { applyBatches } from "./apply-plan.ts";
import {
  claimEventHandler,
  revisionEventHandler,
  statefulPodEventHandler,
  statefulSetEventHandler,
} from "./event-handlers.ts";
import { gatherStatefulState } from "./gather-state.ts";
import { statefulMetrics } from "./metrics.ts";
import { RepeatedCreations } from "./repeated-creations.ts";
import { settleRevision } from "./settle-revision.ts";
import { statefulEventsOf } from "./stateful-events.ts";
import type { StatefulDependencies, StatefulSync } from "./sync-context.ts";
import { writeStatefulStatus } from "./write-status.ts";

/** Gives every ordinal of a StatefulSet its Pod and its claims: gather, plan, apply, report, tidy, requeue. */
export function statefulSetController(deps: StatefulDependencies): ControllerSpec {
  const { client, clock, statefulSets, pods, claims, revisions, log } = deps;
  const owned = { owners: statefulSets, selectionOf: workloadSelection };
  const podIndex = ownerIndexOf({ ...owned, dependents: pods });
  const revisionIndex = ownerIndexOf({ ...owned, dependents: revisions });
  const sources = { clock, gates: deps.gates, claims, pods: podIndex, revisions: revisionIndex };
  const readYourWrites = new ReadYourWrites([statefulSets, pods, claims, revisions]);
  const creations = new RepeatedCreations();
  const metrics = statefulMetrics(deps.metrics);

  const contextOf = (key: string, set: StatefulSet, signal: AbortSignal): StatefulSync | undefined => {
    const selection = workloadSelection(set);
    if (selection === undefined) return undefined;
    const { uid } = set.metadata;
    const wrote: StatefulSync["wrote"] = (resource, { metadata }) =>
      readYourWrites.record({ key, uid }, resource, metadata.resourceVersion);
    return {
      set,
      selection,
      client,
      clock,
      statefulEvents: statefulEventsOf(set, deps.events),
      deletions: deps.deletions,
      isRepeated: (podName) => creations.isRepeated(set, podName),
      wrote,
      signal,
    };
  };
  const forget = (set: StatefulSet) => {
    readYourWrites.forget(keyOf(set), set.metadata.uid);
    creations.forget(set);
    metrics.forget(keyOf(set));
  };

  return {
    name: "statefulset",
    workers: 5,
    watches: [
      watching(statefulSets, statefulSetEventHandler(forget)),
      watching(pods, statefulPodEventHandler(podIndex)),
      watching(revisions, revisionEventHandler(revisionIndex)),
      watching(claims, claimEventHandler(statefulSets)),
    ],
    written: readYourWrites,
    onSkipped: (unread) => metrics.staleSync(unread),

    async reconcile(key, signal) {
      const set = statefulSets.get(key);
      if (set === undefined) return done; // the garbage collector deletes its Pods
      const context = contextOf(key, set, signal);
      if (context === undefined) {
        log.warn("selector cannot be used", { kind: "StatefulSet", key });
        return done; // until it changes
      }
      const state = await gatherStatefulState(sources, context);
      const plan = await syncStatefulSet(state, context);
      if (state.gates.MaxUnavailableStatefulSet) metrics.availability(set, plan);
      else metrics.forget(key);
      return plan.recheckAt === undefined ? done : { requeueAt: plan.recheckAt };
    },
  };
}

/** Plans, applies the plan, reports and tidies: the last two also after a failure, which is thrown in the end. */
async function syncStatefulSet(state: StatefulState, context: StatefulSync): Promise<StatefulPlan> {
  const first = planStatefulSet(state);
  const plan = first.revision === undefined ? first : planStatefulSet(await settleRevision(state, context));
  const { replaced, error } = await applyBatches(plan.batches, context);
  await writeStatefulStatus(plan.statusAfter(replaced), context);
  for (const revision of plan.obsolete) await deleteRevision(revision, context);
  if (error !== undefined) throw error;
  return plan;
}
