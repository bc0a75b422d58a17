import { messageOf } from "../../api/message-of.ts";
import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import { shrinkPatch } from "../../decisions/stock/held-shrink.ts";
import { isSteered, type SteeredWorkload, type Wishes, wishesOf } from "../../decisions/stock/wish.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import { elapsedMs } from "../../machinery/clock/clock.ts";
import type { SteeringDependencies } from "../dependencies.ts";
import { tellUnfulfilled } from "../unfulfilled.ts";
import { capGrowth } from "./cap-growth.ts";
import { PickerConsultant } from "./consult-picker.ts";
import type { DecisionTime } from "./decide-removal.ts";
import {
  findDeployment,
  type FoundWorkload,
  findWorkload,
  knownWishes,
  watchedDeployment,
  watchedReplicaSet,
} from "./find-workload.ts";
import { foretellRemoval } from "./foretell-removal.ts";
import { KeyedLock } from "./keyed-lock.ts";
import { Reservations } from "./reservations.ts";
import { type AdmissionAnswer, type AdmissionRequest, admitted, objectOf } from "./review.ts";
import { type SizeChange, sizeChangeOf } from "./size-change.ts";
import { heldWarning, labelHold } from "./label-hold.ts";
import { looksAtProtection } from "./protected-shrink.ts";
import { steerProtectedRemoval } from "./steer-protected-removal.ts";
import { steerRemoval, type SteeredShrink } from "./steer-removal.ts";
import { writeFailureOf, writeFailureText } from "./write-failure.ts";

/** Answers a request within so many milliseconds. */
export type AdmissionHandler = (request: AdmissionRequest, timeoutMs: number) => Promise<AdmissionAnswer>;

/** The answer is given so long before the API server stops waiting for it, and a picker has to have answered before. */
const answerAheadMs = 500;
const pickerAheadMs = 1000;
/** The watch of Pods gets so much of the time, and no more than that. */
const watchShare = 1 / 3;
const mostWatchMs = 2000;

/** Answers requests that change the size of ReplicaSets. Whatever fails, the request passes as it is. */
export function replicaSetAdmission(deps: SteeringDependencies): AdmissionHandler {
  const { pickers, clock, log, metrics } = deps;
  const state: AdmissionState = {
    deps,
    consultant: pickers && new PickerConsultant(pickers),
    reservations: new Reservations(clock),
    lock: new KeyedLock(),
  };
  return async (request, timeoutMs) => {
    const change = sizeChangeOf(request);
    if (change === undefined) return admitted;
    const startedMs = elapsedMs(clock);
    const kind = change.asked < change.old ? "shrink" : "grow";
    const time = timeFor(timeoutMs, clock);
    let result: Result = { answer: admitted, outcome: "failed" };
    try {
      result = await admit(change, request, { ...state, budget: time.budget });
    } catch (error) {
      log.warn("a request passes unsteered", { ...change, error: messageOf(error) });
      if (kind === "shrink") tellPassed(change, error, { deps, signal: time.budget.signal });
    } finally {
      time.end();
    }
    metrics.admissions.increase({ kind, outcome: result.outcome });
    metrics.admissionSeconds.observe({ kind }, (elapsedMs(clock) - startedMs) / 1000);
    return result.answer;
  };
}

/** Says of a shrink that it passed undecided; requests may be forged, so only about a ReplicaSet that this copy watches. */
function tellPassed(
  change: SizeChange,
  error: unknown,
  { deps, signal }: { readonly deps: SteeringDependencies; readonly signal: AbortSignal },
): void {
  const replicaSet = watchedReplicaSet(change, deps);
  if (replicaSet === undefined) return;
  const deployment = watchedDeployment(replicaSet, deps);
  const failure = writeFailureOf(error, signal);
  const message = `Nothing could be decided: ${writeFailureText(failure)}; the pods go by the cluster's own order`;
  tellUnfulfilled({ replicaSet, deployment }, { cause: failure.cause, message }, deps);
}

interface AdmissionState {
  readonly deps: SteeringDependencies;
  readonly consultant: PickerConsultant | undefined;
  readonly reservations: Reservations;
  readonly lock: KeyedLock;
}

interface Admission extends AdmissionState {
  readonly budget: DecisionTime;
}

interface Result {
  readonly answer: AdmissionAnswer;
  readonly outcome: string;
}

const passed = (outcome: string): Result => ({ answer: admitted, outcome });

function foretold(warning: string | undefined): Result {
  const answer = warning === undefined ? admitted : { allowed: true as const, warnings: [warning] };
  return { answer, outcome: "dry-run" };
}

interface Shrunk {
  readonly change: SizeChange;
  readonly workload: FoundWorkload;
  readonly deps: SteeringDependencies;
  readonly signal: AbortSignal;
}

