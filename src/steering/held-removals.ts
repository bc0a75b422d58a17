import { findCondition, removalHeldCondition } from "../api/conditions.ts";
import type { Deployment, ReplicaSet } from "../api/generated/apps-v1.ts";
import type { Pod } from "../api/generated/core-v1.ts";
import type { JsonObject } from "../api/json.ts";
import { keyOf } from "../api/object.ts";
import { controllerOf } from "../api/owner-references.ts";
import { heldRemovalLabel, protectionLimitOf, removalDueLabel } from "../api/pod-protection.ts";
import { isActive } from "../api/pod-state.ts";
import { replicaSets as replicaSetResource } from "../api/resources.ts";
import { holdEndMessage } from "../decisions/explain/protection-text.ts";
import { heldByWorkload } from "../decisions/replicas/held-by-workload.ts";
import {
  heldMessage,
  type HeldRemoval,
  holdOf,
  withRemovalHeld,
} from "../decisions/replicas/held-removal.ts";
import type { HoldEnd } from "../decisions/replicas/replica-set-action.ts";
import { sizeOf } from "../decisions/rollout/counts.ts";
import { deferredText } from "../decisions/stock/deferred-shrink.ts";
import { type HeldMemory, lookAtHold } from "../decisions/replicas/held-look.ts";
import { shrinkLabels } from "../decisions/stock/held-shrink.ts";
import { modeOf, wishesOf } from "../decisions/stock/wish.ts";
import {
  type ControllerSpec,
  done,
  type KeyQueue,
  type ReconcileResult,
  watching,
} from "../machinery/controller.ts";
import { workloadSelection } from "../api/labels/workload-selection.ts";
import { ownerIndexOf } from "../machinery/ownership/owner-index.ts";
import { deploymentNameOf, watchedDeployment } from "./admission/find-workload.ts";
import { looksAtProtection, protectedOwner } from "./admission/protected-shrink.ts";
import type { SteeringDependencies } from "./dependencies.ts";
import { replicaSetsOf } from "./replica-sets-of.ts";
import { type Concerned, tellBoth } from "./unfulfilled.ts";

/**
 * Follows scale-downs that protected Pods hold back: says who is waited for, and asks again when that may have another
 * answer. A Deployment is woken and asks itself; the size of a ReplicaSet without one is written here.
 */
export function heldRemovalsController(deps: SteeringDependencies): ControllerSpec {
  const { replicaSets, deployments, namespaces, pods, clock, metrics } = deps;
  const memories = new Map<string, HeldMemory>();
  const owners = ownerIndexOf({ owners: replicaSets, dependents: pods, selectionOf: workloadSelection });
  let isRunning = false;
  metrics.removalsHeld.collect(() => (isRunning ? heldByWorkload(replicaSets.list()) : []));

  const isSteered = ({ replicaSet, deployment }: Concerned): boolean => {
    const labels = namespaces.get(replicaSet.metadata.namespace ?? "")?.metadata.labels;
    const wishes = wishesOf(deployment ?? replicaSet, labels);
    return wishes.steersRemovals && modeOf(wishes, deps.mode) === "enforce";
  };
  const hasPicker = ({ replicaSet, deployment }: Concerned): boolean =>
    deps.pickers !== undefined && wishesOf(deployment ?? replicaSet, undefined).picker !== undefined;

  const follow = async (key: string, writing: Writing): Promise<ReconcileResult> => {
    const { replicaSet, deployment } = writing;
    const look = lookAtHold(
      {
        owner: protectedOwner(replicaSet, deployment),
        active: owners.controlledBy(replicaSet).filter(isActive),
        hasPicker: hasPicker(writing),
        wanted: String(deployment?.metadata.generation ?? ""),
        now: clock.now(),
      },
      memories.get(key),
    );
    if (look.kind === "end") return end(look.because, writing);
    await sayHeld(look.held, writing);
    if (look.kind === "ask") await askAgain(look.size, writing);
    memories.set(key, look.memory);
    return look.kind === "wait" ? { requeueAt: look.lookAt } : { requeueAfterMs: 1000 };
  };

  return {
    name: "steering-held",
    workers: 2,
    watches: [
      watching(replicaSets, (queue) => {
        const enqueue = (replicaSet: ReplicaSet) => {
          if (showsAnything(replicaSet)) queue.add(keyOf(replicaSet));
        };
        return { added: enqueue, updated: (_, replicaSet) => enqueue(replicaSet), deleted: enqueue };
      }),
      watching(pods, (queue) => {
        const enqueue = (pod: Pod) => enqueueHolder(pod, replicaSets.get(ownerKeyOf(pod)), queue);
        return { updated: (_, pod) => enqueue(pod), deleted: enqueue };
      }),
      watching<Deployment>(deployments, (queue) => ({
        updated: (before, deployment) => {
          if (before.metadata.generation === deployment.metadata.generation) return;
          for (const each of replicaSetsOf(replicaSets, deployment))
            if (showsAnything(each)) queue.add(keyOf(each));
        },
      })),
      {
        synced: () => Promise.resolve(true),
        start: () => {
          isRunning = true;
          return () => void (isRunning = false);
        },
      },
    ],
    async reconcile(key, signal) {
      const replicaSet = replicaSets.get(key);
      if (replicaSet === undefined || !isHolding(replicaSet)) memories.delete(key);
      if (replicaSet === undefined || !showsAnything(replicaSet)) return done;
      const concerned = { replicaSet, deployment: watchedDeployment(replicaSet, deps) };
      const writing = { ...concerned, deps, signal };
      if (!isHolding(replicaSet)) return saidToBeOver("not-protected", writing);
      if (!deps.gates().PodRemovalProtection) return release("gate-off", writing);
      if (!looksAtProtection(concerned, deps) || !isSteered(concerned))
        return release("not-steered", writing);
      // While it is being decided, its labels and its size may be those of different decisions.
      return deferredText(replicaSet) === undefined ? follow(key, writing) : done;
    },
  };
}

