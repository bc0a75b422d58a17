import { messageOf } from "../../api/message-of.ts";
import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import { deployments } from "../../api/resources.ts";
import { deferredText, withoutDeferredPatch } from "../../decisions/stock/deferred-shrink.ts";
import {
  isSteered,
  modeOf,
  type SteeredWorkload,
  type Wishes,
  wishesOf,
} from "../../decisions/stock/wish.ts";
import { elapsedMs } from "../../machinery/clock/clock.ts";
import type { SteeringDependencies } from "../dependencies.ts";
import { tellUnfulfilled } from "../unfulfilled.ts";
import { capGrowth } from "./cap-growth.ts";
import type { PickerConsultant } from "./consult-picker.ts";
import type { DecisionTime } from "./decide-removal.ts";
import { heldTime } from "./decision-time.ts";
import { deferShrink, repeatSize } from "./defer-shrink.ts";
import {
  findGrowingOwner,
  type FoundWorkload,
  findWorkload,
  knownWishes,
  watchedDeployment,
  watchedReplicaSet,
} from "./find-workload.ts";
import { foretellRemoval } from "./foretell-removal.ts";
import { KeyedLock } from "./keyed-lock.ts";
import { observeSize } from "./observe-size.ts";
import { Reservations } from "./reservations.ts";
import { type AdmissionAnswer, type AdmissionRequest, admitted, objectOf } from "./review.ts";
import { type SizeChange, sizeChangeOf } from "./size-change.ts";
import { heldWarning, labelHold } from "./label-hold.ts";
import { looksAtProtection } from "./protected-shrink.ts";
import { steerProtectedRemoval } from "./steer-protected-removal.ts";
import { steerRemoval } from "./steer-removal.ts";
import { writeFailureOf, writeFailureText } from "./write-failure.ts";

/** Answers a request within so many milliseconds. */
export type AdmissionHandler = (request: AdmissionRequest, timeoutMs: number) => Promise<AdmissionAnswer>;