/** A ReplicaSet is labelled in the request itself; a Scale carries no labels, so those of its ReplicaSet are written. */
async function shrunk(
  { resource, object, oldObject }: AdmissionRequest,
  { outcome, held }: SteeredShrink,
  { change, workload, deps, signal }: Shrunk,
): Promise<Result> {
  const warnings = held === undefined || workload.deployment !== undefined ? [] : [heldWarning(held)];
  if (resource !== "replicasets") {
    await labelHold(workload.replicaSet, held, { client: deps.client, signal });
    if (held === undefined) return passed(outcome);
    const patch = [{ op: "replace", path: "/spec/replicas", value: held.size }];
    return { answer: { allowed: true, patch, warnings }, outcome };
  }
  const labels = objectOf(objectOf(object?.["metadata"])?.["labels"]);
  const generation = objectOf(oldObject?.["metadata"])?.["generation"];
  const request = { ...change, labels, generation: typeof generation === "number" ? generation : 0 };
  return { answer: { allowed: true, patch: shrinkPatch(request, held), warnings }, outcome };
}

async function admit(change: SizeChange, request: AdmissionRequest, admission: Admission): Promise<Result> {
  if (request.operation === "CREATE") return admitNew(change, request, admission);
  const { deps, lock } = admission;
  const known = knownWishes(change, deps);
  // A wish that is younger than what was watched is on the ReplicaSet itself.
  if (known !== undefined && !concerns(known, change) && !concerns(carriedWishes(request), change))
    return passed("not-asked");
  const isShrinking = change.asked < change.old;
  // Nothing is to be chosen where all go, and nobody is to be waited for.
  if (isShrinking && change.asked === 0 && !deps.gates().PodRemovalProtection) return passed("not-needed");
  return lock.run(change.uid, async () => {
    const { signal } = admission.budget;
    const workload = await findWorkload(change, deps, signal);
    if (workload === undefined) return passed("unknown");
    const { deployment, wishes } = workload;
    if (!concerns(wishes, change)) return passed("not-asked");
    if (isShrinking && request.isDryRun) return foretold(await foretellRemoval(change, workload, admission));
    if (isShrinking) {
      const shrink = looksAtProtection(workload, deps)
        ? await steerProtectedRemoval(change, workload, admission)
        : { outcome: await steerRemoval(change, workload, admission) };
      return shrunk(request, shrink, { change, workload, deps, signal });
    }
    if (deployment === undefined) return passed("not-asked");
    return grow({ change, deployment, ...growthOf(request) }, admission);
  });
}

/** A ReplicaSet that is created; what it says about its owner is looked up. */
async function admitNew(
  change: SizeChange,
  request: AdmissionRequest,
  admission: Admission,
): Promise<Result> {
  const { deps, budget } = admission;
  const draft = request.object as unknown as ReplicaSet;
  const metadata = { ...draft.metadata, namespace: change.namespace };
  const deployment = await findDeployment({ metadata }, deps, budget.signal);
  if (deployment === undefined) return passed("not-asked");
  const wishes = wishesOf(deployment, deps.namespaces.get(change.namespace)?.metadata.labels);
  if (!concerns(wishes, change)) return passed("not-asked");
  return grow({ change, deployment, ...growthOf(request) }, admission);
}

/** What a request says about growth besides sizes. A ReplicaSet that asks carries annotations, a Scale has none. */
function growthOf({ object, resource, isDryRun }: AdmissionRequest) {
  const annotations = objectOf(objectOf(object?.["metadata"])?.["annotations"]);
  return { annotations: resource === "replicasets" ? annotations : undefined, isDryRun };
}

async function grow(
  growth: Parameters<typeof capGrowth>[0],
  { lock, budget, ...context }: Admission,
): Promise<Result> {
  const { answer, size } = await lock.run(`growth/${growth.deployment.metadata.uid}`, () =>
    capGrowth(growth, context, budget.signal),
  );
  return { answer, outcome: size < growth.change.asked ? "capped" : "admitted" };
}

/** What the ReplicaSet in a request asks for by itself; a Scale asks for nothing. */
function carriedWishes({ object }: AdmissionRequest): Wishes {
  const { metadata, spec } = (object ?? {}) as unknown as Partial<SteeredWorkload>;
  return wishesOf({ metadata: metadata ?? {}, ...(spec && { spec }) } as SteeredWorkload, undefined);
}

function concerns(wishes: Wishes, { asked, old }: SizeChange): boolean {
  if (!isSteered(wishes)) return false;
  return asked < old ? wishes.steersRemovals : wishes.policy === "TerminationComplete";
}

/** The time that a request may take; `end` stops the timers. */
function timeFor(
  timeoutMs: number,
  clock: Clock,
): { readonly budget: DecisionTime; readonly end: () => void } {
  const [answer, picker] = [new AbortController(), new AbortController()];
  const over = (what: string) => new Error(`no time is left for ${what}`);
  const answerMs = Math.max(timeoutMs - answerAheadMs, 0);
  const pickerMs = Math.max(timeoutMs - pickerAheadMs, 0);
  const timers = [
    clock.after(answerMs, () => answer.abort(over("the answer"))),
    clock.after(pickerMs, () => picker.abort(over("the pod picker"))),
  ];
  const budget = {
    signal: answer.signal,
    pickerSignal: picker.signal,
    // The whole seconds that are left once the workload has been looked up.
    pickerSeconds: Math.max(Math.ceil(pickerMs / 1000) - 1, 1),
    watchMs: Math.min(answerMs * watchShare, mostWatchMs),
  };
  return { budget, end: () => timers.forEach((timer) => timer.cancel()) };
}
