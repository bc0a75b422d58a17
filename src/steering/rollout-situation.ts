import type { Deployment, ReplicaSet } from "../api/generated/apps-v1.ts";
import { deployments as deploymentResource, replicaSets as replicaSetResource } from "../api/resources.ts";
import type { Instant } from "../api/time.ts";
import { podNames } from "../decisions/explain/steering-summary.ts";
import { sizeOf } from "../decisions/rollout/counts.ts";
import { progressingOf } from "../decisions/rollout/status/conditions.ts";
import { isCapped } from "../decisions/stock/admitted-size.ts";
import { deferredLabel, deferredText, formatDeferred } from "../decisions/stock/deferred-shrink.ts";
import { roomLabel, wishesOf } from "../decisions/stock/wish.ts";
import {
  type CappedInput,
  type RolloutWait,
  type Shrinking,
  shrinkingsWhileCapped,
  waitBeyondDeadline,
} from "../decisions/stock/rollout-wait.ts";
import { done, type ReconcileResult } from "../machinery/controller.ts";
import { referenceTo } from "../machinery/events/event-draft.ts";
import type { SteeringDependencies } from "./dependencies.ts";
import { ownShrink, type PlannedShrinks } from "./own-shrinks.ts";

/** A Deployment that was capped, has room again and has not grown for so long does not know of it. */
const nudgeAfterMs = 2000;
/** The same for one of which nothing says that it was capped: most likely its controller is busy. */
const nudgeUncappedAfterMs = 30_000;
const longestNudgeMs = 60_000;
/** A rollout that could not grow for so long gives up old Pods instead; a stock controller that is not capped does so at once. */
const stuckAfterMs = 2500;

/** How long a Deployment has been in the same situation, and what was done about it. */
export interface Situation {
  readonly signature: string;
  readonly since: Instant;
  readonly nudges: number;
  readonly nudgedAt?: Instant;
  readonly isTold?: boolean;
}

/** The situation, or the one before if nothing has changed. */
export function situationOf(
  wait: RolloutWait,
  { deployment, replicaSets, now }: CappedInput,
  before?: Situation,
): Situation {
  const sizes = replicaSets.map((each) => `${each.metadata.uid}=${sizeOf(each)}`).toSorted();
  const planned = wait.kind === "protection" ? wait.shrinkings.map(nameAndSize) : [];
  const signature = [wait.kind, deployment.metadata.generation, ...sizes, ...planned].join();
  return before?.signature === signature ? before : { signature, since: now, nudges: 0 };
}

const nameAndSize = ({ replicaSet, size }: Shrinking) => `${replicaSet.metadata.name}=>${size}`;

interface Acting {
  readonly input: CappedInput;
  readonly situation: Situation;
  readonly deps: SteeringDependencies;
  readonly signal: AbortSignal;
}

/** Does what the situation asks for by now; returns the situation afterwards. */
export async function actOn(
  wait: RolloutWait,
  acting: Acting,
): Promise<readonly [Situation, ReconcileResult]> {
  switch (wait.kind) {
    case "none":
      return [acting.situation, done];
    case "room":
      return nudge(wait.replicaSet, acting);
    case "termination":
      return unblock(wait, acting);
    case "protection":
      return passProtected(wait, acting);
  }
}

/** Changes a label of the ReplicaSet, which wakes its Deployment without a new generation. */
async function nudge(
  replicaSet: ReplicaSet,
  { input, situation, deps, signal }: Acting,
): Promise<readonly [Situation, ReconcileResult]> {
  const { now } = input;
  const { since, nudges, nudgedAt } = situation;
  const firstMs = isCapped(replicaSet) ? nudgeAfterMs : nudgeUncappedAfterMs;
  const pauseMs = Math.min(firstMs * 2 ** nudges, longestNudgeMs);
  const dueAt = (nudgedAt ?? since) + (nudgedAt === undefined ? firstMs : pauseMs);
  if (now < dueAt) return [situation, { requeueAfterMs: dueAt - now }];
  await label(replicaSet, String(now), { deps, signal });
  deps.metrics.nudges.increase({});
  const next = { ...situation, nudges: nudges + 1, nudgedAt: now };
  return [next, { requeueAfterMs: 500 }];
}

/** The label has done its work as soon as it is there. */
export async function removeNudges(
  { replicaSets }: Pick<CappedInput, "replicaSets">,
  deps: SteeringDependencies,
  signal: AbortSignal,
): Promise<void> {
  for (const replicaSet of replicaSets) {
    if (replicaSet.metadata.labels?.[roomLabel] === undefined) continue;
    await label(replicaSet, null, { deps, signal });
  }
}

