import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { defaultFeatureGates, type FeatureGates } from "../../api/feature-gates.ts";
import type { Deployment, ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { parseTime } from "../../api/time.ts";
import { deployment, type DeploymentTraits, pod, podTemplate } from "../../testing/index.ts";
import { type Action, applyToState } from "./action.ts";
import {
  beforeScaleAnnotation,
  desiredReplicasAnnotation,
  maxReplicasAnnotation,
  revisionAnnotation,
} from "./annotations.ts";
import { availableOf, podsOf, sizeOf, totalOf } from "./counts.ts";
import { fleetOf } from "./fleet.ts";
import { type Plan, planRollout } from "./plan-rollout.ts";
import { isComplete } from "./progress.ts";
import type { RolloutState } from "./state.ts";
import { terminatingIn } from "./terminating.ts";

/** The Pods one ReplicaSet really has, whatever it last reported. */
interface Crew {
  readonly starting: number;
  readonly available: number;
  readonly terminating: number;
}

/** A Deployment, its ReplicaSets as stored, and the Pods behind them. */
interface World {
  readonly state: RolloutState;
  readonly crews: Readonly<Record<string, Crew>>;
}

type Move =
  | { readonly kind: "plan"; readonly written: number }
  | { readonly kind: "act" | "report" | "start" | "end" | "evict"; readonly which: number }
  | { readonly kind: "respec"; readonly spec: Partial<Deployment["spec"]> }
  | { readonly kind: "template"; readonly image: string }
  | { readonly kind: "gates"; readonly gates: FeatureGates }
  | { readonly kind: "inflate"; readonly which: number; readonly size: number }
  | { readonly kind: "tamper"; readonly which: number; readonly name: string; readonly value: string };

const idle: Crew = { starting: 0, available: 0, terminating: 0 };

function move(world: World, next: Move): World {
  switch (next.kind) {
    case "plan":
      return carryOut(world, planRollout(stateOf(world)).actions.slice(0, next.written));
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
function reconcile({ starting, available, terminating }: Crew, size: number): Crew {
  const excess = starting + available - size;
  if (excess <= 0) return { starting: starting - excess, available, terminating };
  const unstarted = Math.min(starting, excess);
  return {
    starting: starting - unstarted,
    available: available - (excess - unstarted),
    terminating: terminating + excess,
  };
}

function evict(crew: Crew): Crew {
  return crew.available === 0
    ? crew
    : { ...crew, available: crew.available - 1, terminating: crew.terminating + 1 };
}

function onCrew(world: World, which: number, next: (crew: Crew, replicaSet: ReplicaSet) => Crew): World {
  const replicaSet = at(world, which);
  if (replicaSet === undefined) return world;
  const { name } = replicaSet.metadata;
  return { ...world, crews: { ...world.crews, [name]: next(world.crews[name] ?? idle, replicaSet) } };
}

function report(world: World, which: number): World {
  const replicaSet = at(world, which);
  if (replicaSet === undefined) return world;
  const { starting, available, terminating } = world.crews[replicaSet.metadata.name] ?? idle;
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

function onReplicaSet(world: World, which: number, next: (replicaSet: ReplicaSet) => ReplicaSet): World {
  const replicaSet = at(world, which);
  if (replicaSet === undefined) return world;
  return carryOut(world, [{ kind: "update-replica-set", replicaSet: next(replicaSet) }]);
}

function change(world: World, spec: Partial<Deployment["spec"]>): World {
  const { deployment: before } = world.state;
  return carryOut(world, [
    { kind: "update-deployment", deployment: { ...before, spec: { ...before.spec, ...spec } } },
  ]);
}

function carryOut(world: World, actions: readonly Action[]): World {
  return { ...world, state: actions.reduce(applyToState, world.state) };
}

function at({ state: { replicaSets } }: World, which: number): ReplicaSet | undefined {
  return replicaSets[which % Math.max(replicaSets.length, 1)];
}

/** The state as the Deployment controller reads it: Pods are what they are, all else is what was reported. */
function stateOf({ state, crews }: World): RolloutState {
  const pods = state.replicaSets.flatMap((replicaSet) =>
    podsFor(replicaSet, crews[replicaSet.metadata.name] ?? idle),
  );
  return { ...state, pods };
}

function podsFor({ metadata: { name, uid } }: ReplicaSet, crew: Crew): readonly Pod[] {
  const owner = { apiVersion: "apps/v1", kind: "ReplicaSet", name, uid, controller: true };
  return Array.from({ length: crew.starting + crew.available + crew.terminating }, (_, index) => {
    const { metadata, ...rest } = pod(`${name}-${index}`);
    return { ...rest, metadata: { ...metadata, ownerReferences: [owner] } };
  });
}

/** One round in which everything that can happen does. */
function settle(world: World): World {
  const everybody = world.state.replicaSets.map((_, which) => which);
  const kinds = ["act", "start", "end", "report"] as const;
  const settled = kinds.reduce(
    (before, kind) => everybody.reduce((current, which) => move(current, { kind, which }), before),
    world,
  );
  return { ...settled, state: { ...settled.state, now: settled.state.now + 2000 } };
}

function comeToRest(start: World): { world: World; plan: Plan; rounds: number } {
  let world = start;
  for (let rounds = 0; rounds < 400; rounds++) {
    const plan = planRollout(stateOf(world));
    const next = settle(carryOut(world, plan.actions));
    const isQuiet = plan.actions.length === 0 && sameCrews(world, next);
    if (isQuiet && plan.outcome.kind === "done") return { world, plan, rounds };
    world = next;
  }
  return { world, plan: planRollout(stateOf(world)), rounds: 400 };
}

function sameCrews(a: World, b: World): boolean {
  return JSON.stringify(a.crews) === JSON.stringify(b.crews);
}

const begun = parseTime("2026-01-01T00:00:00Z") ?? 0;
const policyOff: FeatureGates = { ...defaultFeatureGates, DeploymentPodReplacementPolicy: false };
const allOff: FeatureGates = { ...policyOff, DeploymentReplicaSetTerminatingReplicas: false };

const setups = [
  { name: "without a policy", policy: null, gates: defaultFeatureGates },
  { name: "under TerminationStarted", policy: "TerminationStarted", gates: defaultFeatureGates },
  { name: "under TerminationComplete", policy: "TerminationComplete", gates: defaultFeatureGates },
  { name: "under TerminationComplete with its gate off", policy: "TerminationComplete", gates: policyOff },
  { name: "under TerminationComplete with both gates off", policy: "TerminationComplete", gates: allOff },
] as const;

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
  ) as fc.Arbitrary<Move[]>;
const busyLife = life(fc.oneof(changes, templates));
/** Rollouts alone: nobody scales, pauses or deletes anything. */
const quietLife = life(templates);

function strategyOf(strategy: "RollingUpdate" | "Recreate") {
  return deployment("web", { strategy, maxSurge: 2, maxUnavailable: 1 }).spec.strategy ?? {};
}

const budgets = fc.record({
  replicas: fc.integer({ min: 1, max: 12 }),
  maxSurge: fc.constantFrom<number | string>(0, 1, 3, "25%", "100%"),
  maxUnavailable: fc.constantFrom<number | string>(0, 1, 3, "25%", "100%"),
});

/** A Deployment that has been rolled out. */
function settled(traits: DeploymentTraits, gates: FeatureGates): World {
  const state = {
    deployment: deployment("web", { image: "v1", ...traits }),
    replicaSets: [],
    gates,
    now: begun,
  };
  return comeToRest({ state, crews: {} }).world;
}

function sizes(replicaSets: readonly ReplicaSet[]): number {
  return totalOf(replicaSets, sizeOf);
}

function present({ crews }: World): number {
  return Object.values(crews).reduce(
    (sum, { starting, available, terminating }) => sum + starting + available + terminating,
    0,
  );
}

function expectToKeepBudgets(state: RolloutState): void {
  const { actions, kind } = planRollout(state);
  const { budget, replicaSets: before } = fleetOf(state);
  const { replicaSets: after } = actions.reduce(applyToState, state);
  if (sizes(after) > sizes(before)) expect(sizes(after)).toBeLessThanOrEqual(budget.allowed);
  if (budget.policy === "TerminationComplete") expectToKeepCap(state, actions);
  if (kind !== "rolling-update") return;
  const spare = totalOf(before, availableOf) - budget.minAvailable;
  expect(staying(before) - staying(after)).toBeLessThanOrEqual(Math.max(spare, 0));
}

/** No write of a plan, not even the first of many, may add while the Pods that were read reach the cap. */
function expectToKeepCap(start: RolloutState, actions: readonly Action[]): void {
  const { budget } = fleetOf(start);
  const cap = budget.strategy === "RollingUpdate" ? budget.maxReplicas : budget.replicas;
  let state = start;
  for (const action of actions) {
    const next = applyToState(state, action);
    if (sizes(next.replicaSets) > sizes(state.replicaSets)) {
      const counted = totalOf(next.replicaSets, (each) => Math.max(sizeOf(each), podsOf(each)));
      expect(counted + (terminatingIn(next.replicaSets) ?? Infinity)).toBeLessThanOrEqual(cap);
    }
    state = next;
  }
}

/** The Pods that are available by report and not on their way out. */
function staying(replicaSets: readonly ReplicaSet[]): number {
  return totalOf(replicaSets, (each) => Math.min(availableOf(each), sizeOf(each)));
}

describe.for(setups)("plans applied again and again $name", ({ policy, gates }) => {
  test.for(["RollingUpdate", "Recreate"] as const)("come to rest complete (%s)", (strategy) => {
    fc.assert(
      fc.property(budgets, busyLife, (traits, moves) => {
        const lived = moves.reduce(move, settled({ ...traits, strategy, policy }, gates));
        const { world, plan, rounds } = comeToRest(change(lived, { paused: false }));
        expect(rounds).toBeLessThan(400);
        const fleet = fleetOf(world.state);
        expect(isComplete(fleet, plan.status)).toBe(true);
        expect(fleet.oldReplicaSets.filter((old) => sizeOf(old) + podsOf(old) > 0)).toEqual([]);
        expect(plan.limits[0]?.limit).toEqual({ kind: "complete" });
      }),
      { numRuns: 100 },
    );
  });

  test.for(["RollingUpdate", "Recreate"] as const)(
    "keep to their budgets by the counts given (%s)",
    (strategy) => {
      fc.assert(
        fc.property(budgets, busyLife, (traits, moves) => {
          let world = settled({ ...traits, strategy, policy }, gates);
          for (const next of moves) {
            if (next.kind === "plan") expectToKeepBudgets(stateOf(world));
            world = move(world, next);
          }
        }),
        { numRuns: 100 },
      );
    },
  );

  test("never leave fewer Pods available than a rolling update may, in fact and not only by report", () => {
    fc.assert(
      fc.property(budgets, quietLife, (traits, moves) => {
        let world = settled({ ...traits, policy }, gates);
        const { minAvailable } = fleetOf(world.state).budget;
        for (const next of moves) {
          world = move(world, next);
          const kept = world.state.replicaSets.map(({ metadata, ...each }) =>
            Math.min(world.crews[metadata.name]?.available ?? 0, each.spec.replicas ?? 0),
          );
          expect(kept.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(minAvailable);
        }
      }),
      { numRuns: 100 },
    );
  });
});

test("under TerminationComplete a rollout never has more Pods than the cap, terminating ones included", () => {
  fc.assert(
    fc.property(
      budgets,
      quietLife,
      fc.constantFrom("RollingUpdate", "Recreate"),
      (traits, moves, strategy) => {
        let world = settled({ ...traits, strategy, policy: "TerminationComplete" }, defaultFeatureGates);
        const { budget } = fleetOf(world.state);
        for (const next of moves) {
          world = move(world, next);
          expect(present(world)).toBeLessThanOrEqual(budget.maxReplicas);
        }
      },
    ),
    { numRuns: 300 },
  );
});