/** Whether a ReplicaSet carries the label of a hold. */
function isHolding({ metadata }: ReplicaSet): boolean {
  return metadata.labels?.[heldRemovalLabel] !== undefined;
}

/** Whether a ReplicaSet holds Pods back, or says that it does. */
function showsAnything(replicaSet: ReplicaSet): boolean {
  return (
    isHolding(replicaSet) || findCondition(replicaSet.status?.conditions, removalHeldCondition) !== undefined
  );
}

function ownerKeyOf(pod: Pod): string {
  const owner = controllerOf(pod);
  return owner?.kind === "ReplicaSet" ? `${pod.metadata.namespace ?? ""}/${owner.name}` : "";
}

function enqueueHolder(pod: Pod, holder: ReplicaSet | undefined, queue: KeyQueue): void {
  if (holder !== undefined && showsAnything(holder)) queue.add(ownerKeyOf(pod));
}

interface Writing extends Concerned {
  readonly deps: SteeringDependencies;
  readonly signal: AbortSignal;
}

/** Asks for the smaller size: through its Deployment, or by ourselves. Either way admission decides. */
async function askAgain(size: number, writing: Writing): Promise<void> {
  const { replicaSet, deps } = writing;
  const { uid } = replicaSet.metadata;
  deps.metrics.nudges.increase({});
  const due = String(Math.floor(deps.clock.now() / 1000));
  if (deploymentNameOf(replicaSet) !== undefined)
    return write({ metadata: { uid, labels: { [removalDueLabel]: due } } }, writing);
  const operations: readonly JsonObject[] = [
    { op: "test", path: "/metadata/uid", value: uid },
    // A size that somebody sets meanwhile counts.
    { op: "test", path: "/spec/replicas", value: sizeOf(replicaSet) },
    { op: "add", path: `/metadata/labels/${removalDueLabel.replace("/", "~1")}`, value: due },
    { op: "replace", path: "/spec/replicas", value: size },
  ];
  await deps.client.patch(replicaSetResource, replicaSet.metadata, {
    type: "json",
    operations,
    signal: writing.signal,
  });
}

async function write(body: JsonObject, { replicaSet, deps, signal }: Writing): Promise<void> {
  await deps.client.patch(replicaSetResource, replicaSet.metadata, { type: "merge", body, signal });
}

/** Lets everybody go who was held back: a Deployment asks by itself, any other size is written here. */
async function release(because: HoldEnd, writing: Writing): Promise<"done"> {
  const { replicaSet } = writing;
  const size = holdOf(replicaSet)?.size;
  if (size !== undefined && size < sizeOf(replicaSet) && deploymentNameOf(replicaSet) === undefined)
    await write({ metadata: { uid: replicaSet.metadata.uid }, spec: { replicas: size } }, writing);
  return end(because, writing);
}

/** Takes the labels away. That wakes a Deployment, which asks anew if it still wants to. */
async function end(because: HoldEnd, writing: Writing): Promise<"done"> {
  const { uid } = writing.replicaSet.metadata;
  await write({ metadata: { uid, labels: shrinkLabels(undefined) } }, writing);
  return saidToBeOver(because, writing);
}

async function saidToBeOver(because: HoldEnd, writing: Writing): Promise<"done"> {
  const { replicaSet, deps } = writing;
  if (findCondition(replicaSet.status?.conditions, removalHeldCondition) === undefined) return "done";
  await writeConditions({ kind: "none" }, writing);
  tellBoth(writing, { type: "Normal", reason: "RemovalHoldEnded", message: holdEndMessage(because) }, deps);
  return "done";
}

/** Keeps the condition as it has to be; an event says when a hold begins. */
async function sayHeld(held: HeldRemoval, writing: Writing): Promise<void> {
  const { replicaSet, deployment, deps } = writing;
  const isNew = findCondition(replicaSet.status?.conditions, removalHeldCondition) === undefined;
  await writeConditions({ kind: "held", held }, writing);
  if (!isNew) return;
  tellBoth(writing, { type: "Normal", reason: "RemovalHeld", message: heldMessage(held) }, deps);
  const { problem } = protectionLimitOf(protectedOwner(replicaSet, deployment));
  if (problem !== undefined)
    tellBoth(writing, { type: "Warning", reason: "InvalidProtectionLimit", message: problem }, deps);
}

async function writeConditions(
  report: Parameters<typeof withRemovalHeld>[1],
  { replicaSet, deps, signal }: Writing,
): Promise<void> {
  const present = replicaSet.status?.conditions;
  const conditions = withRemovalHeld(present, report, deps.clock.now());
  if (conditions === present) return;
  const { uid } = replicaSet.metadata;
  const changed = findCondition(conditions, removalHeldCondition);
  const entry = changed ?? { type: removalHeldCondition, $patch: "delete" };
  // By type, beside what the stock controller writes at the same time.
  const body = { metadata: { uid }, status: { conditions: [{ ...entry }] } } as unknown as JsonObject;
  await deps.client.patch(replicaSetResource, replicaSet.metadata, {
    type: "strategic",
    body,
    subresource: "status",
    signal,
  });
}
