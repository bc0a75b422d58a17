import type { Deployment, ReplicaSet } from "../api/generated/apps-v1.ts";
import { isBeingDeleted } from "../api/object.ts";
import { deployments as deploymentResource, replicaSets as replicaSetResource } from "../api/resources.ts";
import { podReplacementPolicyAnnotation, steeringModeAnnotation } from "../api/workload-settings.ts";
import { strategyOf } from "../decisions/rollout/budget.ts";
import {
  wishCopies,
  isPolicyServed,
  isSteered,
  modeOf,
  wishAnnotations,
  type Wishes,
  wishText,
  wishesOf,
} from "../decisions/stock/wish.ts";
import { type ControllerSpec, done, watching } from "../machinery/controller.ts";
import { referenceTo } from "../machinery/events/event-draft.ts";
import { enqueueObject } from "../machinery/ownership/enqueue-owner.ts";
import type { SteeringDependencies } from "./dependencies.ts";
import { enqueueDeployment, indexByDeployment, replicaSetsOf } from "./replica-sets-of.ts";

/** Copies what Deployments ask for to their ReplicaSets, and says when a wish is gone or cannot be fulfilled. */
export function wishesController(deps: SteeringDependencies): ControllerSpec {
  const { deployments, replicaSets, namespaces, client } = deps;
  const known = new Map<string, Wishes>();
  indexByDeployment(replicaSets);
  return {
    name: "steering-wishes",
    workers: 2,
    watches: [
      watching<Deployment>(deployments, enqueueObject),
      watching(replicaSets, enqueueDeployment),
      watching(namespaces, () => ({})),
    ],
    async reconcile(key, signal) {
      const deployment = deployments.get(key);
      if (deployment === undefined || isBeingDeleted(deployment)) {
        known.delete(key);
        return done;
      }
      const labels = namespaces.get(deployment.metadata.namespace ?? "")?.metadata.labels;
      const wishes = wishesOf(deployment, labels);
      const owned = replicaSetsOf(replicaSets, deployment).filter((each) => !isBeingDeleted(each));
      for (const event of newsOf(deployment, { before: known.get(key), wishes, owned }))
        tell(deps, deployment, event);
      known.set(key, wishes);
      // Where nothing is to be written, the webhook is asked for those that have them from their Deployment.
      if (modeOf(wishes, deps.mode) !== "enforce") return done;
      for (const replicaSet of owned) {
        const annotations = wishCopies(deployment, replicaSet);
        if (annotations === undefined) continue;
        const body = { metadata: { uid: replicaSet.metadata.uid, annotations: { ...annotations } } };
        await client.patch(replicaSetResource, replicaSet.metadata, { type: "merge", body, signal });
      }
      return done;
    },
  };
}

interface Known {
  /** What it asked for when it was looked at before; absent: this is the first time. */
  readonly before: Wishes | undefined;
  readonly wishes: Wishes;
  readonly owned: readonly ReplicaSet[];
}

/** What a person should know about the wishes of a Deployment, once. */
function newsOf(deployment: Deployment, { before, wishes, owned }: Known): readonly News[] {
  const wasAsked = before === undefined ? owned.some(carriesWish) : isSteered(before);
  const isIdle = cannotBeSteered(deployment, wishes);
  const wasIdle = before !== undefined && cannotBeSteered(deployment, before);
  return [
    ...(wasAsked && !isSteered(wishes) ? [wishIsGone] : []),
    ...(isIdle && !wasIdle ? [startedWithRecreate] : []),
    ...(asksForServedPolicy(deployment) && (before === undefined || before.policy !== undefined)
      ? [policyIsServed]
      : []),
  ];
}

function asksForServedPolicy(deployment: Deployment): boolean {
  return isPolicyServed(deployment) && wishText(deployment, podReplacementPolicyAnnotation, {}) !== undefined;
}

function carriesWish({ metadata }: ReplicaSet): boolean {
  return wishAnnotations.some(
    (name) => name !== steeringModeAnnotation && metadata.annotations?.[name] !== undefined,
  );
}

/** The stock controller waits for old Pods before it starts a `Recreate`: that cannot be shortened. */
function cannotBeSteered(deployment: Deployment, { policy }: Wishes): boolean {
  return policy === "TerminationStarted" && strategyOf(deployment) === "Recreate";
}

interface News {
  readonly type?: "Normal";
  readonly reason: string;
  readonly message: string;
  /** Whether it is a wish that nothing comes of. */
  readonly isUnfulfilled?: true;
}

const wishIsGone: News = {
  reason: "SteeringWishGone",
  message:
    "The Deployment is steered no more: its trimtab.dev annotations are gone. kubectl rollout undo replaces annotations; those of the Pod template and labels of the namespace survive it",
};
const policyIsServed: News = {
  type: "Normal",
  reason: "PolicyServed",
  message:
    "spec.podReplacementPolicy is fulfilled by the cluster itself: trimtab steer leaves growth to it, and its annotation has no effect",
};
const startedWithRecreate: News = {
  isUnfulfilled: true,
  reason: "PolicyNotSteered",
  message:
    "TerminationStarted has no effect on the strategy Recreate: the cluster's own controller waits for old pods",
};

function tell(
  { events, metrics }: SteeringDependencies,
  deployment: Deployment,
  { isUnfulfilled, ...event }: News,
): void {
  if (isUnfulfilled === true) metrics.unfulfilled.increase({ cause: "Unsupported" });
  events.record({ regarding: referenceTo(deploymentResource, deployment), type: "Warning", ...event });
}
