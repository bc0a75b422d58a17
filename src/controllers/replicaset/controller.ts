import { extended } from "../../api/extended.ts";
import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { ReplicationController, Pod } from "../../api/generated/core-v1.ts";
import { isBeingDeleted } from "../../api/object.ts";
import {
  planReplicaSet,
  planReplicaSetInSteps,
  type ReplicaSetPlan,
  type ReplicaSetReport,
  reportReplicaSetInSteps,
  victimsOf,
} from "../../decisions/replicas/plan-replica-set.ts";
import type { ManageOutcome } from "../../decisions/replicas/replica-failure.ts";
import type { ReplicaOwner } from "../../decisions/replicas/replica-owner.ts";
import type { ReplicaSetState } from "../../decisions/replicas/replica-set-state.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import { runInSteps } from "../../machinery/clock/run-in-steps.ts";
import { type ControllerSpec, done, type ReconcileResult, watching } from "../../machinery/controller.ts";
import {
  ownerIndexOf,
  indexByController,
  indexByNamespace,
  objectsInNamespace,
  type OwnerIndex,
  withSameController,
} from "../../machinery/ownership/owner-index.ts";
import { ignoredPickers } from "../ignored-pickers.ts";
import { applyReplicaActions } from "./apply-actions.ts";
import { type ReplicaDependencies, type ReplicaSync, noPickers } from "./sync-context.ts";
import { ownerEventHandler, replicaPodEventHandler } from "./event-handlers.ts";
import { areStillActive, gatherReplicaState } from "./gather-state.ts";
import { type ReplicaKind, replicaSetKind, replicationControllerKind } from "./kind.ts";
import { replicaMetrics } from "./metrics.ts";
import { replicaEventsOf } from "./replica-events.ts";
import { newReplicaSyncState } from "./sync-state.ts";
import { writeReplicaStatus } from "./write-status.ts";
import type { WorkloadReader } from "../../decisions/gather/workload-reader.ts";

/** Keeps the number of every ReplicaSet's Pods at its desired size. */
export function replicaSetController(deps: ReplicaDependencies<ReplicaSet>): ControllerSpec {
  return replicaController(replicaSetKind, deps);
}

/** Keeps the number of every ReplicationController's Pods at its desired size. */
export function replicationManager(deps: ReplicaDependencies<ReplicationController>): ControllerSpec {
  return replicaController(replicationControllerKind, deps);
}

