import type { Deployment, ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { Draft } from "../../api/object.ts";
import { formatTime } from "../../api/time.ts";
import type { RolloutState } from "./state.ts";

/** An Event about a Deployment. */
export interface RolloutEvent {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
}

/**
 * One write, with the whole next object. The controller applies actions in order and stops at the first that fails; a
 * later action on an object that was written before takes the `resourceVersion` that write returned.
 */
export type RolloutAction =
  | { readonly kind: "create-replica-set"; readonly replicaSet: Draft<ReplicaSet> }
  | { readonly kind: "update-replica-set"; readonly replicaSet: ReplicaSet }
  | { readonly kind: "delete-replica-set"; readonly replicaSet: ReplicaSet }
  | { readonly kind: "update-deployment"; readonly deployment: Deployment }
  /** Through the status endpoint, which also writes annotations and does not raise the generation. */
  | { readonly kind: "update-status"; readonly deployment: Deployment }
  | { readonly kind: "record-event"; readonly event: RolloutEvent };

/** The state after an action alone: the statuses of the ReplicaSets stay as they were. */
export function applyToState(state: RolloutState, action: RolloutAction): RolloutState {
  switch (action.kind) {
    case "create-replica-set":
      return { ...state, replicaSets: [...state.replicaSets, asStored(action.replicaSet, state)] };
    case "update-replica-set":
      return { ...state, replicaSets: replaced(state.replicaSets, action.replicaSet) };
    case "delete-replica-set":
      return {
        ...state,
        replicaSets: state.replicaSets.filter((other) => !isSame(other, action.replicaSet)),
      };
    case "update-deployment":
      return { ...state, deployment: nextGeneration(action.deployment) };
    case "update-status":
      return { ...state, deployment: action.deployment };
    case "record-event":
      return state;
  }
}

function replaced(replicaSets: readonly ReplicaSet[], next: ReplicaSet): readonly ReplicaSet[] {
  return replicaSets.map((replicaSet) => {
    if (!isSame(replicaSet, next)) return replicaSet;
    // As on the API server: a change of annotations alone does not raise the generation.
    return replicaSet.spec === next.spec ? next : nextGeneration(next);
  });
}

function isSame(a: ReplicaSet, b: ReplicaSet): boolean {
  return a?.metadata?.name === b.metadata.name;
}

function nextGeneration<T extends Deployment | ReplicaSet>(object: T): T {
  return { ...object, metadata: { ...object.metadata, generation: (object.metadata.generation ?? 0) + 1 } };
}

/** A draft with what the API server adds to it; the name stands in for the UID. */
function asStored({ metadata, ...rest }: Draft<ReplicaSet>, { now }: RolloutState): ReplicaSet {
  const name = metadata.name ?? "";
  const creationTimestamp = formatTime(now);
  return {
    ...rest,
    metadata: { ...metadata, name, uid: name, resourceVersion: "", creationTimestamp, generation: 1 },
  };
}
