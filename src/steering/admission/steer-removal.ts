import type { Pod } from "../../api/generated/core-v1.ts";
import type { JsonObject } from "../../api/json.ts";
import { messageOf } from "../../api/message-of.ts";
import { keyOf } from "../../api/object.ts";
import { controllerOf, isControlledBy } from "../../api/owner-references.ts";
import { replicaSets } from "../../api/resources.ts";
import { steeringSummary } from "../../decisions/explain/steering-summary.ts";
import { activePodsOf } from "../../decisions/gather/owned-objects.ts";
import { hasMarkAnnotations } from "../../decisions/stock/mark.ts";
import type { HeldShrink } from "../../decisions/stock/held-shrink.ts";
import { planMarks } from "../../decisions/stock/plan-marks.ts";
import type { SteeredRemoval } from "../decision-memory.ts";
import type { SteeringDependencies } from "../dependencies.ts";
import { tellBoth, tellUnfulfilled, type Unfulfilled } from "../unfulfilled.ts";
import { decideRemoval, type Gathered, type RemovalContext } from "./decide-removal.ts";
import { type FoundWorkload, listWorkloadPods, selectorOf, watchedPods } from "./find-workload.ts";
import { textOf } from "./review.ts";
import type { SizeChange } from "./size-change.ts";
import { writeFailureText } from "./write-failure.ts";
import { type MarksToWrite, type WrittenMarks, writeMarks } from "./write-marks.ts";

/** What became of a removal. */
export interface RemovalOutcome {
  readonly kind: "not-needed" | "rate-limited" | "steered" | "incomplete";
  /** Whether Pods were written: the stock controller's own watch has these writes a little later. */
  readonly hasWritten: boolean;
  /** Why the stock controller may remove other Pods than decided; to be told unless it is decided anew. */
  readonly problem?: Unfulfilled | undefined;
}

/** What became of a removal in which Pods may be protected. */
export interface ProtectedOutcome extends Omit<RemovalOutcome, "kind"> {
  readonly kind: RemovalOutcome["kind"] | "held";
  /** What is held back; absent: nothing. */
  readonly held?: HeldAdmission | undefined;
  /** An earlier shrink is still being carried out: it is to be decided again in a moment. */
  readonly isRemoving?: boolean;
}

/** What a shrink is admitted as, and the sentence about that. */
export interface HeldAdmission extends HeldShrink {
  readonly message: string;
}

/**
 * Decides which Pods a shrinking ReplicaSet loses, and makes the stock controller remove them by their costs.
 *
 * The API server waits, and a list of a thousand Pods is a large part of what it would wait for. So the Pods are first
 * taken as this copy watches them. That may be late, but once the watch has shown the marks that were written it is as
 * new as these, which are younger than the request: what is decided on the Pods then counts, and usually it is the same.
 * Where no mark proves that, the Pods are listed.
 */
export async function steerRemoval(
  change: SizeChange,
  workload: FoundWorkload,
  context: RemovalContext,
): Promise<RemovalOutcome> {
  const task: Task = { change, workload, context };
  const early = await steerWatched(task);
  if (early?.kind === "rate-limited") return conclude(early, task);
  if (early?.kind === "marked") return conclude(await lookAgain(early, task), task);
  const listed = await live(workload, context);
  return conclude(await steerBy({ listed, isProven: true, onlyIf: "same-pod" }, task), task);
}

interface Marked {
  readonly kind: "marked";
  /** The Pods that it was decided on. */
  readonly listed: readonly Pod[];
  readonly removal: SteeredRemoval;
  readonly written: WrittenMarks;
  /** Whether Pods were written for this request, now or before they were looked at again. */
  readonly hasWritten: boolean;
  readonly isNew: boolean;
}

type Steered = Marked | { readonly kind: "not-needed" | "rate-limited" };

