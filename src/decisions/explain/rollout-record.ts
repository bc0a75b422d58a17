import { extended } from "../../api/extended.ts";
import { deepEqual } from "../../api/deep-equal.ts";
import type { FeatureGates } from "../../api/feature-gates.ts";
import type { Deployment } from "../../api/generated/apps-v1.ts";
import { formatMicroTime, type Instant } from "../../api/time.ts";
import type { RevisionLimit } from "../rollout/limit.ts";
import type { RolloutPlan } from "../rollout/plan-rollout.ts";
import { describeLimit } from "./describe-limit.ts";
import type { RecordedWorkload } from "./removal-record.ts";

/** A rollout decision as plain JSON: what one pass did, and what each revision waits for. */
export interface RolloutRecord {
  readonly time: string;
  readonly workload: RecordedWorkload;
  /** The kind of pass. */
  readonly pass: RolloutPlan["kind"];
  readonly actions: readonly string[];
  readonly gates: FeatureGates;
  readonly revisions: readonly (RevisionLimit & {
    /** What limits it, as a sentence. */
    readonly reason: string;
  })[];
}

/** The plan of one pass over a Deployment, and what it was made from. */
export interface RolloutDecision {
  readonly deployment: Deployment;
  readonly plan: RolloutPlan;
  readonly gates: FeatureGates;
  readonly now: Instant;
}

/** How rollouts are recorded; a record weighs as much as it has revisions. */
export const rolloutEncoder = {
  limits: { perObject: 20, weight: 100_000 },
  subject: ({ deployment }: RolloutDecision): RecordedWorkload => workloadOf(deployment),
  weight: ({ plan }: RolloutDecision): number => 1 + plan.limits.length,
  toRecord: toRolloutRecord,
  isRepeat,
};

/** The record of a rollout decision. */
export function toRolloutRecord({ deployment, plan, gates, now }: RolloutDecision): RolloutRecord {
  return {
    time: formatMicroTime(now),
    workload: workloadOf(deployment),
    pass: plan.kind,
    actions: plan.actions.filter((action) => action.kind !== "record-event").map((action) => action.kind),
    gates,
    revisions: plan.limits.map((revision) => extended(revision, { reason: describeLimit(revision.limit) })),
  };
}

function workloadOf({ metadata }: Deployment): RecordedWorkload {
  const { namespace = "", name, uid } = metadata;
  return { kind: "Deployment", namespace, name, uid };
}

/** Whether a pass did nothing and was limited as the pass before it. */
function isRepeat(previous: RolloutRecord, next: RolloutRecord): boolean {
  const { time, actions } = next;
  return actions.length === 0 && deepEqual({ ...previous, time, actions }, next);
}
