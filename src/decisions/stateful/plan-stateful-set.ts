import type { ControllerRevision, StatefulSetStatus } from "../../api/generated/apps-v1.ts";
import { isJsonObject } from "../../api/json.ts";
import { isBeingDeleted } from "../../api/object.ts";
import type { Instant } from "../../api/time.ts";
import type { Batch, OrdinalActions, StatefulWait } from "./action.ts";
import { obsoleteRevisions, type StatefulRevisionAction } from "./plan-revision.ts";
import { replicaStep } from "./replica-step.ts";
import { scaleDownStep } from "./scale-down-step.ts";
import { slowStartBatches } from "./slow-start.ts";
import type { StatefulState } from "./state.ts";
import { statefulStatus } from "./stateful-status.ts";
import { maxUnavailableOf, updateStep } from "./update-step.ts";
import { allMembers, type StatefulView, unavailableCount, statefulViewOf } from "./view.ts";

/** What one pass over a StatefulSet does, and why it does no more. */
export interface StatefulPlan {
  /** Comes first; if the revision turns out to be another one, the rest has to be planned anew. */
  readonly revision?: StatefulRevisionAction;
  /** In order. Those of a batch are done at the same time, and a failure ends the batches that follow. */
  readonly batches: readonly Batch[];
  readonly waits: readonly StatefulWait[];
  /** Returns the status after this many Pods were deleted to be replaced; it is written even if an action failed. */
  readonly statusAfter: (replaced: number) => StatefulSetStatus;
  /** Deleted at the end, even if an action failed. */
  readonly obsolete: readonly ControllerRevision[];
  /** How many ordinals have no available Pod. */
  readonly unavailable: number;
  /** How many may have none during an update. */
  readonly maxUnavailable: number;
  /** When to plan again even if nothing changes: the next Pod is then available. */
  readonly recheckAt?: Instant;
}

/** Plans one pass over a StatefulSet. It depends on the state alone, so the next pass repairs a failed action. */
export function planStatefulSet(state: StatefulState): StatefulPlan {
  const usable = withoutMalformedObjects(state);
  if (usable === undefined) {
    const status = state?.set?.status ?? { replicas: 0 };
    return {
      batches: [],
      waits: [],
      statusAfter: () => status,
      obsolete: [],
      unavailable: 0,
      maxUnavailable: 1,
    };
  }
  const view = statefulViewOf(usable);
  const { action } = view.revisions;
  const isGoing = isBeingDeleted(view.set);
  const { batches, waits } = isGoing ? nothing : steps(view);
  const recheckAt = nextAvailable(view);
  return {
    ...(action !== undefined && !isGoing && { revision: action }),
    batches: batches.filter((batch) => batch.length > 0),
    waits,
    statusAfter: (replaced) => statefulStatus(view, replaced),
    obsolete: obsoleteRevisions(usable, view.revisions),
    unavailable: unavailableCount(view),
    maxUnavailable: maxUnavailableOf(view),
    ...(recheckAt !== undefined && { recheckAt }),
  };
}

interface Steps {
  readonly batches: readonly Batch[];
  readonly waits: readonly StatefulWait[];
}

const nothing: Steps = { batches: [], waits: [] };

/** Pods in range first, then those to be removed, then updates: each only if nothing before it has to be waited for. */
function steps(view: StatefulView): Steps {
  const replicas = view.isOrdered ? replicasInTurn(view) : replicasAtOnce(view);
  if (view.isOrdered && replicas.waits.length > 0) return replicas;
  const scaling = scaleDownStep(view);
  const sofar: Steps = {
    batches: [...replicas.batches, ...scaling.batches],
    waits: scaling.wait === undefined ? replicas.waits : [...replicas.waits, scaling.wait],
  };
  if (scaling.wait !== undefined) return sofar;
  const update = updateStep(view);
  return { batches: [...sofar.batches, ...update.batches], waits: [...sofar.waits, ...update.waits] };
}

function replicasInTurn(view: StatefulView): Steps {
  const batches: Batch[] = [];
  for (let index = 0; index < view.range.replicas; index++) {
    const { wait, ...step } = replicaStep(view, index);
    if (step.actions.length > 0) batches.push([step]);
    if (wait !== undefined) return { batches, waits: [wait] };
  }
  return { batches, waits: [] };
}

/** The most Pods created in one pass; their events start the next pass. */
const mostCreations = 5000;

/** The batches are of ordinals, whether or not there is anything to do for them. */
function replicasAtOnce(view: StatefulView): Steps {
  const done: OrdinalActions[] = [];
  const waits: StatefulWait[] = [];
  const last = Math.min(view.range.replicas, view.members.size + mostCreations);
  for (let index = 0; index < last; index++) {
    const { wait, ...step } = replicaStep(view, index);
    done.push(step);
    if (wait !== undefined) waits.push(wait);
  }
  const batches = slowStartBatches(done).map((batch) => batch.filter(({ actions }) => actions.length > 0));
  return { batches, waits };
}

function nextAvailable(view: StatefulView): Instant | undefined {
  let next = Infinity;
  for (const { health } of allMembers(view)) {
    if (health.kind === "not-available" && health.until !== undefined) next = Math.min(next, health.until);
  }
  return next === Infinity ? undefined : next;
}

/** Leaves out what cannot be read as an object of its kind; `undefined` if that is the set itself. */
function withoutMalformedObjects(state: StatefulState): StatefulState | undefined {
  const { set, pods, revisions, now } = state;
  const isUsable = hasName(set) && isJsonObject(set.spec) && isJsonObject(set.spec.template);
  if (!isUsable || !Number.isFinite(now)) return undefined;
  return {
    ...state,
    pods: pods.every(hasName) ? pods : pods.filter(hasName),
    revisions: revisions.filter(hasName),
  };
}

function hasName(object: unknown): boolean {
  return isJsonObject(object) && isJsonObject(object.metadata) && typeof object.metadata.name === "string";
}
