import type { ReplicaSet } from "../src/api/generated/apps-v1.ts";
import { formatTime } from "../src/api/time.ts";
import { planRollout } from "../src/decisions/rollout/plan-rollout.ts";
import type { RolloutState } from "../src/decisions/rollout/state.ts";
import { replicaSet } from "../src/testing/replica-set.ts";
import { rolloutState } from "../src/testing/rollout-state.ts";
import { type Measure, medianMs } from "./measure.ts";

const repeats = 500;

/** Ten revisions of a Deployment in the middle of a rollout, the last of which is the new one. */
function revisions(): readonly ReplicaSet[] {
  return Array.from({ length: 10 }, (_, index) =>
    replicaSet(`web-${index}`, {
      image: `app:${index}`,
      revision: index + 1,
      size: index < 7 ? 0 : 40,
      desired: 100,
      max: 125,
      createdAt: formatTime(index * 60_000),
    }),
  );
}

function perPlan(states: () => readonly RolloutState[]): number {
  const given = states();
  const total = medianMs(() => {
    for (const state of given) planRollout(state);
  });
  return (total * 1000) / given.length;
}

/** How long it takes to plan one pass over ten revisions. */
export function planning(): readonly Measure[] {
  const replicaSets = revisions();
  const rolling = rolloutState({ image: "app:9", replicas: 100, policy: "TerminationComplete" }, replicaSets);
  const scaling = rolloutState({ image: "app:9", replicas: 150, policy: "TerminationComplete" }, replicaSets);
  const again = (state: RolloutState) => () => Array.from({ length: repeats }, () => state);
  // Templates that are not cached: the first pass after a start.
  const cold = () => Array.from({ length: repeats * 12 }, () => ({ ...rolling, replicaSets: revisions() }));
  return [
    { what: "planning a rolling pass, 10 revisions", value: perPlan(again(rolling)), unit: "µs" },
    { what: "planning a scale pass, 10 revisions", value: perPlan(again(scaling)), unit: "µs" },
    { what: "the same with templates seen for the first time", value: coldPlan(cold()), unit: "µs" },
  ];
}

/** Plans every state once, since a second plan would find its templates cached. */
function coldPlan(states: readonly RolloutState[]): number {
  let next = 0;
  const rounds = 9;
  const perRound = Math.floor(states.length / (rounds + 3));
  const total = medianMs(() => {
    for (const state of states.slice(next, next + perRound)) planRollout(state);
    next += perRound;
  }, rounds);
  return (total * 1000) / perRound;
}
