import type { ReplicaSet } from "../api/generated/apps-v1.ts";
import { workloadSelection } from "../api/labels/workload-selection.ts";
import { matchesLabels } from "../api/labels/label-selector.ts";
import { isBeingDeleted, keyOf } from "../api/object.ts";
import { controllerOf } from "../api/owner-references.ts";
import { isCapped, podBudget } from "../decisions/stock/admitted-size.ts";
import { asDeployment } from "../decisions/stock/argo-rollout.ts";
import type { CappedInput } from "../decisions/stock/rollout-wait.ts";
import { modeOf, roomLabel, wishesOf } from "../decisions/stock/wish.ts";
import { type ControllerSpec, done, watching } from "../machinery/controller.ts";
import { objectsInNamespace } from "../machinery/ownership/owner-index.ts";
import { argoRolloutNameOf, findArgoRollout } from "./admission/find-workload.ts";
import type { SteeringDependencies } from "./dependencies.ts";
import { actOn, removeNudges, type Situation, situationOf } from "./rollout-situation.ts";

/** Rollouts are not watched, since most clusters have none; Pods that end are looked for this often while one is capped. */
const lookMs = 2000;
/** One that does not grow although it was woken so often does not want to any more. */
const mostNudges = 8;

/** Wakes Rollouts of Argo whose growth was capped once there is room. */
export function argoRolloutsController(deps: SteeringDependencies): ControllerSpec {
  const { replicaSets, pods, namespaces, clock } = deps;
  const situations = new Map<string, Situation>();

  const isSteered = (replicaSet: ReplicaSet): boolean => {
    const wishes = wishesOf(replicaSet, namespaces.get(replicaSet.metadata.namespace ?? "")?.metadata.labels);
    return wishes.policy === "TerminationComplete" && modeOf(wishes, deps.mode) === "enforce";
  };
  const gather = async (replicaSet: ReplicaSet, signal: AbortSignal): Promise<CappedInput | undefined> => {
    const rollout = await findArgoRollout(replicaSet, deps, signal);
    const deployment = rollout && asDeployment(rollout);
    const selection = deployment && workloadSelection(deployment);
    if (deployment === undefined || selection === undefined) return undefined;
    const { namespace = "" } = replicaSet.metadata;
    return {
      deployment,
      replicaSets: objectsInNamespace(replicaSets, namespace).filter(
        (each) => controllerOf(each)?.uid === deployment.metadata.uid,
      ),
      pods: objectsInNamespace(pods, namespace).filter(({ metadata }) =>
        matchesLabels(selection, metadata.labels),
      ),
      now: clock.now(),
    };
  };

  return {
    name: "steering-argo-rollouts",
    workers: 2,
    watches: [
      watching(replicaSets, (queue) => {
        const look = (replicaSet: ReplicaSet) => {
          const concerns = isCapped(replicaSet) || replicaSet.metadata.labels?.[roomLabel] !== undefined;
          if (concerns && argoRolloutNameOf(replicaSet) !== undefined) queue.add(keyOf(replicaSet));
        };
        return { added: look, updated: (_, replicaSet) => look(replicaSet) };
      }),
    ],
    async reconcile(key, signal) {
      const replicaSet = replicaSets.get(key);
      const before = situations.get(key);
      situations.delete(key);
      if (replicaSet === undefined || isBeingDeleted(replicaSet)) return done;
      const isWaiting = isCapped(replicaSet) && isSteered(replicaSet);
      const input = isWaiting ? await gather(replicaSet, signal) : undefined;
      if (input === undefined) {
        await removeNudges({ replicaSets: [replicaSet] }, deps, signal);
        return done;
      }
      await removeNudges(input, deps, signal);
      const budget = podBudget(input);
      if (budget.room === 0) return { requeueAfterMs: lookMs };
      const wait = { kind: "room", replicaSet, budget } as const;
      const situation = situationOf(wait, input, before);
      situations.set(key, situation);
      if (situation.nudges >= mostNudges) return done;
      const [next, result] = await actOn(wait, { input, situation, deps, signal });
      situations.set(key, next);
      return result;
    },
  };
}