async function label(
  { metadata }: ReplicaSet,
  value: string | null,
  { deps, signal }: Pick<Acting, "deps" | "signal">,
): Promise<void> {
  const body = { metadata: { uid: metadata.uid, labels: { [roomLabel]: value } } };
  await deps.client.patch(replicaSetResource, metadata, { type: "merge", body, signal });
}

/** Shrinks the old ReplicaSets that the stock controller does not get to, when nothing else has moved for long. */
async function passProtected(
  { shrinkings }: Extract<RolloutWait, { readonly kind: "protection" }>,
  acting: Acting,
): Promise<readonly [Situation, ReconcileResult]> {
  const { input, situation } = acting;
  const dueAt = situation.since + stuckAfterMs;
  if (input.now < dueAt) return [situation, { requeueAfterMs: dueAt - input.now }];
  await shrinkAll(shrinkings, acting, "protected pods hold an older one back");
  return [situation, done];
}

async function shrinkAll(
  shrinkings: readonly Shrinking[],
  { input, deps, signal }: Acting,
  because: string,
): Promise<void> {
  for (const shrinking of shrinkings) {
    const { replicaSet, size } = shrinking;
    // One that is being decided already goes its own way.
    if (deferredText(replicaSet) !== undefined) continue;
    await shrink(shrinking, { planned: { ...input, shrinkings }, deps, signal });
    deps.metrics.unblocked.increase({});
    record(deps, input.deployment, {
      reason: "RolloutUnblocked",
      message: `Scaled down old ReplicaSet ${replicaSet.metadata.name} from ${sizeOf(replicaSet)} to ${size}: ${because}`,
    });
  }
}

/** Shrinks old ReplicaSets when nothing has moved for long, or says what is waited for. */
async function unblock(
  wait: Extract<RolloutWait, { readonly kind: "termination" }>,
  acting: Acting,
): Promise<readonly [Situation, ReconcileResult]> {
  const { input, situation, deps } = acting;
  const dueAt = situation.since + stuckAfterMs;
  if (input.now < dueAt) return [situation, { requeueAfterMs: dueAt - input.now }];
  const shrinkings = shrinkingsWhileCapped(input);
  await shrinkAll(shrinkings, acting, "growth waits for terminating pods");
  if (shrinkings.length > 0 || situation.isTold === true) return [situation, done];
  const names = podNames(wait.awaited.map(({ metadata }) => metadata.name));
  const { pods, terminating, replicas, maxSurge } = wait.budget;
  record(deps, input.deployment, {
    reason: "RolloutWaitsForTermination",
    message: `Waiting for ${terminating} terminating pods: ${names}; ${pods} others, ${replicas} + ${maxSurge} allowed`,
  });
  return [{ ...situation, isTold: true }, done];
}

/** Gives an old ReplicaSet its size, or has that decided first and given to it then, where removals are steered. */
async function shrink(
  { replicaSet, size }: Shrinking,
  {
    planned,
    deps,
    signal,
  }: { readonly planned: PlannedShrinks & CappedInput } & Pick<Acting, "deps" | "signal">,
): Promise<void> {
  const { uid, namespace = "", resourceVersion } = replicaSet.metadata;
  const wishes = wishesOf(planned.deployment, deps.namespaces.get(namespace)?.metadata.labels);
  // Where all Pods go, there is nothing to choose, unless protected Pods may have to be waited for.
  const isDeferred = wishes.steersRemovals && (size > 0 || deps.gates().PodRemovalProtection);
  if (isDeferred) deps.ownShrinks.set(uid, ownShrink(size, planned));
  const deferred = formatDeferred({ size, askedAt: Math.floor(planned.now / 1000), isReady: false });
  const body = isDeferred
    ? { metadata: { uid, resourceVersion, labels: { [deferredLabel]: deferred } } }
    : { metadata: { uid, resourceVersion }, spec: { replicas: size } };
  await deps.client.patch(replicaSetResource, replicaSet.metadata, { type: "merge", body, signal });
}

/** Says once of each deadline that it has passed while protected Pods were all that was waited for; returns which one. */
export function tellDeadline(
  input: CappedInput,
  toldOf: string | undefined,
  deps: SteeringDependencies,
): string | undefined {
  const wait = waitBeyondDeadline(input);
  if (wait === undefined) return undefined;
  const { deployment } = input;
  const passedAt = progressingOf(deployment.status)?.lastTransitionTime ?? "";
  if (passedAt !== toldOf)
    record(deps, deployment, {
      reason: "RolloutWaitsForProtection",
      message: `The progress deadline has passed, which only the cluster's own controller could extend; the rollout goes on. ${wait}`,
    });
  return passedAt;
}

function record(
  { events }: SteeringDependencies,
  deployment: Deployment,
  event: { readonly reason: string; readonly message: string },
): void {
  events.record({ regarding: referenceTo(deploymentResource, deployment), type: "Normal", ...event });
}
