import { deepEqual } from "../../api/deep-equal.ts";
import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { compileLabelSelector } from "../../api/labels/compile-label-selector.ts";
import { matchesLabels } from "../../api/labels/label-selector.ts";
import { controllerOf, isControlledBy } from "../../api/owner-references.ts";
import { isActive } from "../../api/pod-state.ts";
import { replicaSets } from "../../api/resources.ts";
import { chooseVictimsInSteps } from "../../decisions/downscale/choose-victims.ts";
import { countPerNode } from "../../decisions/downscale/co-location.ts";
import type { Facts } from "../../decisions/downscale/facts.ts";
import { steeringSummary } from "../../decisions/explain/steering-summary.ts";
import { countOf } from "../../decisions/rollout/counts.ts";
import { withOriginalCost } from "../../decisions/stock/mark.ts";
import { spreadOfInSteps } from "../../decisions/spread/spread-of.ts";
import { planMarks } from "../../decisions/stock/plan-marks.ts";
import { runInSteps } from "../../machinery/clock/run-in-steps.ts";
import { referenceTo } from "../../machinery/events/event-draft.ts";
import { withSameController } from "../../machinery/ownership/owner-index.ts";
import { randomInt } from "../../machinery/random/random.ts";
import type { SteeredRemoval } from "../decision-memory.ts";
import type { SteeringDependencies } from "../dependencies.ts";
import { type Consultation, type PickerConsultant, withPicker } from "./consult-picker.ts";
import { type FoundWorkload, listPods, type PodListing } from "./find-workload.ts";
import type { SizeChange } from "./size-change.ts";
import { type WrittenMarks, writeMarks } from "./write-marks.ts";

/** The time there is for a decision. */
export interface Budget {
  /** Aborts when the answer has to be given. */
  readonly signal: AbortSignal;
  /** Aborts when a picker has had its time. */
  readonly pickerSignal: AbortSignal;
  readonly pickerSeconds: number;
}

export type RemovalOutcome = "not-needed" | "rate-limited" | "steered" | "incomplete";

/** Decides which Pods a shrinking ReplicaSet loses, and makes the stock controller remove them by their costs. */
export async function steerRemoval(
  change: SizeChange,
  workload: FoundWorkload,
  context: RemovalContext,
): Promise<RemovalOutcome> {
  const { deps, budget } = context;
  const { replicaSet } = workload;
  const listed = await podsOf(workload, context);
  const pods = listed.filter((pod) => isControlledBy(pod, replicaSet.metadata.uid) && isActive(pod));
  if (pods.length <= change.asked) return "not-needed";
  const decided = await decide(change, workload, { ...context, pods, listed });
  if (decided === undefined) return "rate-limited";
  const { removal, stockFacts, isNew } = decided;

  const plan = planMarks({ pods, choice: removal.choice, stockFacts, isShared: isShared(workload, listed) });
  const by = { decision: removal.id, generation: removal.generation, cost: plan.cost };
  const steered = { ...removal, marked: plan.marked };
  // Before the Pods are written: what is removed is compared with it from the first moment on.
  deps.memory.remember(steered);
  const written = await writeMarks({ ...plan, by }, deps, budget.signal);
  if (isNew) report(steered, written, deps);
  return written.failed === 0 ? "steered" : "incomplete";
}

/** Whether other ReplicaSets have a say: the Pods of a controller that is no Deployment are not all listed. */
function isShared({ replicaSet, deployment }: FoundWorkload, listed: readonly Pod[]): boolean {
  if (deployment === undefined && controllerOf(replicaSet) !== undefined) return true;
  return listed.some((pod) => !isControlledBy(pod, replicaSet.metadata.uid));
}

/** The Pods of the workload, live: those that are being listed already, where they are the right ones. */
function podsOf(
  { replicaSet, deployment }: FoundWorkload,
  { listing, deps: { client }, budget: { signal } }: RemovalContext,
): Promise<readonly Pod[]> {
  const { selector } = (deployment ?? replicaSet).spec;
  if (listing !== undefined && deepEqual(listing.selector, selector)) return listing.pods;
  return listPods(replicaSet.metadata.namespace ?? "", selector, { client, signal });
}

export interface RemovalContext {
  readonly deps: SteeringDependencies;
  /** Started when the request came in; absent: the workload was not known then. */
  readonly listing: PodListing | undefined;
  readonly consultant: PickerConsultant | undefined;
  readonly budget: Budget;
}

interface Gathered extends RemovalContext {
  /** The active Pods of the ReplicaSet. */
  readonly pods: readonly Pod[];
  /** All Pods of the workload. */
  readonly listed: readonly Pod[];
}

/** A decision younger than this keeps its name: the marks of an older one may be undone at any moment. */
const reusedMs = 15_000;

