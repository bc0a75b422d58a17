import * as fc from "fast-check";
import { expect, test } from "vitest";
import { defaultFeatureGates } from "../../api/feature-gates.ts";
import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import { applyToState, type RolloutAction } from "./action.ts";
import { type Revisions, revisionsOf } from "./revisions.ts";
import type { Limit, RevisionLimit } from "./limit.ts";
import { planRollout, type RolloutPlan } from "./plan-rollout.ts";
import { isComplete } from "./status/progress.ts";
import { anyEvents, applyEvent, budgets, observedState, rolledOut } from "./rollout-model.cases.ts";
import type { RolloutState } from "./state.ts";

// A plan says what limits each revision. Here every reason is held against the numbers of the state that the plan leads
// to, added up from the stored objects alone, and against what the next plan does.

const total = (replicaSets: readonly ReplicaSet[], count: (each: ReplicaSet) => number) =>
  replicaSets.reduce((sum, each) => sum + count(each), 0);
const sizeIn = ({ spec }: ReplicaSet) => spec.replicas ?? 1;
const podsIn = ({ status }: ReplicaSet) => status?.replicas ?? 0;
const availableIn = ({ status }: ReplicaSet) => status?.availableReplicas ?? 0;
const usedBy = (each: ReplicaSet) => Math.max(sizeIn(each), podsIn(each));
const isCounted = ({ status }: ReplicaSet) => status?.terminatingReplicas !== undefined;
const isCurrent = ({ metadata, status }: ReplicaSet) =>
  (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0);

/** The numbers of a state, and of one of its revisions. */
function numbersOf(revisions: Revisions, size: number) {
  const { budget, replicaSets, deployment } = revisions;
  const isTerminationComplete = budget.policy === "TerminationComplete";
  const named = (names: readonly string[]) =>
    replicaSets.filter(({ metadata }) => names.includes(metadata.name));
  return {
    ...budget,
    size,
    isTerminationComplete,
    isPaused: deployment.spec.paused === true,
    isFinished: isComplete(revisions, deployment.status),
    pods: total(replicaSets, isTerminationComplete ? usedBy : sizeIn),
    terminating: total(replicaSets, ({ status }) => status?.terminatingReplicas ?? 0),
    available: total(replicaSets, (each) => Math.min(availableIn(each), sizeIn(each))),
    named,
  };
}

type Numbers = ReturnType<typeof numbersOf>;
type Evidence = {
  readonly [Kind in Limit["kind"]]: (limit: Extract<Limit, { kind: Kind }>, numbers: Numbers) => boolean;
};

const hasUnavailablePods = (limit: { available: number }, { size, replicas }: Numbers) =>
  size >= replicas && limit.available < replicas;

/** What has to hold for each reason. */
const evidence: Evidence = {
  none: () => true,
  "next-pass": () => true, // held against the next plan
  complete: (_, { size, replicas, isFinished }) => size >= replicas && isFinished,
  paused: (_, { isPaused }) => isPaused,
  surge: (limit, { pods, replicas, maxSurge }) => limit.pods === pods && pods >= replicas + maxSurge,
  terminating: (limit, { isTerminationComplete, pods, terminating, replicas, maxSurge }) =>
    isTerminationComplete &&
    limit.pods === pods &&
    limit.terminating === terminating &&
    pods < replicas + maxSurge &&
    pods + terminating >= replicas + maxSurge,
  "terminating-unknown": ({ replicaSets }, { named }) =>
    replicaSets.length > 0 && !named(replicaSets).some(isCounted),
  unavailable: (limit, { size, available, replicas, maxUnavailable }) =>
    size > 0 && limit.available === available && available <= replicas - maxUnavailable,
  unreported: ({ replicaSets }, { named }) =>
    replicaSets.length > 0 &&
    named(replicaSets).every((each) => !isCurrent(each) || podsIn(each) !== sizeIn(each)),
  protected: () => false, // these states have no protected Pods
  "old-pods": ({ running, terminating, unreported }, { strategy }) =>
    strategy === "Recreate" && running + terminating + unreported > 0,
  "progress-deadline": hasUnavailablePods,
  availability: hasUnavailablePods,
  draining: ({ terminating }, { isTerminationComplete, size, replicas }) =>
    isTerminationComplete && size >= replicas && terminating > 0,
};

/** Whether the numbers of the state bear a reason out. */
function isTrue({ limit, size }: RevisionLimit, revisions: Revisions): boolean {
  const check = evidence[limit.kind] as (limit: Limit, numbers: Numbers) => boolean;
  return check(limit, numbersOf(revisions, size));
}

/** Does something other than to report. */
const isChange = ({ kind }: RolloutAction) => kind !== "update-status" && kind !== "record-event";

const stopsGrowth: ReadonlySet<Limit["kind"]> = new Set([
  "surge",
  "terminating",
  "terminating-unknown",
  "old-pods",
  "complete",
]);

/** Whether the next plan does what a reason lets expect of a revision. */
function isKept({ limit, replicaSet, size }: RevisionLimit, next: RolloutPlan): boolean {
  if (next.kind === "scale") return true; // comes before any rollout, and may have to wait for reports
  const resized = next.actions.flatMap((action) =>
    action.kind === "update-replica-set" && action.replicaSet.metadata.name === replicaSet
      ? [sizeIn(action.replicaSet)]
      : [],
  );
  if (limit.kind === "next-pass") return next.actions.some(isChange);
  if (limit.kind === "unavailable") return resized.every((to) => to >= size);
  return !stopsGrowth.has(limit.kind) || resized.every((to) => to <= size);
}

/** Names what is waited for. */
const isReason = ({ limit: { kind } }: RevisionLimit) =>
  kind !== "none" && kind !== "next-pass" && kind !== "complete";

function checkReasons(state: RolloutState): void {
  const { actions, limits, status, kind } = planRollout(state);
  if (kind === "none") return;
  const after = actions.reduce(applyToState, state);
  const [revisions, next] = [revisionsOf(after), planRollout(after)];
  for (const each of limits) {
    if (!isTrue(each, revisions)) expect.fail(`not so: ${JSON.stringify(each)}`);
    if (!isKept(each, next)) expect.fail(`but: ${JSON.stringify({ each, next: next.actions })}`);
  }
  if (actions.some(isChange) || isComplete(revisionsOf(state), status)) return;
  if (!limits.some(isReason)) expect.fail(`no reason: ${JSON.stringify({ kind, limits })}`);
}

test.for(["RollingUpdate", "Recreate"] as const)(
  "every reason of a plan is borne out, and a plan that does nothing about an unfinished rollout has one (%s)",
  (strategy) => {
    const policies = fc.constantFrom(null, "TerminationStarted", "TerminationComplete");
    fc.assert(
      fc.property(budgets, policies, anyEvents, (traits, policy, events) => {
        let model = rolledOut({ ...traits, strategy, policy }, defaultFeatureGates);
        for (const event of events) {
          if (event.kind === "plan") checkReasons(observedState(model));
          model = applyEvent(model, event);
        }
      }),
      { numRuns: 100 },
    );
  },
);