/** One controller for both kinds: gather, plan, apply, report, requeue. */
function replicaController<T extends ReplicaOwner>(
  kind: ReplicaKind<T>,
  deps: ReplicaDependencies<T>,
): ControllerSpec {
  const { client, clock, owners, pods, nodes, services, records, log } = deps;
  const { pickerPort: pickers = noPickers } = deps;
  const index = ownerIndexOf({ owners, dependents: pods, selectionOf: kind.selectionOf });
  const sources = { ...deps, reader: informerReader(index, deps) };
  const syncState = newReplicaSyncState(deps);
  const { expectations, readYourWrites } = syncState;
  const metrics = replicaMetrics(deps.metrics);
  // Only removals of ReplicaSets look at protection; the other kind shares the metrics.
  if (kind.countsTerminating) metrics.observeHolds(() => owners.list());
  const ignored = ignoredPickers({ ...kind, gates: deps.gates, events: deps.events });

  const contextOf = (key: string, owner: T, signal: AbortSignal): ReplicaSync<T> | undefined => {
    const selection = kind.selectionOf(owner);
    if (selection === undefined) return undefined;
    const { uid } = owner.metadata;
    const replicaEvents = replicaEventsOf(owner, kind.resource, deps.events);
    const wrote: ReplicaSync<T>["wrote"] = (resource, { metadata }) =>
      readYourWrites.record({ key, uid }, resource, metadata.resourceVersion);
    const isOwnerAlive = () => {
      const known = owners.get(key);
      return known?.metadata.uid === uid && !isBeingDeleted(known);
    };
    const own = { key, owner, kind, selection, replicaEvents, wrote, isOwnerAlive, signal };
    return extended(own, { client, clock, pickers, syncState, records, metrics });
  };

  return {
    name: kind.controller,
    workers: 5,
    watches: [
      watching(owners, ownerEventHandler(syncState)),
      watching(pods, replicaPodEventHandler(index, syncState)),
      // Both are read when Pods are removed.
      { synced: (signal) => nodes.syncedOrForbidden(signal) },
      { synced: (signal) => services.syncedOrForbidden(signal) },
      pickers,
    ],
    written: readYourWrites,
    onSkipped: (unread) => metrics.staleSync(unread),

    async reconcile(key, signal) {
      // Read before the informers: otherwise a Pod observed in between would be missed and created a second time.
      const isExpecting = !expectations.areSatisfied(key);
      const owner = owners.get(key);
      if (owner === undefined) {
        syncState.forget(key);
        ignored.forget(key);
        return done; // the garbage collector deletes its Pods
      }
      ignored.check(owner);
      const context = contextOf(key, owner, signal);
      if (context === undefined) {
        log.warn("selector cannot be used", { kind: kind.resource.kind, key });
        return done; // until it changes
      }

      const state = await gatherReplicaState(sources, context, isExpecting);
      const plan = await currentPlan(state, { clock, pods });
      const { outcome, error, owner: current = owner } = await applyReplicaActions(plan.actions, context);
      if (owners.get(key)?.metadata.uid !== owner.metadata.uid) return done; // its deletion has enqueued the key

      // Creating and deleting Pods takes time and may fail; the status is written all the same.
      const report = await reportOf(outcome, { plan, state, clock });
      const { retryAfterMs = Infinity } = await writeReplicaStatus(report.status, {
        ...context,
        owner: current,
      });
      if (error !== undefined) throw error;

      const { recheckAt = Infinity } = report;
      const expireInMs = expectations.expireInMs(key) ?? Infinity;
      return requeueAfter(Math.min(expireInMs, retryAfterMs, recheckAt - clock.now()));
    },
  };
}

/** Returns the status to report: the planned one, unless the actions had an outcome. Pods may have become available since. */
async function reportOf(
  outcome: ManageOutcome | undefined,
  { plan, state, clock }: { plan: ReplicaSetPlan; state: ReplicaSetState; clock: Clock },
): Promise<ReplicaSetReport> {
  return outcome === undefined
    ? plan
    : runInSteps(
        reportReplicaSetInSteps(state, outcome, {
          now: clock.now(),
          held: plan.held,
          lookAt: plan.recheckAt,
        }),
        clock,
      );
}

/** Plans with pauses. Neither creates nor deletes Pods if a Pod that was chosen for deletion has ended since. */
async function currentPlan(
  state: ReplicaSetState,
  { clock, pods }: Pick<ReplicaDependencies<ReplicaOwner>, "clock" | "pods">,
): Promise<ReplicaSetPlan> {
  const plan = await runInSteps(planReplicaSetInSteps(state), clock);
  return areStillActive(victimsOf(plan), pods) ? plan : planReplicaSet({ ...state, isExpecting: true });
}

function requeueAfter(requeueAfterMs: number): ReconcileResult {
  return requeueAfterMs === Infinity ? done : { requeueAfterMs };
}

/** Reads a cluster from the informers of a controller, as they are at the moment of reading. */
export function informerReader<T extends ReplicaOwner>(
  index: OwnerIndex<T, Pod>,
  { owners, pods, nodes, services }: Pick<ReplicaDependencies<T>, "owners" | "pods" | "nodes" | "services">,
): WorkloadReader<T> {
  indexByController(owners);
  indexByNamespace(pods);
  return {
    claimablePods: (owner) => index.claimableBy(owner),
    siblings: (owner) => withSameController(owners, owner),
    podsIn: (namespace) => objectsInNamespace(pods, namespace),
    allPods: () => pods.list(),
    nodes: () => (nodes.hasSynced ? nodes.list() : undefined),
    services: () => services.list(),
  };
}
