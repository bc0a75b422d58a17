import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { Pod, ReplicationController } from "../../api/generated/core-v1.ts";
import { keyOf } from "../../api/object.ts";
import { isActive } from "../../api/pod-state.ts";
import { pods as podResource } from "../../api/resources.ts";
import { recheckAt } from "../../decisions/replicas/availability.ts";
import type { ReplicaOwner } from "../../decisions/replicas/replica-owner.ts";
import { replicaStatus } from "../../decisions/replicas/replica-status.ts";
import { countTerminating } from "../../decisions/replicas/terminating.ts";
import { type ControllerSpec, done, type ReconcileResult, watching } from "../../machinery/controller.ts";
import type { Informer } from "../../machinery/informer/informer.ts";
import { claimObjects } from "../../machinery/ownership/claim-objects.ts";
import { ownerIndexOf } from "../../machinery/ownership/owner-index.ts";
import { applyActions } from "./apply-actions.ts";
import { noPickers } from "./picker-port.ts";
import { decide } from "./decide.ts";
import type { ReplicaDependencies } from "./dependencies.ts";
import type { SyncContext } from "./sync-context.ts";
import { ownerEventHandler, podEventHandler } from "./event-handlers.ts";
import { type ReplicaKind, replicaSetKind, replicationControllerKind } from "./kind.ts";
import { relatedPods } from "./related-pods.ts";
import { newSyncState } from "./sync-state.ts";
import { replicaMetrics } from "./metrics.ts";
import { replicaEventsOf } from "./replica-events.ts";
import { writeStatus } from "./write-status.ts";

/** Keeps every ReplicaSet's Pods at the number it wants. */
export function replicaSetController(deps: ReplicaDependencies<ReplicaSet>): ControllerSpec {
  return replicaController(replicaSetKind, deps);
}

/** The same for ReplicationControllers. */
export function replicationManager(deps: ReplicaDependencies<ReplicationController>): ControllerSpec {
  return replicaController(replicationControllerKind, deps);
}

/** One engine for both kinds: gather, decide, apply. */
function replicaController<T extends ReplicaOwner>(
  kind: ReplicaKind<T>,
  deps: ReplicaDependencies<T>,
): ControllerSpec {
  const { clock, owners, pods, gates, log, pickerPort = noPickers } = deps;
  const index = ownerIndexOf({ owners, dependents: pods, selectionOf: kind.selectionOf });
  const relatedTo = relatedPods(kind, owners, pods);
  const memory = newSyncState(deps);
  const { expectations, readYourWrites } = memory;
  const metrics = replicaMetrics(deps.metrics);

  const errandFor = (owner: T, signal: AbortSignal): Omit<SyncContext<T>, "selection"> => {
    const { uid } = owner.metadata;
    const key = keyOf(owner);
    const notes = replicaEventsOf(owner, kind.resource, deps.events);
    const wrote: SyncContext<T>["wrote"] = (resource, { metadata }) =>
      readYourWrites.record({ key, uid }, resource, metadata.resourceVersion);
    return { ...deps, key, owner, kind, syncState: memory, replicaEvents: notes, metrics, wrote, signal };
  };

  return {
    name: kind.controller,
    workers: 5,
    watches: [
      watching(owners, ownerEventHandler(memory)),
      watching(pods, podEventHandler(index, memory)),
      pickerPort,
    ],
    written: readYourWrites,
    onSkipped: (unread) => metrics.staleSync(unread),

    async reconcile(key, signal) {
      // Asked before anything is looked up, or a Pod that comes in between would be missed here and made twice.
      const isExpecting = !expectations.areSatisfied(key);
      const owner = owners.get(key);
      if (owner === undefined) {
        memory.forget(key);
        return done; // its Pods belong to the garbage collector now
      }
      const selection = kind.selectionOf(owner);
      if (selection === undefined) {
        log.warn("selector cannot be used", { kind: kind.resource.kind, key });
        return done; // until it changes
      }

      const errand = { ...errandFor(owner, signal), selection };
      const within = index.claimableBy(owner);
      const { active, isCurrent } = await claimPods(within.filter(isActive), errand, pods);
      const related = () => relatedTo(owner);
      const mustWait = isExpecting || !isCurrent;
      const state = { owner, active, isExpecting: mustWait, now: clock.now(), gates: gates(), related };
      const { managed, error } = await applyActions(decide(state, pickerPort), errand);

      // Status is written even when something failed, so that people see how far we got.
      const now = clock.now();
      const isCounted = kind.countsTerminating && gates().DeploymentReplicaSetTerminatingReplicas;
      const terminating = isCounted ? countTerminating(within, errand) : undefined;
      const status = replicaStatus({ owner, active, terminating, managed, now });
      const reported = await writeStatus(status, errand);
      if (error !== undefined) throw error;

      const nextAvailable = recheckAt({ owner: reported.owner, active, now }) ?? Infinity;
      const { againInMs = Infinity } = reported;
      const unmetMs = expectations.expireInMs(key) ?? Infinity;
      return lookAgainIn(Math.min(unmetMs, againInMs, nextAvailable - clock.now()));
    },
  };
}

/**
 * The active Pods that are an owner's: what it adopts is as the server has it, which may be about to end. Of those that
 * went meanwhile nobody will tell again: one of them, chosen to go, would be waited for in vain. So nothing is to be
 * decided about a view that is not current any more; what ended it has put the owner into the queue once more.
 */
async function claimPods<T extends ReplicaOwner>(
  candidates: readonly Pod[],
  errand: SyncContext<T>,
  pods: Informer<Pod>,
): Promise<{ readonly active: readonly Pod[]; readonly isCurrent: boolean }> {
  const readUpTo = pods.resourceVersion;
  const claim = { ...errand, ownerResource: errand.kind.resource, resource: podResource };
  const active = (await claimObjects(candidates, claim)).filter(isActive);
  return { active, isCurrent: pods.resourceVersion === readUpTo || areStillActive(active, pods) };
}

function areStillActive(active: readonly Pod[], pods: Informer<Pod>): boolean {
  return active.every((pod) => {
    const known = pods.get(keyOf(pod));
    return known?.metadata.uid === pod.metadata.uid && isActive(known);
  });
}

function lookAgainIn(requeueAfterMs: number): ReconcileResult {
  return requeueAfterMs === Infinity ? done : { requeueAfterMs };
}
