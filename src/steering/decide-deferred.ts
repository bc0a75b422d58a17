import type { ReplicaSet } from "../api/generated/apps-v1.ts";
import { keyOf } from "../api/object.ts";
import { activePodsOf } from "../decisions/gather/owned-objects.ts";
import { sizeOf } from "../decisions/rollout/counts.ts";
import { deferredText, type DeferredShrink, readDeferred } from "../decisions/stock/deferred-shrink.ts";
import { modeOf, wishesOf } from "../decisions/stock/wish.ts";
import { tellPassed } from "./admission/admit-replica-set.ts";
import type { PickerConsultant } from "./admission/consult-picker.ts";
import type { RemovalContext } from "./admission/decide-removal.ts";
import { deferralTime } from "./admission/decision-time.ts";
import { findDeployment, type FoundWorkload, selectorOf, watchedPods } from "./admission/find-workload.ts";
import { looksAtProtection } from "./admission/protected-shrink.ts";
import { steerProtectedRemoval } from "./admission/steer-protected-removal.ts";
import type { SizeChange } from "./admission/size-change.ts";
import { type HeldAdmission, steerRemoval } from "./admission/steer-removal.ts";
import type { SteeringDependencies } from "./dependencies.ts";
import { tellUnfulfilled, type Unfulfilled } from "./unfulfilled.ts";

/** The stock controller's own watch of Pods has the last mark by then. */
const settleMs = 200;
/** Pods that come and go while they are marked make a decision outdated so many times at most. */
const mostDecisions = 3;
const pauseMs = 500;

export interface Deciding {
  readonly deps: SteeringDependencies;
  readonly consultant: PickerConsultant | undefined;
  /** Aborts when this copy leads no longer. */
  readonly signal: AbortSignal;
}

/**
 * Decides a deferred scale-down and marks its Pods; afterwards the stock controller may act, as far as protected Pods do
 * not hold it back. Whatever fails is told, and the scale-down goes on.
 */
export async function decideDeferred(
  replicaSet: ReplicaSet,
  { size }: DeferredShrink,
  { deps, consultant, signal }: Deciding,
): Promise<HeldAdmission | undefined> {
  const { namespace = "", name, uid } = replicaSet.metadata;
  try {
    const deployment = await findDeployment(replicaSet, deps, signal);
    const labels = deps.namespaces.get(namespace)?.metadata.labels;
    const wishes = wishesOf(deployment ?? replicaSet, labels);
    if (wishes.steersRemovals && modeOf(wishes, deps.mode) === "enforce")
      return await decideInTime(
        { workload: { replicaSet, deployment, wishes }, size },
        { deps, consultant, signal },
      );
  } catch (error) {
    if (signal.aborted) throw error;
    tellPassed({ namespace, name, uid }, error, { deps, signal });
  }
  return undefined;
}

interface ToDecide {
  readonly workload: FoundWorkload;
  readonly size: number;
}

async function decideInTime(
  toDecide: ToDecide,
  { deps, consultant, signal }: Deciding,
): Promise<HeldAdmission | undefined> {
  const time = deferralTime(toDecide.workload.wishes.picker, deps.clock);
  const { budget } = time;
  const either = (one: AbortSignal) => AbortSignal.any([one, signal]);
  const context: RemovalContext = {
    deps,
    consultant,
    askedBy: "label",
    budget: { ...budget, signal: either(budget.signal), pickerSignal: either(budget.pickerSignal) },
  };
  try {
    let decided = await decideOnce(toDecide, context);
    let outdated = 0;
    while (!decided.isFinal && !context.budget.signal.aborted) {
      if (decided.isProven && ++outdated === mostDecisions) break;
      await deps.clock.sleep(pauseMs);
      if (!isWanted(toDecide, deps)) return undefined;
      decided = await decideOnce(toDecide, context);
    }
    if (decided.problem !== undefined) tellUnfulfilled(toDecide.workload, decided.problem, deps);
    return decided.held;
  } finally {
    time.end();
  }
}

/** Whether this size is still what is deferred, as far as the watch has shown. */
export function isWanted(
  {
    workload: { replicaSet },
    size,
  }: { readonly workload: Pick<FoundWorkload, "replicaSet">; readonly size: number },
  { replicaSets }: Pick<SteeringDependencies, "replicaSets">,
): boolean {
  const now = replicaSets.get(keyOf(replicaSet));
  return now !== undefined && readDeferred(deferredText(now))?.size === size;
}

interface Decided {
  /** Whether what was decided still holds once the Pods are marked, or nothing else can be done. */
  readonly isFinal: boolean;
  /** Whether the Pods that it was decided on are known to have been the right ones. */
  readonly isProven: boolean;
  readonly problem?: Unfulfilled | undefined;
  /** What protected Pods hold back. */
  readonly held?: HeldAdmission | undefined;
}

async function decideOnce({ workload, size }: ToDecide, context: RemovalContext): Promise<Decided> {
  const { deps, budget } = context;
  const key = keyOf(workload.replicaSet);
  const replicaSet = deps.replicaSets.get(key) ?? workload.replicaSet;
  const { namespace = "", name, uid, resourceVersion } = replicaSet.metadata;
  const change = { namespace, name, uid, resourceVersion, old: sizeOf(replicaSet), asked: size };
  if (looksAtProtection(workload, deps)) return decideProtected(change, { ...workload, replicaSet }, context);
  const { kind, hasWritten, problem } = await steerRemoval(change, { ...workload, replicaSet }, context);
  if (hasWritten) await deps.clock.sleep(settleMs);
  if (kind !== "steered" || budget.signal.aborted) return { isFinal: true, isProven: true, problem };
  const listed = watchedPods(namespace, selectorOf(workload), deps.pods);
  const active = activePodsOf(replicaSet, { claimablePods: () => listed });
  const isProven = deps.memory.open(key)?.isProven === true;
  const isSame = deps.memory.same(replicaSet, size, active) !== undefined;
  return { isFinal: isProven && isSame, isProven, problem };
}

async function decideProtected(
  change: SizeChange,
  workload: FoundWorkload,
  context: RemovalContext,
): Promise<Decided> {
  const {
    hasWritten,
    problem,
    held,
    isRemoving = false,
  } = await steerProtectedRemoval(change, workload, context);
  if (hasWritten) await context.deps.clock.sleep(settleMs);
  return { isFinal: !isRemoving, isProven: !isRemoving, problem, held };
}