/** Looks at the Pods again after they have been marked; if they are other ones than thought, decides and marks anew. */
async function lookAgain(early: Marked, task: Task): Promise<Steered> {
  const { workload, context } = task;
  const listed = isProof(early) ? watched(workload, context) : await liveIfPossible(task);
  if (listed === undefined || context.budget.signal.aborted)
    return { ...early, written: { ...early.written, isSeen: false } };
  const earlier = { id: early.removal.id, isOutrun: isOutrun(early, listed) };
  const basis = { listed, isProven: true, onlyIf: "same-pod", earlier, before: early.written } as const;
  const final = await steerBy(basis, task);
  return together(early, final, context);
}

/** Whether the watch has shown writes that are younger than the request. */
function isProof({ written }: Marked): boolean {
  return written.versions.size > 0 && written.isSeen;
}

/** Whether a new decision was made on Pods that are not the ones there are, but for its own marks. */
function isOutrun({ listed, written, isNew }: Marked, now: readonly Pod[]): boolean {
  if (!isNew) return false;
  const known = new Map(listed.map(({ metadata }) => [metadata.uid, metadata.resourceVersion]));
  const isKnown = ({ metadata: { uid, resourceVersion } }: Pod) =>
    resourceVersion === known.get(uid) || resourceVersion === written.versions.get(uid);
  return now.length !== listed.length || !now.every(isKnown);
}

/** What became of a request whose Pods were looked at again after they had been marked. */
function together(early: Marked, final: Steered, { deps }: RemovalContext): Steered {
  if (final.kind === "rate-limited") return early;
  if (final.kind === "marked") return { ...final, isNew: early.isNew || final.isNew };
  deps.memory.forget(keyOf(early.removal.replicaSet), early.removal.id);
  return final;
}

/** Decides on the Pods that are watched; `undefined` where a picker is asked, which is to see the right ones at once. */
async function steerWatched(task: Task): Promise<Steered | undefined> {
  const { workload, context } = task;
  if (workload.wishes.picker !== undefined || !context.deps.pods.hasSynced) return undefined;
  const listed = watched(workload, context);
  const { watchMs: seenWithinMs } = context.budget;
  return steerBy({ listed, isProven: false, onlyIf: "unchanged", seenWithinMs }, task);
}

function watched(workload: FoundWorkload, { deps }: RemovalContext): readonly Pod[] {
  return watchedPods(workload.replicaSet.metadata.namespace ?? "", selectorOf(workload), deps.pods);
}

function live(
  workload: FoundWorkload,
  { deps: { client }, budget: { signal } }: RemovalContext,
): Promise<readonly Pod[]> {
  return listWorkloadPods(workload, client, signal);
}

/** `undefined` where they cannot be listed: what has been marked stays, and it is told. */
async function liveIfPossible({ change, workload, context }: Task): Promise<readonly Pod[] | undefined> {
  try {
    return await live(workload, context);
  } catch (error) {
    const { namespace, name } = change;
    context.deps.log.warn("marked Pods could not be listed", { namespace, name, error: messageOf(error) });
    return undefined;
  }
}

type Basis = Pick<MarksToWrite, "onlyIf" | "before" | "seenWithinMs"> &
  Pick<Gathered, "listed" | "earlier"> &
  Pick<SteeredRemoval, "isProven">;

interface Task {
  readonly change: SizeChange;
  readonly workload: FoundWorkload;
  readonly context: RemovalContext;
}

/** Decides on these Pods and marks them. */
async function steerBy(basis: Basis, { change, workload, context }: Task): Promise<Steered> {
  const { listed, earlier } = basis;
  const { deps, budget } = context;
  const pods = activePodsOf(workload.replicaSet, { claimablePods: () => listed });
  if (pods.length <= change.asked) return { kind: "not-needed" };
  const decided = await decideRemoval(change, workload, { ...context, pods, listed, earlier });
  if (decided === undefined) {
    if (earlier === undefined) await unmarkAll(pods, deps, budget.signal);
    return { kind: "rate-limited" };
  }
  const { removal, stockFacts, isNew } = decided;

  const plan = planMarks({ pods, choice: removal.choice, stockFacts, isShared: isShared(workload, listed) });
  const by = { decision: removal.id, generation: removal.generation, cost: plan.cost };
  const steered = { ...removal, marked: plan.marked, isProven: removal.isProven || basis.isProven };
  // Before the Pods are written: what is removed is compared with it from the first moment on.
  deps.memory.remember(steered);
  const written = await writeMarks({ ...basis, ...plan, by }, deps, budget.signal);
  const hasWritten = [basis.before, written].some((each) => (each?.versions.size ?? 0) > 0);
  return { kind: "marked", listed, removal: steered, written, hasWritten, isNew };
}

