import type { Pod } from "../../src/api/generated/core-v1.ts";
import type { OpenChoice } from "../../src/decisions/downscale/choose-as-kubernetes.ts";
import type { Picks } from "../../src/decisions/downscale/facts.ts";
import { type ProtectionSplit, splitByProtection } from "../../src/decisions/downscale/protection.ts";
import type { DecidedPod } from "../../src/decisions/downscale/reason.ts";
import { removalProfiles } from "../../src/decisions/downscale/removal-profiles.ts";
import type { ClusterObjects } from "../../src/decisions/explain/cluster-objects.ts";
import type { PickerAnswerGiven } from "../../src/decisions/explain/rank-candidates.ts";
import { gatherRemoval } from "../../src/decisions/gather/gather-removal.ts";
import { listReader } from "../../src/decisions/gather/workload-reader.ts";
import { protectionReason } from "../../src/decisions/explain/protection-text.ts";
import { isProtecting } from "../../src/decisions/replicas/plan-protected-removal.ts";
import { burst } from "../../src/decisions/replicas/plan-replicas.ts";
import { type RemovalState, removalFacts, withoutPods } from "../../src/decisions/replicas/removal-facts.ts";
import type { ReplicaOwner } from "../../src/decisions/replicas/replica-owner.ts";
import type { DecisionContext } from "./decision-context.ts";

/** The objects and what else a preview is made from. */
export interface PreviewInput {
  readonly objects: ClusterObjects;
  readonly context: DecisionContext;
}

/** What the controller of an owner decides a removal by. */
export function removalState(owner: ReplicaOwner, { objects, context }: PreviewInput): RemovalState {
  const { profile: removalProfile, ...settings } = context;
  return gatherRemoval(owner, listReader(objects), { ...settings, removalProfile });
}

/** Tells the Pods that may be removed from those that are passed over; what a picker protects is not known before. */
export function removablePods(state: RemovalState): ProtectionSplit {
  if (isProtecting(state)) return splitByProtection(state.active, state);
  return { free: state.active, protected: [], unreadable: [] };
}

/** What the picker of an owner answered, one entry for each batch. */
export type PickerAnswers = readonly PickerAnswerGiven[];

function picksOf(answer: PickerAnswerGiven | undefined): Picks | undefined {
  if (answer === undefined || answer.chosen.length + answer.tied.length === 0) return undefined;
  return { chosen: new Set(answer.chosen), tied: new Set(answer.tied) };
}

/**
 * Chooses the Pods that an owner removes, as its controller does: in batches, each of which sees the Pods of the one before as
 * gone.
 */
export function chooseRemoved(count: number, start: RemovalState, picked: PickerAnswers = []): OpenChoice {
  const { choose } = removalProfiles[start.removalProfile ?? "trimtab"];
  const victims: DecidedPod[] = [];
  let asked = 0;
  let state = start;
  let choice: OpenChoice = { victims: [], survivors: state.active.map((pod) => ({ pod })), either: [] };
  for (let left = Math.min(count, state.active.length); left > 0; left = count - victims.length) {
    const facts = removalFacts(state);
    const picks = picksOf(picked[asked]);
    choice = choose(state.active, Math.min(left, burst), picks === undefined ? facts : { ...facts, picks });
    asked++;
    victims.push(...choice.victims);
    state = withoutPods(state, new Set(choice.victims.map(({ pod }) => pod)));
    if (choice.either.length > 0 || state.active.length === 0) break;
  }
  return { ...choice, victims };
}

/** The place of a Pod in the removal order of its owner. */
export interface RemovalRank {
  /** How many Pods go before it. */
  readonly place: number;
  readonly of: number;
  /** Whether the order leaves open where the Pod stands among others. */
  readonly isOpen: boolean;
  /** Why it is passed over for now. */
  readonly protection?: string;
  /** The Pod as the last one removed, compared with the one that stays next. */
  readonly goes?: DecidedPod;
  /** The Pod as the first one kept, compared with the one that goes last. */
  readonly stays?: DecidedPod;
}

/** Where a Pod stands in the removal order, and the two comparisons that put it there; `undefined` when it does not count. */
export function removalRank(pod: Pod, owner: ReplicaOwner, input: PreviewInput): RemovalRank | undefined {
  const state = removalState(owner, input);
  const { active } = state;
  if (!active.includes(pod)) return undefined;
  const { free, protected: kept } = removablePods(state);
  const because = kept.find((each) => each.pod === pod)?.because;
  if (because !== undefined)
    return {
      place: free.length,
      of: active.length,
      isOpen: false,
      protection: protectionReason(because),
    };
  return rankAmong(pod, { ...state, active: free }, { of: active.length, profile: input.context.profile });
}

function rankAmong(
  pod: Pod,
  state: RemovalState,
  { of, profile }: Pick<RemovalRank, "of"> & Pick<DecisionContext, "profile">,
): RemovalRank {
  const { active } = state;
  const { choose } = removalProfiles[profile];
  const facts = removalFacts(state);
  const { victims, either, survivors } = choose(active, active.length - 1, facts);
  const order = [...victims.map((each) => each.pod), ...either, ...survivors.map((each) => each.pod)];
  const place = order.indexOf(pod);
  const goes = choose(active, place + 1, facts).victims.find((each) => each.pod === pod);
  const stays = choose(active, place, facts).survivors.find((each) => each.pod === pod);
  return {
    place,
    of,
    isOpen: either.includes(pod),
    ...(goes?.because !== undefined && { goes }),
    ...(stays?.because !== undefined && { stays }),
  };
}
