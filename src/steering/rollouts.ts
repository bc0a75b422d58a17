import type { Deployment, ReplicaSet } from "../api/generated/apps-v1.ts";
import type { Pod } from "../api/generated/core-v1.ts";
import { matchesLabels } from "../api/labels/label-selector.ts";
import { isBeingDeleted, keyOf } from "../api/object.ts";
import { countProtected } from "../decisions/gather/gather-rollout.ts";
import {
  type CappedInput,
  rolloutWait,
  type RolloutWait,
  shrinkingsBesideProtected,
} from "../decisions/stock/rollout-wait.ts";
import { modeOf, wishesOf } from "../decisions/stock/wish.ts";
import { type ControllerSpec, done, type KeyQueue, watching } from "../machinery/controller.ts";
import { objectsInNamespace, type OwnerIndex, ownerIndexOf } from "../machinery/ownership/owner-index.ts";
import type { Informer } from "../machinery/informer/informer.ts";
import { workloadSelection } from "../api/labels/workload-selection.ts";
import { enqueueObject } from "../machinery/ownership/enqueue-owner.ts";
import type { SteeringDependencies } from "./dependencies.ts";
import { enqueueDeployment, indexByDeployment, replicaSetsOf } from "./replica-sets-of.ts";
import { actOn, removeNudges, type Situation, situationOf, tellDeadline } from "./rollout-situation.ts";

/**
 * Wakes Deployments whose growth was capped once there is room, and keeps rollouts from being stuck because of Pods that
 * terminate or are protected.
 */
export function rolloutsController(deps: SteeringDependencies): ControllerSpec {
  const { deployments, replicaSets, pods, namespaces, clock } = deps;
  const situations = new Map<string, Situation>();
  /** Of the deadlines that were said to have passed, when that was. */
  const deadlines = new Map<string, string>();

  const concernOf = (deployment: Deployment): Concern => {
    const labels = namespaces.get(deployment.metadata.namespace ?? "")?.metadata.labels;
    const wishes = wishesOf(deployment, labels);
    const isEnforced = modeOf(wishes, deps.mode) === "enforce";
    return {
      caps: isEnforced && wishes.policy === "TerminationComplete",
      protects: isEnforced && wishes.steersRemovals && deps.gates().PodRemovalProtection,
    };
  };
  const isSteered = (deployment: Deployment) => concernOf(deployment).caps;
  const gather = (deployment: Deployment, { protects }: Concern): CappedInput => {
    const owned = replicaSetsOf(replicaSets, deployment);
    const now = clock.now();
    const of = podsOf({ deployment, owned, owners, pods });
    const controlledPods = (replicaSet: ReplicaSet) => owners.controlledBy(replicaSet);
    const kept = protects ? { protectedPods: countProtected(owned, { controlledPods }, now) } : {};
    return { deployment, replicaSets: owned, pods: of, ...kept, now };
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
      const concern = deployment === undefined ? unconcerned : concernOf(deployment);
      if (deployment === undefined || isBeingDeleted(deployment) || !(concern.caps || concern.protects)) {
        situations.delete(key);
        deadlines.delete(key);
        return done;
      }
      const input = gather(deployment, concern);
      await removeNudges(input, deps, signal);
      const passedAt = concern.protects ? tellDeadline(input, deadlines.get(key), deps) : undefined;
      if (passedAt !== undefined) deadlines.set(key, passedAt);
      const wait = waitOf(input, concern);
      const situation = situationOf(wait, input, situations.get(key));
      situations.set(key, situation);
      const [next, result] = await actOn(wait, { input, situation, deps, signal });
      situations.set(key, next);
      return result;
    },
  };
}

/** What a Deployment has to be looked after for. */
interface Concern {
  /** Its growth is capped. */
  readonly caps: boolean;
  /** Its removals wait for protected Pods. */
  readonly protects: boolean;
}

const unconcerned: Concern = { caps: false, protects: false };

function waitOf(input: CappedInput, { caps, protects }: Concern): RolloutWait {
  const wait: RolloutWait = caps ? rolloutWait(input) : { kind: "none" };
  if (wait.kind !== "none" || !protects) return wait;
  const shrinkings = shrinkingsBesideProtected(input);
  return shrinkings.length === 0 ? wait : { kind: "protection", shrinkings };
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
  for (const deployment of objectsInNamespace(deps.deployments, metadata.namespace)) {
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
