import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { chooseVictimsInSteps } from "../../decisions/downscale/choose-victims.ts";
import type { Facts } from "../../decisions/downscale/facts.ts";
import { removalStateOf } from "../../decisions/gather/gather-removal.ts";
import type { WorkloadReader } from "../../decisions/gather/workload-reader.ts";
import {
  type RemovalState,
  removalFactsInSteps,
  uncountedFacts,
} from "../../decisions/replicas/removal-facts.ts";
import { removalOrderAnnotation } from "../../api/workload-settings.ts";
import { countOf } from "../../decisions/rollout/counts.ts";
import { withOriginalCost } from "../../decisions/stock/mark.ts";
import { runInSteps } from "../../machinery/clock/run-in-steps.ts";
import { withSameController } from "../../machinery/ownership/owner-index.ts";
import { randomInt } from "../../machinery/random/random.ts";
import type { AskedBy, SteeredRemoval } from "../decision-memory.ts";
import type { SteeringDependencies } from "../dependencies.ts";
import { type Consultation, type PickerConsultant, askingPicker } from "./consult-picker.ts";
import type { FoundWorkload } from "./find-workload.ts";
import type { SizeChange } from "./size-change.ts";

/** The time there is for a decision. */
export interface DecisionTime {
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
  readonly budget: DecisionTime;
  /** Absent: a request. */
  readonly askedBy?: AskedBy;
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
  const { deps, earlier, askedBy } = gathered;
  const { replicaSet } = workload;
  const state = gatherState(workload, gathered);
  const stockFacts = stockFactsOf(workload, state);
  const known = takenDecision(change, replicaSet, gathered);
  if (known !== undefined) return { removal: known, stockFacts, isNew: false };
  // What is decided on the right Pods instead of others is not another decision.
  if (earlier?.isOutrun !== true && !deps.memory.mayDecide(replicaSet, askedBy)) return undefined;
  return { removal: await newDecision(change, workload, { ...gathered, state }), stockFacts, isNew: true };
}

/** What a decision is made by: the Pods as they are without marks. */
export function gatherState(
  { replicaSet, wishes }: FoundWorkload,
  gathered: Pick<Gathered, "deps" | "pods" | "listed">,
): RemovalState {
  const { deps, pods } = gathered;
  const gates = deps.gates();
  const originals = pods.map(withOriginalCost);
  const owner = wishes.consolidates === true ? consolidating(replicaSet) : replicaSet;
  const settings = {
    gates,
    now: deps.clock.now(),
    isSpread: wishes.spreads ?? gates.TopologyAwareScaleDown,
    spreadDefaults: deps.spreadDefaults,
  };
  const state = removalStateOf({ owner, active: originals }, requestReader(gathered), settings);
  return { ...state, machineCosts: deps.machineCosts };
}

/** The ReplicaSet as if its Deployment's or its namespace's wish were its own. */
function consolidating(replicaSet: ReplicaSet): ReplicaSet {
  const { metadata } = replicaSet;
  const annotations = { ...metadata.annotations, [removalOrderAnnotation]: "consolidate" };
  return { ...replicaSet, metadata: { ...metadata, annotations } };
}

/**
 * What the stock controller knows: it does not tell costs apart by who wrote them, and counts no Pods for a ReplicaSet
 * without an owner.
 */
export function stockFactsOf({ deployment }: FoundWorkload, state: RemovalState): Facts {
  const { machineCosts: _, ...facts } = uncountedFacts(state);
  return deployment === undefined ? { ...facts, related: () => 0 } : facts;
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

export const nextGeneration = ({ metadata }: ReplicaSet): number => countOf(metadata.generation) + 1;

async function newDecision(
  change: SizeChange,
  workload: FoundWorkload,
  gathered: Gathered & { readonly state: RemovalState },
): Promise<SteeredRemoval> {
  const { deps, earlier, state } = gathered;
  const { replicaSet, wishes } = workload;
  const count = state.active.length - change.asked;
  const uncounted = uncountedFacts(state);
  const { picks, outcome } = await consult(
    askingPicker(replicaSet, wishes.picker, gathered.budget.pickerSeconds),
    { pods: state.active, count, size: change.asked, facts: uncounted },
    gathered,
  );
  const facts =
    picks === undefined ? await runInSteps(removalFactsInSteps(state), deps.clock) : { ...uncounted, picks };
  const choice = await runInSteps(chooseVictimsInSteps(state.active, count, facts), deps.clock);
  return {
    // One that was taken over from an earlier request may be as old as its marks get.
    id: earlier?.isOutrun === true ? earlier.id : newId(deps),
    replicaSet,
    size: change.asked,
    asked: change.asked,
    generation: nextGeneration(replicaSet),
    choice,
    facts,
    marked: "none",
    decidedAt: facts.now,
    isProven: false,
    ...(outcome === undefined ? {} : { picker: outcome }),
  };
}

async function consult(
  owner: ReplicaSet,
  request: Parameters<PickerConsultant["consult"]>[1],
  { consultant, budget }: Gathered,
): Promise<Consultation> {
  if (consultant === undefined || owner.spec.downscalePodPicker === undefined) return {};
  return consultant.consult(owner, request, budget.pickerSignal);
}

/** Reads the cluster from the Pods that a request is decided on, and from what this copy watches. */
function requestReader({ deps, listed }: Pick<Gathered, "deps" | "listed">): WorkloadReader<ReplicaSet> {
  const { replicaSets, nodes, services } = deps;
  return {
    claimablePods: () => listed,
    // The ReplicaSet of the request may be one that is not watched yet.
    siblings: (owner) => [owner, ...withSameController(replicaSets, owner)],
    podsIn: () => listed,
    allPods: () => deps.pods.list(),
    nodes: () => (nodes.hasSynced ? nodes.list() : undefined),
    services: () => services.list(),
  };
}

const idLength = 10;

export function newId({ random }: SteeringDependencies): string {
  return Array.from({ length: idLength }, () => randomInt(random, 16).toString(16)).join("");
}
