import { replicaSets } from "../../api/resources.ts";
import { writeHold } from "../../decisions/downscale/hold.ts";
import { splitByProtection } from "../../decisions/downscale/protection.ts";
import { limitMessage, unreadableMessage } from "../../decisions/explain/protection-text.ts";
import { activePodsOf } from "../../decisions/gather/owned-objects.ts";
import { heldMessage, heldRemoval, showsHold } from "../../decisions/replicas/held-removal.ts";
import type { Removal } from "../../decisions/replicas/replica-set-action.ts";
import { planMarks } from "../../decisions/stock/plan-marks.ts";
import type { SteeredRemoval } from "../decision-memory.ts";
import { tellBoth } from "../unfulfilled.ts";
import { askingPicker } from "./consult-picker.ts";
import { gatherState, newId, nextGeneration, type RemovalContext, stockFactsOf } from "./decide-removal.ts";
import { type FoundWorkload, listWorkloadPods } from "./find-workload.ts";
import {
  decideProtected,
  heldAsBefore,
  type Planning,
  protectedOwner,
  type ProtectedShrink,
} from "./protected-shrink.ts";
import type { SizeChange } from "./size-change.ts";
import {
  type HeldAdmission,
  isShared,
  problemOf,
  report,
  type ProtectedOutcome,
  tooOften,
  unmarkAll,
} from "./steer-removal.ts";
import { writeMarks } from "./write-marks.ts";

interface Task {
  readonly change: SizeChange;
  readonly workload: FoundWorkload;
  readonly context: RemovalContext;
}

/**
 * Decides which Pods a shrinking ReplicaSet loses where Pods may be protected: those that are not go, and the request is
 * admitted with the size that is left. It is asked again and again while Pods are held back, and then decides nothing
 * anew until something has changed.
 */
export async function steerProtectedRemoval(
  change: SizeChange,
  workload: FoundWorkload,
  context: RemovalContext,
): Promise<ProtectedOutcome> {
  const task = { change, workload, context };
  const { deps, budget, consultant, askedBy } = context;
  const listed = await listWorkloadPods(workload, deps.client, budget.signal);
  const pods = activePodsOf(workload.replicaSet, { claimablePods: () => listed });
  if (pods.length <= change.asked) return { kind: "not-needed", hasWritten: false };
  const { replicaSet, deployment, wishes } = workload;
  const owner = askingPicker(protectedOwner(replicaSet, deployment), wishes.picker, budget.pickerSeconds);
  const state = { ...gatherState(workload, { deps, pods, listed }), owner };
  const planning = { change, state, deps, consultant, pickerSignal: budget.pickerSignal };
  // The marks of an earlier decision must stay until the stock controller has removed the Pods that it is about.
  if (pods.length > change.old) return { ...keptFor(planning), isRemoving: true };
  const before = await heldAsBefore(planning);
  if (before !== undefined) return heldBack(before, task);
  if (!deps.memory.mayDecide(replicaSet, askedBy)) {
    await unmarkAll(pods, deps, budget.signal);
    return refused(planning);
  }
  const shrink = await decideProtected(planning);
  const { removal, held } = shrink;
  // Where more Pods are active than the size, those that are too many go by themselves.
  if (removal === undefined || (held !== undefined && held.size >= change.old)) return heldBack(shrink, task);

  const choice = removal.choice;
  const stockFacts = stockFactsOf(workload, state);
  const plan = planMarks({ pods, choice, stockFacts, isShared: isShared(workload, listed) });
  const steered = { ...decisionOf(removal, held, task), marked: plan.marked };
  deps.memory.remember(steered);
  const by = { decision: steered.id, generation: steered.generation, cost: plan.cost };
  const written = await writeMarks({ ...plan, by, onlyIf: "same-pod" }, deps, budget.signal);
  report(steered, workload, deps);
  if (removal.isOverdue === true) {
    const message = limitMessage(owner, choice.victims);
    tellBoth(workload, { type: "Warning", reason: "ProtectionLimitReached", message }, deps);
  }
  tellHold(shrink, task);
  const kind = written.failures.length === 0 ? "steered" : "incomplete";
  return { kind, hasWritten: written.versions.size > 0, problem: problemOf(written), held };
}

function decisionOf(
  { choice, facts, picker }: Removal,
  held: HeldAdmission | undefined,
  { change, workload: { replicaSet }, context: { deps } }: Task,
): SteeredRemoval {
  return {
    id: newId(deps),
    replicaSet,
    size: held?.size ?? change.asked,
    asked: change.asked,
    generation: nextGeneration(replicaSet),
    choice,
    facts,
    marked: "none",
    decidedAt: facts.now,
    isProven: true,
    ...(picker === undefined ? {} : { picker }),
  };
}

/** No Pod goes now. */
function heldBack(shrink: ProtectedShrink, task: Task): ProtectedOutcome {
  tellHold(shrink, task);
  const { held } = shrink;
  return held === undefined
    ? { kind: "not-needed", hasWritten: false }
    : { kind: "held", hasWritten: false, held };
}

/** Too many sizes were asked for: whoever may be protected stays, and it is asked again. */
function refused(planning: Planning): ProtectedOutcome {
  const { state } = planning;
  const split = splitByProtection(state.active, { now: state.now });
  return split.protected.length === 0 && !showsHold(state.owner)
    ? { kind: "rate-limited", hasWritten: true, problem: tooOften }
    : { ...keptFor(planning), hasWritten: true };
}

/** The size stays as it is for now. */
function keptFor({ state, change }: Planning): ProtectedOutcome {
  const split = splitByProtection(state.active, { now: state.now });
  const owner = { ...state.owner, spec: { ...state.owner.spec, replicas: change.asked } };
  const pods = change.old - change.asked;
  const held = heldRemoval({ owner, pods, protected: split.protected, now: state.now });
  const admission = { size: change.old, hold: writeHold(held.hold), message: heldMessage(held) };
  return { kind: "held", hasWritten: false, held: admission };
}

/** Records what is held back where that is new, and names the Pods whose protection cannot be read. */
function tellHold({ recorded, unreadable }: ProtectedShrink, { workload, context: { deps } }: Task): void {
  const { namespace = "", name, uid } = workload.replicaSet.metadata;
  const object = { kind: replicaSets.kind, namespace, name, uid };
  if (recorded !== undefined) deps.records.removals.add({ workload: object, ...recorded });
  if (unreadable.length === 0) return;
  const message = unreadableMessage(unreadable);
  tellBoth(workload, { type: "Warning", reason: "InvalidProtection", message }, deps);
}
