import type { Deployment, ReplicaSet } from "../api/generated/apps-v1.ts";
import { deployments, replicaSets } from "../api/resources.ts";
import { type EventDraft, referenceTo } from "../machinery/events/event-draft.ts";
import type { SteeringDependencies } from "./dependencies.ts";

/** Why a workload did not get what it asks for. */
export type UnfulfilledCause =
  | "Saturated"
  | "RateLimited"
  | "Denied"
  | "Forbidden"
  | "TooLate"
  | "PickerFailed"
  /** That owner, or that strategy, cannot be steered. */
  | "Unsupported"
  | "Failed";

/** A wish that was not fulfilled. */
export interface Unfulfilled {
  readonly cause: UnfulfilledCause;
  readonly message: string;
}

/** Whom an event is recorded about: a person looks at the Deployment, a program at the ReplicaSet. */
export interface Concerned {
  readonly replicaSet: ReplicaSet;
  readonly deployment: Deployment | undefined;
}

type Telling = Pick<SteeringDependencies, "events" | "metrics">;

/** Records an event about a ReplicaSet and about its Deployment. */
export function tellBoth(
  { replicaSet, deployment }: Concerned,
  event: Omit<EventDraft, "regarding">,
  { events }: Pick<Telling, "events">,
): void {
  events.record({ regarding: referenceTo(replicaSets, replicaSet), ...event });
  if (deployment !== undefined) events.record({ regarding: referenceTo(deployments, deployment), ...event });
}

/** Says that a scale-down may not go as asked for, and counts it by its cause. */
export function tellUnfulfilled(concerned: Concerned, { cause, message }: Unfulfilled, deps: Telling): void {
  deps.metrics.unfulfilled.increase({ cause });
  tellBoth(
    concerned,
    { type: "Warning", reason: "ScaleDownNotSteered", message: `${message} (${cause})` },
    deps,
  );
}
