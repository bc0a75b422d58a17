import type { Pod } from "../../api/generated/core-v1.ts";
import { isBeingDeleted } from "../../api/object.ts";
import { pods } from "../../api/resources.ts";
import { formatTime } from "../../api/time.ts";
import {
  disruptionTargetCondition,
  preemptionByScheduler,
} from "../../decisions/placement/default-preemption/select-victims.ts";
import { isConflict, isNotFound, isUidMismatch } from "../../machinery/client/api-error.ts";
import type { Client } from "../../machinery/client/client.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import type { EventRecorder } from "../../machinery/events/event-draft.ts";
import { preemptedEvent } from "./schedule-result.ts";

/** A Pod for which others have to leave a node. */
export interface VictimsOfPod {
  readonly pod: Pod;
  readonly node: string;
  readonly victims: readonly Pod[];
  /** Pods of lower priority that were to get this node. */
  readonly outranked: readonly Pod[];
  /** The scheduler that both belong to. */
  readonly schedulerName: string;
}

export interface PreemptDependencies {
  readonly client: Client;
  readonly clock: Clock;
  readonly events: EventRecorder;
}

/**
 * Withdraws the nominations of less important Pods, marks the victims and deletes them, each with its own grace period
 * (upstream: prepareCandidate). Resolves when the API server has accepted all of it; they may still be terminating.
 */
export async function preemptVictims(
  preemption: VictimsOfPod,
  deps: PreemptDependencies,
  signal: AbortSignal,
): Promise<void> {
  const { outranked, victims } = preemption;
  await Promise.all(outranked.map((pod) => withdrawNomination(pod, deps, signal)));
  await Promise.all(victims.map((victim) => preempt(victim, { preemption, deps }, signal)));
}

interface PreemptContext {
  readonly preemption: VictimsOfPod;
  readonly deps: PreemptDependencies;
}

async function preempt(
  victim: Pod,
  { preemption, deps }: PreemptContext,
  signal: AbortSignal,
): Promise<void> {
  const { schedulerName, pod, node } = preemption;
  const { client, clock, events } = deps;
  const { namespace, name, uid, generation } = victim.metadata;
  const condition = {
    type: disruptionTargetCondition,
    status: "True",
    reason: preemptionByScheduler,
    message: `${schedulerName}: preempting to accommodate a higher priority pod`,
    lastTransitionTime: formatTime(clock.now()),
    ...(generation !== undefined && { observedGeneration: generation }),
  };
  const body = { metadata: { uid }, status: { conditions: [condition] } };
  await unlessGone(async () => {
    await client.patch(pods, { namespace, name }, { type: "strategic", body, subresource: "status", signal });
    if (!isBeingDeleted(victim)) await deletePod(victim, deps, signal);
    events.record(preemptedEvent(victim, { pod, node }));
  });
}

async function deletePod(
  { metadata: { namespace, name, uid } }: Pod,
  { client }: PreemptDependencies,
  signal: AbortSignal,
): Promise<void> {
  try {
    await client.delete(pods, { namespace, name }, { preconditions: { uid }, signal });
  } catch (error) {
    // The Pod is gone, and another one has its name.
    if (!isConflict(error)) throw error;
  }
}

async function withdrawNomination(
  { metadata: { namespace, name, uid } }: Pod,
  { client }: PreemptDependencies,
  signal: AbortSignal,
): Promise<void> {
  const body = { metadata: { uid }, status: { nominatedNodeName: null } };
  await unlessGone(() =>
    client.patch(pods, { namespace, name }, { type: "strategic", body, subresource: "status", signal }),
  );
}

/** A Pod that is gone, or replaced by another of its name, needs nothing more. */
async function unlessGone(request: () => Promise<unknown>): Promise<void> {
  try {
    await request();
  } catch (error) {
    if (!isNotFound(error) && !isUidMismatch(error)) throw error;
  }
}
