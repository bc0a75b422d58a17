import type { Deployment, ReplicaSet } from "../api/generated/apps-v1.ts";
import type { Pod } from "../api/generated/core-v1.ts";
import { matchesLabels } from "../api/labels/label-selector.ts";
import { isBeingDeleted, keyOf } from "../api/object.ts";
import { deployments as deploymentResource, replicaSets as replicaSetResource } from "../api/resources.ts";
import { podNames } from "../decisions/explain/steering-summary.ts";
import { sizeOf } from "../decisions/rollout/counts.ts";
import { roomAnnotation } from "../decisions/stock/copied-wishes.ts";
import {
  type CappedInput,
  type RolloutWait,
  rolloutWait,
  shrinkingsWhileCapped,
} from "../decisions/stock/rollout-wait.ts";
import { wishesOf } from "../decisions/stock/wish.ts";
import type { Instant } from "../api/time.ts";
import {
  type ControllerSpec,
  done,
  type KeyQueue,
  type ReconcileResult,
  watching,
} from "../machinery/controller.ts";
import { referenceTo } from "../machinery/events/event-draft.ts";
import { inNamespace } from "../machinery/ownership/owner-index.ts";
import { workloadSelection } from "../machinery/ownership/workload-selection.ts";
import { enqueueObject } from "../machinery/ownership/enqueue-owner.ts";
import type { SteeringDependencies } from "./dependencies.ts";
import { enqueueDeployment, indexByDeployment, replicaSetsOf } from "./replica-sets-of.ts";

/** A Deployment that has room and has not grown for so long does not know of it. */
const nudgeAfterMs = 2000;
const longestNudgeMs = 60_000;
/** A rollout that could not grow for so long gives up old Pods instead. */
const stuckAfterMs = 10_000;

/** How long a Deployment has been in the same situation. */
interface Situation {
  readonly signature: string;
  readonly since: Instant;
  readonly nudges: number;
  readonly nudgedAt?: Instant;
  readonly isTold?: boolean;
}

/** Wakes Deployments whose growth was capped once there is room, and keeps rollouts from being stuck. */
export function rolloutsController(deps: SteeringDependencies): ControllerSpec {
  const { deployments, replicaSets, pods, namespaces, clock } = deps;
  const situations = new Map<string, Situation>();

  const isSteered = (deployment: Deployment): boolean => {
    const labels = namespaces.get(deployment.metadata.namespace ?? "")?.metadata.labels;
    return wishesOf(deployment, labels).policy === "TerminationComplete";
  };
  const gather = (deployment: Deployment): CappedInput => {
    const { namespace } = deployment.metadata;
    const selection = workloadSelection(deployment);
    return {
      deployment,
      replicaSets: replicaSetsOf(replicaSets, deployment),
      pods: inNamespace(pods, namespace).filter(
        ({ metadata }) => selection !== undefined && matchesLabels(selection, metadata.labels),
      ),
      now: clock.now(),
    };
  };
  indexByDeployment(replicaSets);

  return {
    name: "steering-rollouts",
    workers: 4,
    watches: [
      watching<Deployment>(deployments, enqueueObject),
      watching(replicaSets, enqueueDeployment),
      watching(pods, (queue) => {
        const enqueue = (pod: Pod) => enqueueSelecting(pod, { deps, isSteered, queue });
        return {
          updated: (old, pod) => {
            if (isBeingDeleted(pod) || old.status?.phase !== pod.status?.phase) enqueue(pod);
          },
          deleted: enqueue,
        };
      }),
    ],
    async reconcile(key, signal) {
      const deployment = deployments.get(key);
      if (deployment === undefined || isBeingDeleted(deployment) || !isSteered(deployment)) {
        situations.delete(key);
        return done;
      }
      const input = gather(deployment);
      await removeNudges(input, deps, signal);
      const wait = rolloutWait(input);
      const situation = situationOf(wait, input, situations.get(key));
      situations.set(key, situation);
      const [next, result] = await act(wait, { input, situation, deps, signal });
      situations.set(key, next);
      return result;
    },
  };
}

/** Pods whose ReplicaSet is gone count too: every Deployment whose selector they match. */
function enqueueSelecting(
  { metadata }: Pod,
  {
    deps,
    isSteered,
    queue,
  }: {
    readonly deps: SteeringDependencies;
    readonly isSteered: (deployment: Deployment) => boolean;
    readonly queue: KeyQueue;
  },
): void {
  for (const deployment of inNamespace(deps.deployments, metadata.namespace)) {
    if (!isSteered(deployment)) continue;
    const selection = workloadSelection(deployment);
    if (selection !== undefined && matchesLabels(selection, metadata.labels)) queue.add(keyOf(deployment));
  }
}