/** Answers requests that change the size of ReplicaSets. Whatever fails, the request passes as it is. */
export function replicaSetAdmission(
  deps: SteeringDependencies,
  consultant: PickerConsultant | undefined,
): AdmissionHandler {
  const { clock, log, metrics } = deps;
  const state: AdmissionState = {
    deps,
    consultant,
    reservations: new Reservations(clock),
    lock: new KeyedLock(),
  };
  return async (request, timeoutMs) => {
    const change = sizeChangeOf(request);
    if (change === undefined) return repeatSize(request, deps);
    const startedMs = elapsedMs(clock);
    const kind = change.asked < change.old ? "shrink" : "grow";
    const time = heldTime(timeoutMs, clock);
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
export function tellPassed(
  change: Pick<SizeChange, "namespace" | "name" | "uid">,
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

async function admit(change: SizeChange, request: AdmissionRequest, admission: Admission): Promise<Result> {
  if (request.operation === "CREATE") return admitNew(change, request, admission);
  const { deps } = admission;
  const known = knownWishes(change, deps);
  const carried = carriedWishes(request, deps);
  const mode = modeOf(known ?? carried, deps.mode);
  if (mode !== "enforce" && !request.isDryRun) {
    if (mode === "observe") observeSize(change, admission);
    return ended(request, passed(mode));
  }
  // A wish that is younger than what was watched is on the ReplicaSet itself.
  const isAsked = known === undefined || [known, carried].some((wishes) => concerns(wishes, change));
  return isAsked ? admitAsked(change, request, admission) : ended(request, passed("not-asked"));
}

async function admitAsked(
  change: SizeChange,
  request: AdmissionRequest,
  admission: Admission,
): Promise<Result> {
  if (change.asked >= change.old) return ended(request, await admitGrowth(change, request, admission));
  const isHeld = request.resource !== "replicasets" || request.isDryRun;
  return isHeld ? holdShrink(change, request, admission) : deferShrink(change, request, admission.deps);
}

/** Whoever asks for more Pods than there are no longer wants fewer. */
function ended({ object, isDryRun }: AdmissionRequest, result: Result): Result {
  const labels = objectOf(objectOf(object?.["metadata"])?.["labels"]);
  const ending = isDryRun ? [] : withoutDeferredPatch(labels);
  const { answer } = result;
  if (ending.length === 0 || !answer.allowed) return result;
  return { ...result, answer: { ...answer, patch: [...(answer.patch ?? []), ...ending] } };
}

async function admitGrowth(
  change: SizeChange,
  request: AdmissionRequest,
  admission: Admission,
): Promise<Result> {
  const { deps, budget } = admission;
  const workload = await findWorkload(change, deps, budget.signal);
  if (workload === undefined) return passed("unknown");
  const { replicaSet, deployment, wishes } = workload;
  if (!concerns(wishes, change)) return passed("not-asked");
  const owner =
    deployment === undefined
      ? await findGrowingOwner(replicaSet, deps, budget.signal)
      : { deployment, resource: deployments };
  return owner === undefined
    ? passed("not-asked")
    : grow({ change, ...owner, ...growthOf(request) }, admission);
}

/** Decides while the request waits: a Scale has no labels by which it could be deferred, and a dry run is no request. */
async function holdShrink(
  change: SizeChange,
  { isDryRun }: AdmissionRequest,
  admission: Admission,
): Promise<Result> {
  const { deps } = admission;
  // Nothing is to be chosen where all go, and nobody is to be waited for.
  if (change.asked === 0 && !deps.gates().PodRemovalProtection) return passed("not-needed");
  return admission.lock.run(change.uid, async () => {
    const workload = await findWorkload(change, deps, admission.budget.signal);
    if (workload === undefined) return passed("unknown");
    if (!concerns(workload.wishes, change)) return passed("not-asked");
    if (isDryRun) return foretold(await foretellRemoval(change, workload, admission));
    if (deferredText(workload.replicaSet) === undefined && looksAtProtection(workload, deps))
      return shrunkScale(change, workload, admission);
    // The marks of the one that is being decided must not be mixed with others.
    const { kind, problem } =
      deferredText(workload.replicaSet) === undefined
        ? await steerRemoval(change, workload, admission)
        : { kind: "deferred-before", problem: isBeingDecided };
    if (problem !== undefined) tellUnfulfilled(workload, problem, deps);
    return passed(kind);
  });
}

/** A Scale carries no labels, so those of its ReplicaSet are written where protected Pods hold it back. */
async function shrunkScale(
  change: SizeChange,
  workload: FoundWorkload,
  admission: Admission,
): Promise<Result> {
  const { deps, budget } = admission;
  const { kind, held, problem } = await steerProtectedRemoval(change, workload, admission);
  if (problem !== undefined) tellUnfulfilled(workload, problem, deps);
  await labelHold(workload.replicaSet, held, { client: deps.client, signal: budget.signal });
  if (held === undefined) return passed(kind);
  const patch = [{ op: "replace", path: "/spec/replicas", value: held.size }];
  const warnings = workload.deployment === undefined ? [heldWarning(held)] : [];
  return { answer: { allowed: true, patch, warnings }, outcome: kind };
}

const isBeingDecided = {
  cause: "Failed",
  message:
    "It was scaled down through /scale while an earlier scale-down was being decided: other pods than decided may be removed",
} as const;

/** A ReplicaSet that is created; what it says about its owner is looked up. */
async function admitNew(
  change: SizeChange,
  request: AdmissionRequest,
  admission: Admission,
): Promise<Result> {
  const { deps, budget } = admission;
  const draft = request.object as unknown as ReplicaSet;
  const metadata = { ...draft.metadata, namespace: change.namespace };
  const owner = await findGrowingOwner({ metadata }, deps, budget.signal);
  if (owner === undefined) return passed("not-asked");
  // A Rollout says on its ReplicaSets what it asks for, too: its template may be another workload's.
  const asking = owner.resource === deployments ? owner.deployment : draft;
  const wishes = wishesOf(asking, deps.namespaces.get(change.namespace)?.metadata.labels);
  const mode = modeOf(wishes, deps.mode);
  if (mode !== "enforce") return passed(mode);
  if (!concerns(wishes, change)) return passed("not-asked");
  return grow({ change, ...owner, ...growthOf(request) }, admission);
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

/** What the ReplicaSet in a request asks for by itself, or for its namespace; a Scale asks for nothing. */
function carriedWishes(
  { object, namespace }: AdmissionRequest,
  { namespaces }: SteeringDependencies,
): Wishes {
  const { metadata, spec } = (object ?? {}) as unknown as Partial<SteeredWorkload>;
  return wishesOf(
    { metadata: metadata ?? {}, ...(spec && { spec }) } as SteeredWorkload,
    namespaces.get(namespace)?.metadata.labels,
  );
}

function concerns(wishes: Wishes, { asked, old }: SizeChange): boolean {
  if (!isSteered(wishes)) return false;
  return asked < old ? wishes.steersRemovals : wishes.policy === "TerminationComplete";
}
