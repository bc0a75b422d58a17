import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { compileLabelSelector } from "../../api/labels/compile-label-selector.ts";
import { matchesLabels } from "../../api/labels/label-selector.ts";
import { chooseVictimsInSteps } from "../../decisions/downscale/choose-victims.ts";
import { countPerNode } from "../../decisions/downscale/co-location.ts";
import type { Facts } from "../../decisions/downscale/facts.ts";
import { countOf } from "../../decisions/rollout/counts.ts";
import { withOriginalCost } from "../../decisions/stock/mark.ts";
import { spreadOfInSteps } from "../../decisions/spread/spread-of.ts";
import { runInSteps } from "../../machinery/clock/run-in-steps.ts";
import { withSameController } from "../../machinery/ownership/owner-index.ts";
import { randomInt } from "../../machinery/random/random.ts";
import type { SteeredRemoval } from "../decision-memory.ts";
import type { SteeringDependencies } from "../dependencies.ts";
import { type Consultation, type PickerConsultant, withPicker } from "./consult-picker.ts";
import type { FoundWorkload } from "./find-workload.ts";
import type { SizeChange } from "./size-change.ts";

/** The time there is for a decision. */
export interface Budget {
  /** Aborts when the answer has to be given. */
  readonly signal: AbortSignal;
  /** Aborts when a picker has had its time. */
  readonly pickerSignal: AbortSignal;
  readonly pickerSeconds: number;
  /** A watch that has not shown marks by then is late or lost: there has to be time to list the Pods and to mark others. */
  readonly watchMs: number;
}

export interface RemovalContext {
  readonly deps: SteeringDependencies;
  readonly consultant: PickerConsultant | undefined;
  readonly budget: Budget;
}

/** The Pods that a removal is decided on. */
export interface Gathered extends RemovalContext {
  /** The active Pods of the ReplicaSet. */
  readonly pods: readonly Pod[];
  /** All Pods of the workload. */
  readonly listed: readonly Pod[];
  /** The decision about the same request; made anew, under its name, if these Pods are other ones than it was made on. */
  readonly earlier?: { readonly id: string; readonly isOutrun: boolean } | undefined;
}

/** A removal, and what is needed to make the stock controller carry it out. */
export interface DecidedRemoval {
  readonly removal: SteeredRemoval;
  readonly stockFacts: Facts;
  /** Whether it was decided just now. */
  readonly isNew: boolean;
}

/** A decision younger than this keeps its name: the marks of an older one may be undone at any moment. */
const reusedMs = 15_000;

/** Decides the whole cut; asked again about the same, the proven decision already taken. `undefined`: too many were asked for. */
export async function decideRemoval(
  change: SizeChange,
  workload: FoundWorkload,
  gathered: Gathered,
): Promise<DecidedRemoval | undefined> {
  const { deps, earlier } = gathered;
  const { replicaSet, deployment } = workload;
  const related = countPerNode(relatedPods(replicaSet, gathered));
  const facts: Facts = { now: deps.clock.now(), gates: deps.gates(), related };
  // The stock controller counts no Pods for a ReplicaSet without an owner.
  const stockFacts = deployment === undefined ? { ...facts, related: () => 0 } : facts;
  const known = takenDecision(change, replicaSet, gathered);
  if (known !== undefined) return { removal: known, stockFacts, isNew: false };
  // What is decided on the right Pods instead of others is not another decision.
  if (earlier?.isOutrun !== true && !deps.memory.mayDecide(replicaSet)) return undefined;
  return { removal: await newDecision(change, workload, { ...gathered, facts }), stockFacts, isNew: true };
}

/** The decision already taken about the same ReplicaSet, size and Pods, under the name that its marks get now. */
function takenDecision(
  change: SizeChange,
  replicaSet: ReplicaSet,
  { deps, pods, earlier }: Gathered,
): SteeredRemoval | undefined {
  if (earlier?.isOutrun === true) return undefined;
  const same = deps.memory.same(replicaSet, change.asked, pods);
  if (same === undefined) return undefined;
  // What an earlier request could not prove is looked at anew; for this one, the Pods have just been compared.
  if (!same.isProven && earlier === undefined) return undefined;
  const isYoung = deps.clock.now() - same.decidedAt < reusedMs;
  const id = earlier?.id ?? (isYoung ? same.id : newId(deps));
  return { ...same, id, generation: nextGeneration(replicaSet), replicaSet };
}

const nextGeneration = ({ metadata }: ReplicaSet): number => countOf(metadata.generation) + 1;

async function newDecision(
  change: SizeChange,
  workload: FoundWorkload,
  gathered: Gathered & { readonly facts: Facts },
): Promise<SteeredRemoval> {
  const { deps, pods, earlier, facts } = gathered;
  const { replicaSet, wishes } = workload;
  const originals = pods.map(withOriginalCost);
  const count = pods.length - change.asked;
  const { picks, outcome } = await consult(
    withPicker(replicaSet, wishes.picker, gathered.budget.pickerSeconds),
    { pods: originals, count, facts },
    gathered,
  );
  const all = picks === undefined ? await withSpread(facts, workload, gathered) : { ...facts, picks };
  const choice = await runInSteps(chooseVictimsInSteps(originals, count, all), deps.clock);
  return {
    // One that was taken over from an earlier request may be as old as its marks get.
    id: earlier?.isOutrun === true ? earlier.id : newId(deps),
    replicaSet,
    size: change.asked,
    generation: nextGeneration(replicaSet),
    choice,
    facts: all,
    marked: "none",
    decidedAt: facts.now,
    isProven: false,
    ...(outcome === undefined ? {} : { picker: outcome }),
  };
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
