import * as fc from "fast-check";
import { defaultFeatureGates, type FeatureGates } from "../../api/feature-gates.ts";
import type { Deployment, ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { parseTime } from "../../api/time.ts";
import { deployment, type DeploymentTraits, pod, podTemplate } from "../../testing/index.ts";
import { type RolloutAction, applyToState } from "./action.ts";
import {
  beforeScaleAnnotation,
  desiredReplicasAnnotation,
  maxReplicasAnnotation,
  revisionAnnotation,
} from "./annotations.ts";
import { sizeOf, totalOf } from "./counts.ts";
import { type RolloutPlan, planRollout } from "./plan-rollout.ts";
import type { RolloutState } from "./state.ts";

/** The Pods one ReplicaSet really has, whatever it last reported. */
interface PodCounts {
  readonly starting: number;
  readonly available: number;
  readonly terminating: number;
}

/** A Deployment, its ReplicaSets as stored, and the Pods behind them. */
export interface RolloutModel {
  readonly state: RolloutState;
  readonly podCounts: Readonly<Record<string, PodCounts>>;
}

/** One thing that can happen. */
export type ModelEvent =
  | { readonly kind: "plan"; readonly written: number }
  | { readonly kind: "act" | "report" | "start" | "end" | "evict"; readonly which: number }
  | { readonly kind: "respec"; readonly spec: Partial<Deployment["spec"]> }
  | { readonly kind: "template"; readonly image: string }
  | { readonly kind: "gates"; readonly gates: FeatureGates }
  | { readonly kind: "inflate"; readonly which: number; readonly size: number }
  | { readonly kind: "tamper"; readonly which: number; readonly name: string; readonly value: string };

/** What a controller does about a state; a sound one plans. */
export type Planner = (state: RolloutState) => Pick<RolloutPlan, "actions">;

const idle: PodCounts = { starting: 0, available: 0, terminating: 0 };

/** The world once something has happened. */
export function applyEvent(world: RolloutModel, next: ModelEvent, plan: Planner = planRollout): RolloutModel {
  switch (next.kind) {
    case "plan":
      return carryOut(world, plan(observedState(world)).actions.slice(0, next.written));
    case "act":
      return onCrew(world, next.which, (crew, { spec }) => reconcile(crew, spec.replicas ?? 0));
    case "report":
      return report(world, next.which);
    case "start":
      return onCrew(world, next.which, (crew) => ({
        ...crew,
        starting: 0,
        available: crew.available + crew.starting,
      }));
    case "end":
      return onCrew(world, next.which, (crew) => ({
        ...crew,
        terminating: Math.max(crew.terminating - 1, 0),
      }));
    case "evict":
      return onCrew(world, next.which, evict);
    case "respec":
      return change(world, next.spec);
    case "template":
      return change(world, { template: podTemplate(next.image) });
    case "gates":
      return { ...world, state: { ...world.state, gates: next.gates } };
    case "inflate":
      return onReplicaSet(world, next.which, ({ spec, ...rest }) => ({
        ...rest,
        spec: { ...spec, replicas: next.size },
      }));
    case "tamper":
      return onReplicaSet(world, next.which, ({ metadata, ...rest }) => ({
        ...rest,
        metadata: { ...metadata, annotations: { ...metadata.annotations, [next.name]: next.value } },
      }));
  }
}

/** What a ReplicaSet controller does: creates what is missing, deletes what is too much, Pods that serve nobody first. */
function reconcile({ starting, available, terminating }: PodCounts, size: number): PodCounts {
  const excess = starting + available - size;
  if (excess <= 0) return { starting: starting - excess, available, terminating };
  const unstarted = Math.min(starting, excess);
  return {
    starting: starting - unstarted,
    available: available - (excess - unstarted),
    terminating: terminating + excess,
  };
}

function evict(crew: PodCounts): PodCounts {
  return crew.available === 0
    ? crew
    : { ...crew, available: crew.available - 1, terminating: crew.terminating + 1 };
}

function onCrew(
  world: RolloutModel,
  which: number,
  next: (crew: PodCounts, replicaSet: ReplicaSet) => PodCounts,
): RolloutModel {
  const replicaSet = at(world, which);
  if (replicaSet === undefined) return world;
  const { name } = replicaSet.metadata;
  return {
    ...world,
    podCounts: { ...world.podCounts, [name]: next(world.podCounts[name] ?? idle, replicaSet) },
  };
}

function report(world: RolloutModel, which: number): RolloutModel {
  const replicaSet = at(world, which);
  if (replicaSet === undefined) return world;
  const { starting, available, terminating } = world.podCounts[replicaSet.metadata.name] ?? idle;
  const status = {
    replicas: starting + available,
    readyReplicas: available,
    availableReplicas: available,
    observedGeneration: replicaSet.metadata.generation ?? 0,
    ...(world.state.gates.DeploymentReplicaSetTerminatingReplicas
      ? { terminatingReplicas: terminating }
      : {}),
  };
  const replicaSets = world.state.replicaSets.map((each) =>
    each === replicaSet ? { ...each, status } : each,
  );
  return { ...world, state: { ...world.state, replicaSets } };
}

function onReplicaSet(
  world: RolloutModel,
  which: number,
  next: (replicaSet: ReplicaSet) => ReplicaSet,
): RolloutModel {
  const replicaSet = at(world, which);
  if (replicaSet === undefined) return world;
  return carryOut(world, [{ kind: "update-replica-set", replicaSet: next(replicaSet) }]);
}

/** The world with another spec of the Deployment. */
export function change(world: RolloutModel, spec: Partial<Deployment["spec"]>): RolloutModel {
  const { deployment: before } = world.state;
  return carryOut(world, [
    { kind: "update-deployment", deployment: { ...before, spec: { ...before.spec, ...spec } } },
  ]);
}

function carryOut(world: RolloutModel, actions: readonly RolloutAction[]): RolloutModel {
  return { ...world, state: actions.reduce(applyToState, world.state) };
}

function at({ state: { replicaSets } }: RolloutModel, which: number): ReplicaSet | undefined {
  return replicaSets[which % Math.max(replicaSets.length, 1)];
}

/** The state as the Deployment controller reads it: Pods are what they are, all else is what was reported. */
export function observedState({ state, podCounts }: RolloutModel): RolloutState {
  const pods = state.replicaSets.flatMap((replicaSet) =>
    podsFor(replicaSet, podCounts[replicaSet.metadata.name] ?? idle),
  );
  return { ...state, pods };
}

function podsFor({ metadata: { name, uid } }: ReplicaSet, crew: PodCounts): readonly Pod[] {
  const owner = { apiVersion: "apps/v1", kind: "ReplicaSet", name, uid, controller: true };
  return Array.from({ length: crew.starting + crew.available + crew.terminating }, (_, index) => {
    const { metadata, ...rest } = pod(`${name}-${index}`);
    return { ...rest, metadata: { ...metadata, ownerReferences: [owner] } };
  });
}

/** One round in which everything that can happen does. */
function settle(world: RolloutModel): RolloutModel {
  const everybody = world.state.replicaSets.map((_, which) => which);
  const kinds = ["act", "start", "end", "report"] as const;
  const settled = kinds.reduce(
    (before, kind) => everybody.reduce((current, which) => applyEvent(current, { kind, which }), before),
    world,
  );
  return { ...settled, state: { ...settled.state, now: settled.state.now + 2000 } };
}

/** Lets everything happen until nothing does any more. */
export function runToCompletion(start: RolloutModel): {
  world: RolloutModel;
  plan: RolloutPlan;
  rounds: number;
} {
  let world = start;
  for (let rounds = 0; rounds < 400; rounds++) {
    const plan = planRollout(observedState(world));
    const next = settle(carryOut(world, plan.actions));
    const isQuiet = plan.actions.length === 0 && sameCrews(world, next);
    if (isQuiet && plan.outcome.kind === "done") return { world, plan, rounds };
    world = next;
  }
  return { world, plan: planRollout(observedState(world)), rounds: 400 };
}

function sameCrews(a: RolloutModel, b: RolloutModel): boolean {
  return JSON.stringify(a.podCounts) === JSON.stringify(b.podCounts);
}

const begun = parseTime("2026-01-01T00:00:00Z") ?? 0;
export const policyOff: FeatureGates = { ...defaultFeatureGates, DeploymentPodReplacementPolicy: false };
export const allOff: FeatureGates = { ...policyOff, DeploymentReplicaSetTerminatingReplicas: false };

const which = fc.nat({ max: 5 });
const pods = fc.record({ kind: fc.constantFrom("act", "report", "start", "end"), which });
const plans = fc.record({ kind: fc.constant("plan"), written: fc.constantFrom(1, 2, 9, 9) });
const respecs = fc.oneof(
  fc.record({ replicas: fc.nat({ max: 14 }) }),
  fc.record({ paused: fc.boolean() }),
  fc.record({ strategy: fc.constantFrom(strategyOf("Recreate"), strategyOf("RollingUpdate")) }),
  fc.record({
    podReplacementPolicy: fc.constantFrom("TerminationStarted", "TerminationComplete", "unheard of"),
  }),
);
const annotations = [
  revisionAnnotation,
  desiredReplicasAnnotation,
  maxReplicasAnnotation,
  beforeScaleAnnotation,
];
const nuisances = fc.oneof(
  fc.record({ kind: fc.constant("evict"), which }),
  fc.record({ kind: fc.constant("inflate"), which, size: fc.nat({ max: 20 }) }),
  fc.record({ kind: fc.constant("gates"), gates: fc.constantFrom(defaultFeatureGates, policyOff, allOff) }),
  fc.record({
    kind: fc.constant("tamper"),
    which,
    name: fc.constantFrom(...annotations),
    value: fc.constantFrom("7", "0", "-1", "1e9", "x", "", "99999999999999999999"),
  }),
);
const changes = fc.oneof(fc.record({ kind: fc.constant("respec"), spec: respecs }), nuisances);
const templates = fc.record({ kind: fc.constant("template"), image: fc.constantFrom("v1", "v2", "v3") });
const life = (changes: fc.Arbitrary<object>) =>
  fc.array(
    fc.oneof(
      { arbitrary: pods, weight: 10 },
      { arbitrary: plans, weight: 6 },
      { arbitrary: changes, weight: 1 },
    ),
    { maxLength: 150, size: "max" },
  ) as fc.Arbitrary<ModelEvent[]>;
/** Whatever can happen to a Deployment. */
export const anyEvents = life(fc.oneof(changes, templates));
/** Rollouts alone: nobody scales, pauses or deletes anything. */
export const rolloutEvents = life(templates);

function strategyOf(strategy: "RollingUpdate" | "Recreate") {
  return deployment("web", { strategy, maxSurge: 2, maxUnavailable: 1 }).spec.strategy ?? {};
}

export const budgets = fc.record({
  replicas: fc.integer({ min: 1, max: 12 }),
  maxSurge: fc.constantFrom<number | string>(0, 1, 3, "25%", "100%"),
  maxUnavailable: fc.constantFrom<number | string>(0, 1, 3, "25%", "100%"),
});

/** A Deployment that has been rolled out. */
export function rolledOut(traits: DeploymentTraits, gates: FeatureGates): RolloutModel {
  const state = {
    deployment: deployment("web", { image: "v1", ...traits }),
    replicaSets: [],
    gates,
    now: begun,
  };
  return runToCompletion({ state, podCounts: {} }).world;
}

/** How many Pods there are in fact, terminating ones included. */
export function presentPods({ podCounts }: RolloutModel): number {
  return Object.values(podCounts).reduce(
    (sum, { starting, available, terminating }) => sum + starting + available + terminating,
    0,
  );
}

/** How many Pods are available in fact and not on their way out. */
export function availablePods({ state, podCounts }: RolloutModel): number {
  return totalOf(state.replicaSets, (each) =>
    Math.min(podCounts[each.metadata.name]?.available ?? 0, sizeOf(each)),
  );
}
