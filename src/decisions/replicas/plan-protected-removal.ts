import type { Pod } from "../../api/generated/core-v1.ts";
import type { JsonObject } from "../../api/json.ts";
import type { Instant } from "../../api/time.ts";
import type { Picks } from "../downscale/facts.ts";
import { type PickerProgress, pickerProgress, type SettledPicker } from "../downscale/picker-progress.ts";
import type { StandingAnswer } from "../downscale/picker-state.ts";
import { protectionEndsAt, type ProtectionSplit, splitByProtection } from "../downscale/protection.ts";
import type { Steps } from "../downscale/steps.ts";
import { writeHold } from "../downscale/hold.ts";
import { heldRemovalLabel, unprotectedLabel } from "../../api/pod-protection.ts";
import { type HeldRemoval, heldRemoval, showsHold } from "./held-removal.ts";
import { chooseRemoval, dismissal, type PodPlan } from "./plan-removal.ts";
import { type RemovalState, uncountedFacts } from "./removal-facts.ts";
import type { HoldEnd, Removal, ReplicaSetAction } from "./replica-set-action.ts";
import { desiredReplicasOf, isReplicationController } from "./replica-owner.ts";
import type { ReplicaSetState } from "./replica-set-state.ts";

/** What a protected removal is planned by; the size that the owner has is the one to reach. */
export type ProtectedState = RemovalState & Pick<ReplicaSetState, "picker">;

/** A plan for Pods, and the removal that it holds back; absent: not decided yet. */
export interface ProtectedPlan extends PodPlan {
  readonly held?: HeldRemoval | "none";
  readonly recheckAt?: Instant;
}

/** Whether removals look at protection: those of ReplicaSets do, but not in kube-controller-manager. */
export function isProtecting({ owner, gates, removalProfile }: RemovalState): boolean {
  const isUnprotected = Object.hasOwn(owner.metadata.labels ?? {}, unprotectedLabel);
  if (!gates.PodRemovalProtection || isUnprotected || isReplicationController(owner)) return false;
  return removalProfile !== "kubernetes-1.36";
}

/**
 * Plans the removal of so many Pods, at most: those that are protected are passed over, and where no others are left,
 * the removal is held back until their protection or its limit ends.
 */
export function* planProtectedRemoval(count: number, state: ProtectedState): Steps<ProtectedPlan> {
  const marked = splitByProtection(state.active, state);
  const progress = progressOf(count, marked, state);
  if (progress.kind === "not-asked")
    return { actions: [{ kind: "ask-picker", unasked: progress }], because: "waiting-for-picker" };
  if (progress.kind === "pending") return { actions: [], because: "waiting-for-picker" };
  const answer = answerOf(progress);
  const split =
    answer.named === undefined ? marked : splitByProtection(state.active, { ...state, ...answer });
  const surplus = state.active.length - (desiredReplicasOf(state.owner) ?? 0);
  const decided = { count: Math.min(count, answer.covered ?? count), split, answer, progress };
  return split.free.length >= surplus
    ? yield* planWithinFree(decided, state)
    : yield* planHold({ ...decided, pods: surplus - split.free.length }, state);
}

/** The picker is asked about the Pods that do not say themselves that they are protected. */
function progressOf(count: number, { free }: ProtectionSplit, state: ProtectedState): PickerProgress {
  const facts = uncountedFacts(state);
  const size = desiredReplicasOf(state.owner) ?? 0;
  return free.length === 0
    ? { kind: "none" }
    : pickerProgress(state.picker, { pods: free, count: Math.min(count, free.length), size, facts });
}

type Decisive = Exclude<PickerProgress, { readonly kind: "not-asked" | "pending" }>;

/** What a decision takes from the picker. */
interface UsedAnswer {
  readonly picks?: Picks | undefined;
  readonly named?: ReadonlySet<string> | undefined;
  readonly covered?: number | undefined;
  readonly outcome?: JsonObject | undefined;
}

function answerOf(progress: Decisive): UsedAnswer {
  if (progress.kind === "none") return {};
  const { protects: named } = progress;
  if (progress.kind === "standing") return { named };
  const { picks, count: covered, outcome } = progress;
  return { picks, named, covered, outcome };
}

/** A removal for which everything is known. */
interface DecidedRemoval {
  readonly count: number;
  readonly split: ProtectionSplit;
  readonly answer: UsedAnswer;
  readonly progress: Decisive;
}

/** Enough Pods are not protected: the order chooses among them. */
function* planWithinFree(removal: DecidedRemoval, state: ProtectedState): Steps<ProtectedPlan> {
  const { count, progress, split } = removal;
  const chosen = yield* chooseFree(count, removal, state);
  return {
    actions: [
      ...afterAnswer(progress, state),
      ...reported(split.unreadable),
      ...endedHold(state, "not-protected"),
      { kind: "delete-pods", removal: chosen },
    ],
    because: "more-than-desired",
    held: "none",
  };
}

