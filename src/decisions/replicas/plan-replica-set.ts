import { extended } from "../../api/extended.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import type { JsonObject } from "../../api/json.ts";
import type { LabelSelection } from "../../api/labels/label-selector.ts";
import type { Resource } from "../../api/resource.ts";
import type { Instant } from "../../api/time.ts";
import { simulateAsKubernetes } from "../downscale/choose-as-kubernetes.ts";
import { type Choice, chooseVictimsInSteps } from "../downscale/choose-victims.ts";
import type { Facts, Picks } from "../downscale/facts.ts";
import {
  type PickerProgress,
  pickerProgress,
  type SettledPicker,
  type UnaskedPicker,
} from "../downscale/picker-progress.ts";
import type { PickerState } from "../downscale/picker-state.ts";
import { finish, type Steps } from "../downscale/steps.ts";
import { availabilityRecheckAt, type HoldReason, planReplicas, type ReplicasState } from "./plan-replicas.ts";
import { draftPod, type PodDraft } from "./draft-pod.ts";
import type { ManageOutcome } from "./replica-failure.ts";
import { type RemovalState, removalFactsInSteps, uncountedFacts } from "./removal-facts.ts";
import { desiredReplicasOf, type ReplicaStatus } from "./replica-owner.ts";
import { replicaStatusInSteps } from "./replica-status.ts";

/** All that a plan for a ReplicaSet or ReplicationController depends on. */
export interface ReplicaSetState extends ReplicasState, RemovalState {
  /** The kind of the owner, as its Pods refer to it. */
  readonly resource: Resource;
  readonly selection: LabelSelection;
  /** How many of its Pods are being deleted; absent where that is not reported. */
  readonly terminating?: number | undefined;
  readonly picker: PickerState;
}

/** Which Pods go, and what that was decided by. */
export interface Removal {
  readonly choice: Choice;
  readonly facts: Facts;
  /** The outcome of the call to a picker, if one was called. */
  readonly picker?: JsonObject;
}

/** One thing to do for a ReplicaSet. */
export type ReplicaSetAction =
  /** Creates this many Pods. */
  | {
      readonly kind: "create-pods";
      readonly existing: number;
      readonly count: number;
      readonly draft: PodDraft;
    }
  | { readonly kind: "delete-pods"; readonly removal: Removal }
  /** Starts a call; its answer enqueues the ReplicaSet again. */
  | { readonly kind: "ask-picker"; readonly unasked: UnaskedPicker }
  /** Marks an answer as used, so that it is not used twice. */
  | { readonly kind: "settle-picker"; readonly settled: SettledPicker }
  /** Calls off a call that is no longer needed, and drops its answer. */
  | { readonly kind: "dismiss-picker" };

/** Why a plan has the actions it has. */
export type PlanReason =
  | HoldReason
  | "waiting-for-picker"
  | "as-many-as-desired"
  | "fewer-than-desired"
  | "more-than-desired";

/** What to do about a ReplicaSet's Pods, and why. */
export interface ReplicaSetPlan extends ReplicaSetReport {
  /** In order. */
  readonly actions: readonly ReplicaSetAction[];
  readonly because: PlanReason;
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
  const { actions, because } = yield* planPods(state);
  const outcome = { kind: isHeld(because) ? "skipped" : "succeeded" } as const;
  return { actions, because, ...(yield* reportReplicaSetInSteps(state, outcome)) };
}

/** The Pods that a plan deletes. */
export function victimsOf({ actions }: Pick<ReplicaSetPlan, "actions">): readonly Pod[] {
  return actions.flatMap((action) =>
    action.kind === "delete-pods" ? action.removal.choice.victims.map(({ pod }) => pod) : [],
  );
}

/** What to report once the actions have had this outcome. Pods are counted as they were before the actions. */
export function reportReplicaSet(
  state: ReplicaSetState,
  outcome: ManageOutcome,
  now: Instant = state.now,
): ReplicaSetReport {
  return finish(reportReplicaSetInSteps(state, outcome, now));
}