/** What is not decided goes by the stock order, in which the marks of an earlier decision must not count. */
export async function unmarkAll(
  pods: readonly Pod[],
  deps: SteeringDependencies,
  signal: AbortSignal,
): Promise<void> {
  const leftovers = pods.filter(hasMarkAnnotations);
  if (leftovers.length > 0) await writeMarks({ ...nothingToMark, leftovers }, deps, signal);
}

const nothingToMark = {
  marks: [],
  by: { decision: "", generation: 0, cost: 0 },
  onlyIf: "same-pod",
} as const;

/** Whether other ReplicaSets have a say: the Pods of a controller that is no Deployment are not all listed. */
export function isShared({ replicaSet, deployment }: FoundWorkload, listed: readonly Pod[]): boolean {
  if (deployment === undefined && controllerOf(replicaSet) !== undefined) return true;
  return listed.some((pod) => !isControlledBy(pod, replicaSet.metadata.uid));
}

function conclude(steered: Steered, { workload, context: { deps } }: Task): RemovalOutcome {
  if (steered.kind === "rate-limited") return { kind: steered.kind, hasWritten: true, problem: tooOften };
  if (steered.kind !== "marked") return { kind: steered.kind, hasWritten: false };
  const { removal, written, hasWritten, isNew } = steered;
  if (isNew) report(removal, workload, deps);
  const kind = written.failures.length === 0 ? "steered" : "incomplete";
  return { kind, hasWritten, problem: problemOf(written) };
}

export const tooOften = {
  cause: "RateLimited",
  message:
    "It was asked for too many different sizes in a short time: the pods go by the cluster's own order",
} as const;

/** Records a decision, and says it to whoever looks at the workload. */
export function report(removal: SteeredRemoval, workload: FoundWorkload, deps: SteeringDependencies): void {
  const { replicaSet, choice, facts, picker, marked } = removal;
  const { namespace = "", name, uid } = replicaSet.metadata;
  const object = { kind: replicaSets.kind, namespace, name, uid };
  deps.records.removals.add({ workload: object, choice, facts, ...(picker === undefined ? {} : { picker }) });
  deps.metrics.decisions.increase({ marked });
  const message = steeringSummary(choice);
  tellBoth(workload, { type: "Normal", reason: "ScaleDownSteered", message, isSummary: true }, deps);
  if (picker?.["outcome"] === "Failed") tellUnfulfilled(workload, pickerProblem(picker), deps);
}

function pickerProblem({ class: failure }: JsonObject): Unfulfilled {
  return failure === "Saturated"
    ? { cause: "Saturated", message: "Too many pickers were being asked: the pods go by the other rules" }
    : {
        cause: "PickerFailed",
        message: `The pod picker failed, ${textOf(failure)}: the pods go by the other rules`,
      };
}

/** Why the stock controller may remove other Pods than decided. */
export function problemOf({ failures, isSeen }: WrittenMarks): Unfulfilled | undefined {
  const then = "other Pods than decided may be removed";
  const [first] = failures;
  if (first !== undefined) {
    const why = `${failures.length} Pods could not be marked: ${writeFailureText(first)}`;
    return { cause: first.cause, message: `${why}; ${then}` };
  }
  return isSeen ? undefined : { cause: "TooLate", message: `The marks were not seen in time; ${then}` };
}
