import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import { isControlledBy } from "../../api/owner-references.ts";
import type { RolloutAction } from "./action.ts";
import { conditionsOf, deadlineOf, progressing, setCondition } from "./status/conditions.ts";
import { countOf } from "./counts.ts";
import type { RolloutState } from "./state.ts";
import { hasTemplate } from "./pod-template.ts";

/** Why the name of a new ReplicaSet is taken. */
export type NameConflict =
  /** By the ReplicaSet that was to be created: plan again with it. */
  | { readonly kind: "ours"; readonly replicaSet: ReplicaSet }
  /** By a template with the same hash: once the collision count is written the next pass computes another name. */
  | { readonly kind: "collision"; readonly action: RolloutAction };

/** Compares the ReplicaSet that has the name with the one that was to be created. */
export function resolveNameConflict({ deployment }: RolloutState, existing: ReplicaSet): NameConflict {
  if (isControlledBy(existing, deployment.metadata.uid) && hasTemplate(existing, deployment.spec.template)) {
    return { kind: "ours", replicaSet: existing };
  }
  const collisionCount = countOf(deployment.status?.collisionCount) + 1;
  const status = { ...deployment.status, collisionCount };
  return { kind: "collision", action: { kind: "update-status", deployment: { ...deployment, status } } };
}

/** Reports in an Event and a condition that a new ReplicaSet could not be created for another reason. */
export function reportCreateFailure(
  state: RolloutState,
  name: string,
  error: string,
): readonly RolloutAction[] {
  const { deployment, now } = state;
  const message = `Failed to create new replica set "${name}": ${error}`;
  const event: RolloutAction = {
    kind: "record-event",
    event: { type: "Warning", reason: "ReplicaSetCreateError", message },
  };
  if (deadlineOf(deployment) === undefined) return [event];
  const present = conditionsOf(deployment.status);
  const conditions = setCondition(present, progressing("ReplicaSetCreateError", message, now));
  if (conditions === present) return [event];
  return [
    event, // first, since the write may fail
    { kind: "update-status", deployment: { ...deployment, status: { ...deployment.status, conditions } } },
  ];
}