interface Holding extends DecidedRemoval {
  /** How many Pods are held back. */
  readonly pods: number;
}

/** Too few Pods are not protected: they go, and the others wait for the end of their protection or for its limit. */
function* planHold(removal: Holding, state: ProtectedState): Steps<ProtectedPlan> {
  const { count, split, progress, pods } = removal;
  const { owner, now } = state;
  const held = heldRemoval({ owner, pods, protected: split.protected, now });
  const standing = standingAfter(progress, state);
  const before = [...afterAnswer(progress, state, standing), ...reported(split.unreadable)];
  const recheckAt = nextLook(held, standing, state);
  const kept = yield* holding(held, removal, state);
  if (split.free.length > 0) {
    const chosen = yield* chooseFree(Math.min(count, split.free.length), removal, state);
    const free: ReplicaSetAction = { kind: "delete-pods", removal: chosen };
    return { actions: [...before, ...kept, free], because: "more-than-desired", held, recheckAt };
  }
  if (held.overdue === 0)
    return { actions: [...before, ...kept], because: "protected-pods", held, recheckAt };
  const overdue = yield* chooseRemoval(Math.min(count, held.overdue), state, removal.answer.picks);
  const despite: ReplicaSetAction = { kind: "delete-pods", removal: { ...overdue, isOverdue: true } };
  return { actions: [...before, ...kept, despite], because: "more-than-desired", held, recheckAt };
}

/** Chooses among the Pods that are not protected; the others count where Pods are counted, and stay. */
function* chooseFree(
  count: number,
  { split, answer }: DecidedRemoval,
  state: ProtectedState,
): Steps<Removal> {
  const { picks, outcome } = answer;
  const { free, protected: isProtected } = split;
  const record = outcome === undefined ? {} : { picker: outcome };
  if (count >= free.length) {
    const rest = isProtected.length > 0 ? ({ isLastFree: true } as const) : {};
    const choice = { victims: free.map((pod) => ({ pod, ...rest })), survivors: [] };
    return { facts: uncountedFacts(state), choice: withProtected(choice, split), ...record };
  }
  const { facts, choice } = yield* chooseRemoval(count, { ...state, active: free }, picks);
  return { facts, choice: withProtected(choice, split), ...record };
}

function withProtected(choice: Removal["choice"], split: ProtectionSplit): Removal["choice"] {
  return split.protected.length === 0 ? choice : { ...choice, protected: split.protected };
}

/** Keeps the beginning of the hold on the owner, unless it is there. */
function* holding(held: HeldRemoval, removal: Holding, state: ProtectedState): Steps<ReplicaSetAction[]> {
  const present = state.owner.metadata.labels?.[heldRemovalLabel];
  if (present === writeHold(held.hold)) return [];
  const none = yield* chooseFree(0, { ...removal, split: { ...removal.split, free: [] } }, state);
  return [{ kind: "hold-removal", held, isNew: !showsHold(state.owner), removal: none }];
}

/** The action that ends the hold an owner shows, if it shows one. */
export function endedHold({ owner }: ProtectedState, because: HoldEnd): readonly ReplicaSetAction[] {
  return showsHold(owner) ? [{ kind: "end-hold", because }] : [];
}

function reported(pods: readonly Pod[]): readonly ReplicaSetAction[] {
  return pods.length === 0 ? [] : [{ kind: "report-unreadable", pods }];
}

function afterAnswer(
  progress: Decisive,
  state: ProtectedState,
  standing?: StandingAnswer,
): readonly ReplicaSetAction[] {
  if (progress.kind === "settled") return [{ kind: "settle-picker", settled: progress, standing }];
  return progress.kind === "none" || standing === undefined ? dismissal(state) : [];
}

/** A picker whose answer holds a removal back is asked again after 10 seconds, and then ever less often. */
const firstPauseMs = 10_000;
const longestPauseMs = 60_000;

/** The answer that counts until the picker is asked again. */
function standingAfter(progress: Decisive, state: ProtectedState): StandingAnswer | undefined {
  const before = state.picker.picker?.standing;
  if (progress.kind === "none") return undefined;
  if (progress.kind === "standing") return before;
  return nextStanding(progress, before, state.now);
}

function nextStanding(
  { protects, question }: SettledPicker,
  before: StandingAnswer | undefined,
  now: Instant,
): StandingAnswer | undefined {
  if (protects === undefined || protects.size === 0 || question === undefined) return undefined;
  const pauseMs = before === undefined ? firstPauseMs : Math.min(before.pauseMs * 2, longestPauseMs);
  return { question, protects, pauseMs, askAgainAt: now + pauseMs };
}

/** When to look again even if no Pod changes. */
function nextLook(
  { nextLimitAt, protected: held }: HeldRemoval,
  standing: StandingAnswer | undefined,
  { now }: ProtectedState,
): Instant {
  const times = [nextLimitAt, protectionEndsAt(held) ?? Infinity, standing?.askAgainAt ?? Infinity];
  return Math.min(...times.map((time) => Math.max(time, now + 1)));
}
