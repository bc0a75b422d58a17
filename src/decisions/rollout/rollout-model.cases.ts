import * as fc from "fast-check";
import { defaultFeatureGates, type FeatureGates } from "../../api/feature-gates.ts";
import type { Deployment, ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { parseTime } from "../../api/time.ts";
import { deployment, type DeploymentTraits, podTemplate } from "../../testing/deployment.ts";
import { pod } from "../../testing/pod.ts";
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

/** The Pods that exist for a ReplicaSet, whatever its status says. */
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

/** One event in the life of a Deployment. */
export type ModelEvent =
  | { readonly kind: "plan"; readonly written: number }
  | { readonly kind: "act" | "report" | "start" | "end" | "evict"; readonly which: number }
  | { readonly kind: "respec"; readonly spec: Partial<Deployment["spec"]> }
  | { readonly kind: "template"; readonly image: string }
  | { readonly kind: "gates"; readonly gates: FeatureGates }
  | { readonly kind: "inflate"; readonly which: number; readonly size: number }
  | { readonly kind: "tamper"; readonly which: number; readonly name: string; readonly value: string };

/** Plans the actions for a state; `planRollout`, or a mutant of it. */
export type Planner = (state: RolloutState) => Pick<RolloutPlan, "actions">;

const idle: PodCounts = { starting: 0, available: 0, terminating: 0 };

/** The model after an event. */
export function applyEvent(model: RolloutModel, next: ModelEvent, plan: Planner = planRollout): RolloutModel {
  switch (next.kind) {
    case "plan":
      return applyActions(model, plan(observedState(model)).actions.slice(0, next.written));
    case "act":
      return onPodCounts(model, next.which, (counts, { spec }) => reconcile(counts, spec.replicas ?? 0));
    case "report":
      return report(model, next.which);
    case "start":
      return onPodCounts(model, next.which, (counts) => ({
        ...counts,
        starting: 0,
        available: counts.available + counts.starting,
      }));
    case "end":
      return onPodCounts(model, next.which, (counts) => ({
        ...counts,
        terminating: Math.max(counts.terminating - 1, 0),
      }));
    case "evict":
      return onPodCounts(model, next.which, evict);
    case "respec":
      return change(model, next.spec);
    case "template":
      return change(model, { template: podTemplate(next.image) });
    case "gates":
      return { ...model, state: { ...model.state, gates: next.gates } };
    case "inflate":
      return onReplicaSet(model, next.which, ({ spec, ...rest }) => ({
        ...rest,
        spec: { ...spec, replicas: next.size },
      }));
    case "tamper":
      return onReplicaSet(model, next.which, ({ metadata, ...rest }) => ({
        ...rest,
        metadata: { ...metadata, annotations: { ...metadata.annotations, [next.name]: next.value } },
      }));
  }
}

/** What a ReplicaSet controller does: creates missing Pods and deletes surplus ones, unavailable Pods first. */
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

function evict(counts: PodCounts): PodCounts {
  return counts.available === 0
    ? counts
    : { ...counts, available: counts.available - 1, terminating: counts.terminating + 1 };
}

function onPodCounts(
  model: RolloutModel,
  which: number,
  next: (counts: PodCounts, replicaSet: ReplicaSet) => PodCounts,
): RolloutModel {
  const replicaSet = at(model, which);
  if (replicaSet === undefined) return model;
  const { name } = replicaSet.metadata;
  return {
    ...model,
    podCounts: { ...model.podCounts, [name]: next(model.podCounts[name] ?? idle, replicaSet) },
  };
}

function report(model: RolloutModel, which: number): RolloutModel {
  const replicaSet = at(model, which);
  if (replicaSet === undefined) return model;
  const { starting, available, terminating } = model.podCounts[replicaSet.metadata.name] ?? idle;
  const status = {
    replicas: starting + available,
    readyReplicas: available,
    availableReplicas: available,
    observedGeneration: replicaSet.metadata.generation ?? 0,
    ...(model.state.gates.DeploymentReplicaSetTerminatingReplicas
      ? { terminatingReplicas: terminating }
      : {}),
  };
  const replicaSets = model.state.replicaSets.map((each) =>
    each === replicaSet ? { ...each, status } : each,
  );
  return { ...model, state: { ...model.state, replicaSets } };
}

function onReplicaSet(
  model: RolloutModel,
  which: number,
  next: (replicaSet: ReplicaSet) => ReplicaSet,
): RolloutModel {
  const replicaSet = at(model, which);
  if (replicaSet === undefined) return model;
  return applyActions(model, [{ kind: "update-replica-set", replicaSet: next(replicaSet) }]);
}

/** The model with another spec of the Deployment. */
export function change(model: RolloutModel, spec: Partial<Deployment["spec"]>): RolloutModel {
  const { deployment: before } = model.state;
  return applyActions(model, [
    { kind: "update-deployment", deployment: { ...before, spec: { ...before.spec, ...spec } } },
  ]);
}

function applyActions(model: RolloutModel, actions: readonly RolloutAction[]): RolloutModel {
  return { ...model, state: actions.reduce(applyToState, model.state) };
}

function at({ state: { replicaSets } }: RolloutModel, which: number): ReplicaSet | undefined {
  return replicaSets[which % Math.max(replicaSets.length, 1)];
}

/** The state as the Deployment controller reads it: existing Pods, and ReplicaSets with their last statuses. */
export function observedState({ state, podCounts }: RolloutModel): RolloutState {
  const pods = state.replicaSets.flatMap((replicaSet) =>
    podsFor(replicaSet, podCounts[replicaSet.metadata.name] ?? idle),
  );
  return { ...state, pods };
}

function podsFor({ metadata: { name, uid } }: ReplicaSet, counts: PodCounts): readonly Pod[] {
  const owner = { apiVersion: "apps/v1", kind: "ReplicaSet", name, uid, controller: true };
  return Array.from({ length: counts.starting + counts.available + counts.terminating }, (_, index) => {
    const { metadata, ...rest } = pod(`${name}-${index}`);
    return { ...rest, metadata: { ...metadata, ownerReferences: [owner] } };
  });
}

/** One round in which every ReplicaSet acts and reports. */
function settle(model: RolloutModel): RolloutModel {
  const all = model.state.replicaSets.map((_, which) => which);
  const kinds = ["act", "start", "end", "report"] as const;
  const settled = kinds.reduce(
    (before, kind) => all.reduce((current, which) => applyEvent(current, { kind, which }), before),
    model,
  );
  return { ...settled, state: { ...settled.state, now: settled.state.now + 2000 } };
}

/** Plans and lets ReplicaSets act until nothing changes any more. */
export function runToCompletion(start: RolloutModel): {
  model: RolloutModel;
  plan: RolloutPlan;
  rounds: number;
} {
  let model = start;
  for (let rounds = 0; rounds < 400; rounds++) {
    const plan = planRollout(observedState(model));
    const next = settle(applyActions(model, plan.actions));
    const isQuiet = plan.actions.length === 0 && samePodCounts(model, next);
    if (isQuiet && plan.outcome.kind === "done") return { model, plan, rounds };
    model = next;
  }
  return { model, plan: planRollout(observedState(model)), rounds: 400 };
}

function samePodCounts(a: RolloutModel, b: RolloutModel): boolean {
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
const disturbances = fc.oneof(
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
const changes = fc.oneof(fc.record({ kind: fc.constant("respec"), spec: respecs }), disturbances);
const templates = fc.record({ kind: fc.constant("template"), image: fc.constantFrom("v1", "v2", "v3") });
const eventsWith = (changes: fc.Arbitrary<object>) =>
  fc.array(
    fc.oneof(
      { arbitrary: pods, weight: 10 },
      { arbitrary: plans, weight: 6 },
      { arbitrary: changes, weight: 1 },
    ),
    { maxLength: 150, size: "max" },
  ) as fc.Arbitrary<ModelEvent[]>;
/** Any events of a Deployment. */
export const anyEvents = eventsWith(fc.oneof(changes, templates));
/** Rollouts alone: no scale, pause or deletion. */
export const rolloutEvents = eventsWith(templates);

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
  return runToCompletion({ state, podCounts: {} }).model;
}

/** The Pods that exist, terminating ones included. */
export function presentPods({ podCounts }: RolloutModel): number {
  return Object.values(podCounts).reduce(
    (sum, { starting, available, terminating }) => sum + starting + available + terminating,
    0,
  );
}

/** The Pods that are available and not about to be deleted. */
export function availablePods({ state, podCounts }: RolloutModel): number {
  return totalOf(state.replicaSets, (each) =>
    Math.min(podCounts[each.metadata.name]?.available ?? 0, sizeOf(each)),
  );
}
