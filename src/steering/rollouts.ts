import type { Deployment, ReplicaSet } from "../api/generated/apps-v1.ts";
import type { Pod } from "../api/generated/core-v1.ts";
import { matchesLabels } from "../api/labels/label-selector.ts";
import { isBeingDeleted, keyOf } from "../api/object.ts";
import { deployments as deploymentResource, replicaSets as replicaSetResource } from "../api/resources.ts";
import { podNames } from "../decisions/explain/steering-summary.ts";
import { sizeOf } from "../decisions/rollout/counts.ts";
import { isCapped } from "../decisions/stock/capped.ts";
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
import { inNamespace, type OwnerIndex, ownerIndexOf } from "../machinery/ownership/owner-index.ts";
import type { Informer } from "../machinery/informer/informer.ts";
import { workloadSelection } from "../machinery/ownership/workload-selection.ts";
import { enqueueObject } from "../machinery/ownership/enqueue-owner.ts";
import type { SteeringDependencies } from "./dependencies.ts";
import { enqueueDeployment, indexByDeployment, replicaSetsOf } from "./replica-sets-of.ts";

/** A Deployment that was capped, has room again and has not grown for so long does not know of it. */
const nudgeAfterMs = 2000;
/** The same for one of which nothing says that it was capped: most likely its controller is busy. */
const nudgeUncappedAfterMs = 30_000;
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
    const owned = replicaSetsOf(replicaSets, deployment);
    const of = podsOf({ deployment, owned, owners, pods });
    return { deployment, replicaSets: owned, pods: of, now: clock.now() };
  };
  const owners = ownerIndexOf({ owners: replicaSets, dependents: pods, selectionOf: workloadSelection });
  indexByDeployment(replicaSets);
  pods.addIndex(byEnding, (pod) => (isBeingDeleted(pod) ? [pod.metadata.namespace ?? ""] : []));

  return {
    name: "steering-rollouts",
    workers: 4,
    watches: [
      watching<Deployment>(deployments, enqueueObject),
      watching(replicaSets, enqueueDeployment),
      watching(pods, (queue) => {
        const enqueue = (pod: Pod) => {
          const replicaSet = owners.ownerOf(pod);
          if (replicaSet === undefined) enqueueSelecting(pod, { deps, isSteered, queue });
          else enqueueDeployment(queue).added(replicaSet);
        };
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

const byEnding = "steering-ending";

interface PodsOf {
  readonly deployment: Deployment;
  /** Its ReplicaSets. */
  readonly owned: readonly ReplicaSet[];
  readonly owners: OwnerIndex<ReplicaSet, Pod>;
  readonly pods: Informer<Pod>;
}

/** The Pods of its ReplicaSets, and those that terminate and match its selector: their ReplicaSet may be gone. */
function podsOf({ deployment, owned, owners, pods }: PodsOf): readonly Pod[] {
  const selection = workloadSelection(deployment);
  if (selection === undefined) return [];
  const found = new Set([
    ...owned.flatMap((replicaSet) => owners.controlledBy(replicaSet)),
    ...pods.byIndex(byEnding, deployment.metadata.namespace ?? ""),
  ]);
  return [...found].filter(({ metadata }) => matchesLabels(selection, metadata.labels));
}

/** Pods whose ReplicaSet is gone count too: for every Deployment whose selector they match. */
function enqueueSelecting({ metadata }: Pod, { deps, isSteered, queue }: Selecting): void {
  for (const deployment of inNamespace(deps.deployments, metadata.namespace)) {
    if (!isSteered(deployment)) continue;
    const selection = workloadSelection(deployment);
    if (selection !== undefined && matchesLabels(selection, metadata.labels)) queue.add(keyOf(deployment));
  }
}

interface Selecting {
  readonly deps: SteeringDependencies;
  readonly isSteered: (deployment: Deployment) => boolean;
  readonly queue: KeyQueue;
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
  const firstMs = isCapped(replicaSet) ? nudgeAfterMs : nudgeUncappedAfterMs;
  const pauseMs = Math.min(firstMs * 2 ** nudges, longestNudgeMs);
  const dueAt = (nudgedAt ?? since) + (nudgedAt === undefined ? firstMs : pauseMs);
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