/** Generator variant of `reportReplicaSet`, for callers that do other work between its steps. */
export function* reportReplicaSetInSteps(
  state: ReplicaSetState,
  outcome: ManageOutcome,
  now: Instant = state.now,
): Steps<ReplicaSetReport> {
  const { owner, active } = state;
  const status = yield* replicaStatusInSteps(extended(state, { managed: outcome, now }));
  yield;
  const at = availabilityRecheckAt({ owner: { ...owner, status }, active, now });
  return at === undefined ? { status } : { status, recheckAt: at };
}

/** Whether the number of Pods is left as it is for now: then nothing is learnt about success or failure either. */
function isHeld(because: PlanReason): boolean {
  return (
    because !== "as-many-as-desired" && because !== "fewer-than-desired" && because !== "more-than-desired"
  );
}

type PodPlan = Pick<ReplicaSetPlan, "actions" | "because">;

function* planPods(state: ReplicaSetState): Steps<PodPlan> {
  const plan = planReplicas(state);
  switch (plan.kind) {
    case "hold": {
      // What a picker is asked now may be what has to be decided once the informers are up to date.
      const mayStillDecide = plan.because === "expecting";
      return { actions: mayStillDecide ? [] : dismissal(state), because: plan.because };
    }
    case "rest":
      return { actions: dismissal(state), because: "as-many-as-desired" };
    case "create": {
      const existing = state.active.length;
      const draft = draftPod(state.owner, state);
      const create = { kind: "create-pods", existing, count: plan.count, draft } as const;
      return { actions: [...dismissal(state), create], because: "fewer-than-desired" };
    }
    case "delete":
      return yield* planRemoval(plan.count, state);
  }
}

function* planRemoval(count: number, state: ReplicaSetState): Steps<PodPlan> {
  const { active, picker, owner } = state;
  const facts = uncountedFacts(state);
  if (count === active.length) {
    // No Pod is compared with another: a picker has nothing to decide, and there is no order.
    const choice = { victims: active.map((pod) => ({ pod })), survivors: [] };
    return removing({ facts, choice }, dismissal(state));
  }
  // kube-controller-manager knows no pickers.
  const isStock = state.removalProfile === "kubernetes-1.36";
  const progress: PickerProgress = isStock
    ? { kind: "none" }
    : pickerProgress(picker, { pods: active, count, size: desiredReplicasOf(owner) ?? 0, facts });
  switch (progress.kind) {
    case "none":
      return removing(yield* choose(count, state, undefined), dismissal(state));
    case "not-asked":
      return { actions: [{ kind: "ask-picker", unasked: progress }], because: "waiting-for-picker" };
    case "pending":
      return { actions: [], because: "waiting-for-picker" };
    case "settled": {
      const { picks, outcome, count: covered = count } = progress;
      const removal = yield* choose(covered, state, picks);
      return removing({ ...removal, picker: outcome }, [{ kind: "settle-picker", settled: progress }]);
    }
  }
}

function* choose(count: number, state: ReplicaSetState, picks: Picks | undefined): Steps<Removal> {
  // A picker's answer replaces co-location and spread in the order, so nothing is counted.
  const facts = picks === undefined ? yield* removalFactsInSteps(state) : { ...uncountedFacts(state), picks };
  const choice =
    state.removalProfile === "kubernetes-1.36"
      ? simulateAsKubernetes(state.active, count, facts)
      : yield* chooseVictimsInSteps(state.active, count, facts);
  return { facts, choice };
}

function removing(removal: Removal, before: readonly ReplicaSetAction[]): PodPlan {
  return { actions: [...before, { kind: "delete-pods", removal }], because: "more-than-desired" };
}

function dismissal({ picker }: ReplicaSetState): readonly ReplicaSetAction[] {
  return picker.isAsked ? [{ kind: "dismiss-picker" }] : [];
}
