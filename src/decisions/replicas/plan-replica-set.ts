import { heldAtLabel } from "../../api/pod-protection.ts";
import { extended } from "../../api/extended.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import type { Instant } from "../../api/time.ts";
import { finish, type Steps } from "../downscale/steps.ts";
import { draftPod } from "./draft-pod.ts";
import type { HeldRemoval, HoldReport } from "./held-removal.ts";
import {
  endedHold,
  isProtecting,
  planProtectedRemoval,
  type ProtectedPlan,
} from "./plan-protected-removal.ts";
import { dismissal, type PodPlan, planRemoval } from "./plan-removal.ts";
import { availabilityRecheckAt, planReplicas } from "./plan-replicas.ts";
import type { ManageOutcome } from "./replica-failure.ts";
import type { ReplicaStatus } from "./replica-owner.ts";
import type { HoldEnd, PlanReason, ReplicaSetAction } from "./replica-set-action.ts";
import type { ReplicaSetState } from "./replica-set-state.ts";
import { replicaStatusInSteps } from "./replica-status.ts";

/** What to do about a ReplicaSet's Pods, and why. */
export interface ReplicaSetPlan extends ReplicaSetReport {
  /** In order. */
  readonly actions: readonly ReplicaSetAction[];
  readonly because: PlanReason;
  /** The removal that is held back; "none" if none is, absent if that was not decided. */
  readonly held?: HeldRemoval | "none";
}

/** What a ReplicaSet reports, and when to look again even if nothing happens. */
export interface ReplicaSetReport {
  readonly status: ReplicaStatus;
  readonly recheckAt?: Instant;
}

/**
 * Plans one sync of a ReplicaSet or ReplicationController. A function of the state alone. The status is the one to
 * report if the actions succeed at once; `reportReplicaSet` gives it for any other outcome.
 */
export function planReplicaSet(state: ReplicaSetState): ReplicaSetPlan {
  return finish(planReplicaSetInSteps(state));
}

/** Generator variant of `planReplicaSet`: a choice among tens of thousands of Pods takes time. */
export function* planReplicaSetInSteps(state: ReplicaSetState): Steps<ReplicaSetPlan> {
  const { actions, because, held, recheckAt: lookAt } = yield* planPods(state);
  const outcome = { kind: isHeld(because) ? "skipped" : "succeeded" } as const;
  const report = yield* reportReplicaSetInSteps(state, outcome, { held, lookAt });
  return { actions, because, ...(held === undefined ? {} : { held }), ...report };
}

/** The Pods that a plan deletes. */
export function victimsOf({ actions }: Pick<ReplicaSetPlan, "actions">): readonly Pod[] {
  return actions.flatMap((action) =>
    action.kind === "delete-pods" ? action.removal.choice.victims.map(({ pod }) => pod) : [],
  );
}

/** What a report depends on besides the state of the plan. */
export interface ReportOptions {
  /** Absent: that of the state. */
  readonly now?: Instant | undefined;
  /** What the plan holds back. */
  readonly held?: HeldRemoval | "none" | undefined;
  /** When the plan wants to be made again. */
  readonly lookAt?: Instant | undefined;
}

/** What to report once the actions have had this outcome. Pods are counted as they were before the actions. */
export function reportReplicaSet(
  state: ReplicaSetState,
  outcome: ManageOutcome,
  options: ReportOptions = {},
): ReplicaSetReport {
  return finish(reportReplicaSetInSteps(state, outcome, options));
}

/** Generator variant of `reportReplicaSet`, for callers that do other work between its steps. */
export function* reportReplicaSetInSteps(
  state: ReplicaSetState,
  outcome: ManageOutcome,
  { now = state.now, held, lookAt = Infinity }: ReportOptions = {},
): Steps<ReplicaSetReport> {
  const { owner, active } = state;
  const holds = holdReport(held);
  const status = yield* replicaStatusInSteps(extended(state, { managed: outcome, holds, now }));
  yield;
  const available = availabilityRecheckAt({ owner: { ...owner, status }, active, now }) ?? Infinity;
  const at = Math.min(available, lookAt);
  return at === Infinity ? { status } : { status, recheckAt: at };
}

function holdReport(held: HeldRemoval | "none" | undefined): HoldReport {
  if (held === undefined) return { kind: "unknown" };
  return held === "none" ? { kind: "none" } : { kind: "held", held };
}

/** Whether the number of Pods is left as it is for now: then nothing is learnt about success or failure either. */
function isHeld(because: PlanReason): boolean {
  return (
    because !== "as-many-as-desired" && because !== "fewer-than-desired" && because !== "more-than-desired"
  );
}

function* planPods(state: ReplicaSetState): Steps<ProtectedPlan> {
  const plan = planReplicas(state);
  switch (plan.kind) {
    case "hold": {
      // What a picker is asked now may be what has to be decided once the informers are up to date.
      const mayStillDecide = plan.because === "expecting";
      return { actions: mayStillDecide ? [] : dismissal(state), because: plan.because };
    }
    case "rest":
      return settled({ actions: dismissal(state), because: "as-many-as-desired" }, state);
    case "create": {
      const existing = state.active.length;
      const draft = draftPod(state.owner, state);
      const create = { kind: "create-pods", existing, count: plan.count, draft } as const;
      return settled({ actions: [...dismissal(state), create], because: "fewer-than-desired" }, state);
    }
    case "delete":
      if (isProtecting(state)) return yield* planProtectedRemoval(plan.count, state);
      return withoutHold(yield* planRemoval(plan.count, state), state, "gate-off");
  }
}

/** No Pod is too many: a hold is over. */
function settled(plan: PodPlan, state: ReplicaSetState): ProtectedPlan {
  return withoutHold(plan, state, "size-reached");
}

function withoutHold(plan: PodPlan, state: ReplicaSetState, because: HoldEnd): ProtectedPlan {
  // What `trimtab steer` holds back is within the size, and its own to end.
  if (Object.hasOwn(state.owner.metadata.labels ?? {}, heldAtLabel)) return plan;
  return { ...plan, actions: [...plan.actions, ...endedHold(state, because)], held: "none" };
}