/** Decides the whole cut; asked again about the same, the decision already taken. `undefined`: too many were asked for. */
async function decide(change: SizeChange, workload: FoundWorkload, gathered: Gathered) {
  const { deps, pods } = gathered;
  const { replicaSet, deployment, wishes } = workload;
  const originals = pods.map(withOriginalCost);
  const related = countPerNode(relatedPods(replicaSet, gathered));
  const now = deps.clock.now();
  const facts: Facts = { now, gates: deps.gates(), related };
  // The stock controller counts no Pods for a ReplicaSet without an owner.
  const stockFacts = deployment === undefined ? { ...facts, related: () => 0 } : facts;
  const same = deps.memory.same(replicaSet, change.asked, pods);
  const generation = countOf(replicaSet.metadata.generation) + 1;
  if (same !== undefined) {
    const id = now - same.decidedAt < reusedMs ? same.id : newId(deps);
    return { removal: { ...same, id, generation, replicaSet }, stockFacts, isNew: false };
  }
  if (!deps.memory.mayDecide(replicaSet)) return undefined;

  const count = pods.length - change.asked;
  const { picks, outcome } = await consult(
    withPicker(replicaSet, wishes.picker, gathered.budget.pickerSeconds),
    { pods: originals, count, facts },
    gathered,
  );
  const all = picks === undefined ? await withSpread(facts, workload, gathered) : { ...facts, picks };
  const choice = await runInSteps(chooseVictimsInSteps(originals, count, all), deps.clock);
  const removal: SteeredRemoval = {
    id: newId(deps),
    replicaSet,
    size: change.asked,
    generation,
    choice,
    facts: all,
    marked: "none",
    decidedAt: now,
    ...(outcome === undefined ? {} : { picker: outcome }),
  };
  return { removal, stockFacts, isNew: true };
}

/** Adds the constraints by which the Pods were spread, where a scale-down looks at them. */
async function withSpread(
  facts: Facts,
  { replicaSet, wishes }: FoundWorkload,
  gathered: Gathered,
): Promise<Facts> {
  const { deps, pods } = gathered;
  if (!(wishes.spreads ?? facts.gates.TopologyAwareScaleDown)) return facts;
  const steps = spreadOfInSteps({
    owner: replicaSet,
    pods,
    related: relatedPods(replicaSet, gathered),
    nodes: deps.nodes.hasSynced ? deps.nodes.list() : undefined,
    services: deps.services.list(),
    defaultsFor: deps.spreadDefaults,
  });
  return { ...facts, spread: await runInSteps(steps, deps.clock) };
}

async function consult(
  owner: ReplicaSet,
  request: Parameters<PickerConsultant["consult"]>[1],
  { consultant, budget }: Gathered,
): Promise<Consultation> {
  if (consultant === undefined || owner.spec.downscalePodPicker === undefined) return {};
  return consultant.consult(owner, request, budget.pickerSignal);
}

/** The Pods that any ReplicaSet of the same Deployment selects; of a ReplicaSet without one, its own. */
function relatedPods(replicaSet: ReplicaSet, { deps, listed }: Gathered): readonly Pod[] {
  const siblings = [replicaSet, ...withSameController(deps.replicaSets, replicaSet)];
  const selections = siblings.flatMap(({ spec }) => {
    const compiled = compileLabelSelector(spec.selector);
    return compiled.ok ? [compiled.selection] : [];
  });
  return listed.filter(({ metadata }) =>
    selections.some((selection) => matchesLabels(selection, metadata.labels)),
  );
}

const idLength = 10;

function newId({ random }: SteeringDependencies): string {
  return Array.from({ length: idLength }, () => randomInt(random, 16).toString(16)).join("");
}

function report(removal: SteeredRemoval, written: WrittenMarks, deps: SteeringDependencies): void {
  const { replicaSet, choice, facts, picker, marked } = removal;
  const { namespace = "", name, uid } = replicaSet.metadata;
  const workload = { kind: replicaSets.kind, namespace, name, uid };
  deps.records.removals.add({ workload, choice, facts, ...(picker === undefined ? {} : { picker }) });
  deps.metrics.decisions.increase({ marked });
  const regarding = referenceTo(replicaSets, replicaSet);
  deps.events.record({
    regarding,
    type: "Normal",
    reason: "ScaleDownSteered",
    message: steeringSummary(choice),
    isSummary: true,
  });
  if (written.failed === 0 && written.isSeen) return;
  const message =
    written.failed > 0
      ? `${written.failed} Pods could not be marked in time: other Pods than decided may be removed`
      : "The marks were not seen in time: other Pods than decided may be removed";
  deps.events.record({ regarding, type: "Warning", reason: "ScaleDownNotSteered", message });
}
