import type { DaemonSet, DaemonSetStatus } from "../../api/generated/apps-v1.ts";
import type { LabelSelection } from "../../api/labels/label-selector.ts";
import { workloadSelection } from "../../api/labels/workload-selection.ts";
import { isBeingDeleted } from "../../api/object.ts";
import { daemonSets as daemonSetResource, pods as podResource } from "../../api/resources.ts";
import { isReportedStatus } from "../../decisions/daemon/daemon-status.ts";
import { type DaemonState, idleReason, planDaemonSet } from "../../decisions/daemon/plan-daemon-set.ts";
import { type ControllerSpec, done, type ReconcileResult, watching } from "../../machinery/controller.ts";
import { claimObjects } from "../../machinery/ownership/claim-objects.ts";
import { enqueueOwner } from "../../machinery/ownership/enqueue-owner.ts";
import { ownerIndexOf } from "../../machinery/ownership/owner-index.ts";
import { claimRevisions } from "../revisions/claim-revisions.ts";
import { applyDaemonActions } from "./apply-actions.ts";
import { applyRevisionActions } from "./apply-revisions.ts";
import { daemonEventsOf } from "./daemon-events.ts";
import { daemonPodEventHandler, daemonSetEventHandler, nodeEventHandler } from "./event-handlers.ts";
import { type DaemonDependencies, type DaemonSync, newDaemonSyncState } from "./sync-context.ts";

/** Keeps a Pod of every DaemonSet on each node that should run one: gather, plan, apply, report, requeue. */
export function daemonSetController(deps: DaemonDependencies): ControllerSpec {
  const { client, clock, daemonSets, revisions, pods, nodes, log } = deps;
  const selectionOf = workloadSelection;
  const podIndex = ownerIndexOf({ owners: daemonSets, dependents: pods, selectionOf });
  const revisionIndex = ownerIndexOf({ owners: daemonSets, dependents: revisions, selectionOf });
  const syncState = newDaemonSyncState(deps);
  const { expectations, readYourWrites } = syncState;
  const staleSkips = deps.metrics.counter({
    name: "daemonset_controller_stale_sync_skips_total",
    help: "Syncs put off because the informers had not read the controller's own writes.",
    labels: ["group", "resource"],
  });

  const contextOf = (key: string, daemonSet: DaemonSet, signal: AbortSignal): DaemonSync => {
    const { uid } = daemonSet.metadata;
    const wrote: DaemonSync["wrote"] = (resource, { metadata }) =>
      readYourWrites.record({ key, uid }, resource, metadata.resourceVersion);
    const isAlive = () => {
      const known = daemonSets.get(key);
      return known?.metadata.uid === uid && !isBeingDeleted(known);
    };
    const daemonEvents = daemonEventsOf(daemonSet, deps.events);
    const { deletions } = deps;
    return { key, daemonSet, client, clock, syncState, daemonEvents, deletions, isAlive, wrote, signal };
  };

  const gather = async (
    context: DaemonSync,
    selection: LabelSelection,
    isExpecting: boolean,
  ): Promise<DaemonState> => {
    const { key, daemonSet } = context;
    const claim = { ...context, owner: daemonSet, ownerResource: daemonSetResource, selection };
    const ownRevisions = await claimRevisions(revisionIndex.claimableBy(daemonSet), claim);
    const ownPods = await claimObjects(podIndex.claimableBy(daemonSet), { ...claim, resource: podResource });
    const backoffs = syncState.backoffs.get(key);
    const now = clock.now();
    return {
      daemonSet,
      nodes: nodes.list(),
      pods: ownPods,
      revisions: ownRevisions,
      isExpecting,
      backoffs,
      now,
    };
  };

  return {
    name: "daemonset",
    workers: 2,
    watches: [
      watching(daemonSets, daemonSetEventHandler(syncState)),
      watching(revisions, enqueueOwner(revisionIndex)),
      watching(pods, daemonPodEventHandler(podIndex, syncState)),
      watching(nodes, nodeEventHandler(daemonSets)),
    ],
    written: readYourWrites,
    onSkipped: ({ resource }) => staleSkips.increase({ group: resource.group, resource: resource.plural }),

    async reconcile(key, signal) {
      // Read before the informers: otherwise a Pod observed in between would be missed and created a second time.
      const isExpecting = !expectations.areSatisfied(key);
      const daemonSet = daemonSets.get(key);
      if (daemonSet === undefined) {
        syncState.forget(key);
        return done; // the garbage collector deletes its Pods
      }
      const context = contextOf(key, daemonSet, signal);
      const idle = idleReason(daemonSet);
      if (idle === "selects-everything") context.daemonEvents.selectsEverything();
      if (idle !== undefined) return done;
      const selection = selectionOf(daemonSet);
      if (selection === undefined) {
        log.warn("selector cannot be used", { kind: "DaemonSet", key });
        return done; // until it changes
      }
      const recheckAt = await syncDaemonSet(await gather(context, selection, isExpecting), context);
      const expireInMs = expectations.expireInMs(key) ?? Infinity;
      return requeueAfter(Math.min(recheckAt - clock.now(), expireInMs));
    },
  };
}

/** Plans and applies the plan; resolves to the time of the next sync. */
async function syncDaemonSet(state: DaemonState, context: DaemonSync): Promise<number> {
  const { key, syncState } = context;
  const plan = planDaemonSet(state);
  await applyRevisionActions(plan.revisions, context);
  syncState.backoffs.set(key, plan.backoffs);
  const error = await applyDaemonActions(plan, context);
  await writeStatus(plan.status, context);
  if (error !== undefined) throw error;
  return plan.recheckAt ?? Infinity;
}

/** Writes a status unless it is stored already; tries a second time on the live object after any error. */
async function writeStatus(status: DaemonSetStatus, context: DaemonSync): Promise<void> {
  const { daemonSet, client, wrote, signal } = context;
  if (isReportedStatus(daemonSet, status)) return;
  const options = { subresource: "status", reads: "metadata", signal } as const;
  const { uid } = daemonSet.metadata;
  try {
    wrote(daemonSetResource, await client.update(daemonSetResource, { ...daemonSet, status }, options));
  } catch (error) {
    const live = await client.get(daemonSetResource, daemonSet.metadata, signal);
    // The status must not be written to another object of the same name.
    if (live.metadata.uid !== uid) throw error;
    wrote(daemonSetResource, await client.update(daemonSetResource, { ...live, status }, options));
  }
}

function requeueAfter(requeueAfterMs: number): ReconcileResult {
  return requeueAfterMs === Infinity ? done : { requeueAfterMs };
}