/** The situation, or the one before if nothing has changed. */
function situationOf(
  wait: RolloutWait,
  { deployment, replicaSets, now }: CappedInput,
  before?: Situation,
): Situation {
  const sizes = replicaSets.map((each) => `${each.metadata.uid}=${sizeOf(each)}`).toSorted();
  const signature = [wait.kind, deployment.metadata.generation, ...sizes].join();
  return before?.signature === signature ? before : { signature, since: now, nudges: 0 };
}

interface Acting {
  readonly input: CappedInput;
  readonly situation: Situation;
  readonly deps: SteeringDependencies;
  readonly signal: AbortSignal;
}

async function act(wait: RolloutWait, acting: Acting): Promise<readonly [Situation, ReconcileResult]> {
  switch (wait.kind) {
    case "none":
      return [acting.situation, done];
    case "room":
      return nudge(wait.replicaSet, acting);
    case "termination":
      return unblock(wait, acting);
  }
}

/** Changes an annotation of the ReplicaSet, which wakes its Deployment without a new generation. */
async function nudge(
  replicaSet: ReplicaSet,
  { input, situation, deps, signal }: Acting,
): Promise<readonly [Situation, ReconcileResult]> {
  const { now } = input;
  const { since, nudges, nudgedAt } = situation;
  const pauseMs = Math.min(nudgeAfterMs * 2 ** nudges, longestNudgeMs);
  const dueAt = (nudgedAt ?? since) + (nudgedAt === undefined ? nudgeAfterMs : pauseMs);
  if (now < dueAt) return [situation, { requeueAfterMs: dueAt - now }];
  await annotate(replicaSet, String(now), { deps, signal });
  deps.metrics.nudges.increase({});
  const next = { ...situation, nudges: nudges + 1, nudgedAt: now };
  return [next, { requeueAfterMs: 500 }];
}

/** The annotation has done its work as soon as it is there. */
async function removeNudges(
  { replicaSets }: CappedInput,
  deps: SteeringDependencies,
  signal: AbortSignal,
): Promise<void> {
  for (const replicaSet of replicaSets) {
    if (replicaSet.metadata.annotations?.[roomAnnotation] === undefined) continue;
    await annotate(replicaSet, null, { deps, signal });
  }
}

async function annotate(
  { metadata }: ReplicaSet,
  value: string | null,
  { deps, signal }: Pick<Acting, "deps" | "signal">,
): Promise<void> {
  const body = { metadata: { uid: metadata.uid, annotations: { [roomAnnotation]: value } } };
  await deps.client.patch(replicaSetResource, metadata, { type: "merge", body, signal });
}

/** Shrinks old ReplicaSets when nothing has moved for long, or says what is waited for. */
async function unblock(
  wait: Extract<RolloutWait, { readonly kind: "termination" }>,
  { input, situation, deps, signal }: Acting,
): Promise<readonly [Situation, ReconcileResult]> {
  const dueAt = situation.since + stuckAfterMs;
  if (input.now < dueAt) return [situation, { requeueAfterMs: dueAt - input.now }];
  const shrinkings = shrinkingsWhileCapped(input);
  for (const { replicaSet, size } of shrinkings) {
    const { uid, resourceVersion } = replicaSet.metadata;
    const body = { metadata: { uid, resourceVersion }, spec: { replicas: size } };
    await deps.client.patch(replicaSetResource, replicaSet.metadata, { type: "merge", body, signal });
    deps.metrics.unblocked.increase({});
    record(deps, input.deployment, {
      reason: "RolloutUnblocked",
      message: `Scaled down old ReplicaSet ${replicaSet.metadata.name} from ${sizeOf(replicaSet)} to ${size}: growth waits for terminating pods`,
    });
  }
  if (shrinkings.length > 0 || situation.isTold === true) return [situation, done];
  const names = podNames(wait.awaited.map(({ metadata }) => metadata.name));
  const { pods, terminating, replicas, maxSurge } = wait.budget;
  record(deps, input.deployment, {
    reason: "RolloutWaitsForTermination",
    message: `Waiting for ${terminating} terminating pods: ${names}; ${pods} others, ${replicas} + ${maxSurge} allowed`,
  });
  return [{ ...situation, isTold: true }, done];
}

function record(
  { events }: SteeringDependencies,
  deployment: Deployment,
  event: { readonly reason: string; readonly message: string },
): void {
  events.record({ regarding: referenceTo(deploymentResource, deployment), type: "Normal", ...event });
}
