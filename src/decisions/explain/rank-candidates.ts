import type { Pod } from "../../api/generated/core-v1.ts";
import type { Facts, Picks, Spread } from "../downscale/facts.ts";
import { pickerQuestion } from "../downscale/picker-question.ts";
import { listAsKubernetes, type OpenRanking } from "../downscale/rank-as-kubernetes.ts";
import { rankPods } from "../downscale/rank-pods.ts";
import type { Reason } from "../downscale/reason.ts";
import { burst } from "../replicas/plan-replicas.ts";
import { isProtecting } from "../replicas/plan-protected-removal.ts";
import { protectionReason } from "./protection-text.ts";
import { type ProtectedPod, type ProtectionSplit, splitByProtection } from "../downscale/protection.ts";
import { type RemovalState, removalFacts, withoutPods } from "../replicas/removal-facts.ts";
import { type ReasonRecord, toReasonRecord } from "./removal-record.ts";
import { removalReason } from "./removal-reason.ts";
import { type SpreadCounts, spreadCounts } from "./spread-counts.ts";

/** A Pod in the order in which a scale-down removes them. */
export interface RankedPod {
  /** From 1. */
  readonly place: number;
  readonly pod: string;
  readonly uid: string;
  readonly node?: string;
  readonly verdict: "goes" | "stays" | "either" | "protected";
  /** Why it may not be removed now, where that is its verdict. */
  readonly protection?: string;
  /** Why it comes before the Pod at the next place; absent for the last one. */
  readonly beforeNext?: PairReason;
}

/** What decides between a Pod and the one at the next place. */
export type PairReason =
  | { readonly decided: true; readonly because: ReasonRecord; readonly reason: string }
  /** Nothing does: the two may change places. */
  | { readonly decided: false; readonly reason: string };

/** A pod picker that a scale-down asks, or has asked. */
export interface PickerExplanation {
  /** From which Pods it may choose how many. */
  readonly candidates: readonly string[];
  readonly requested: number;
  /** What it answered; absent: it was not asked. */
  readonly answer?: PickerAnswerGiven;
}

/** What came of asking a picker. */
export interface PickerAnswerGiven {
  /** As a sentence. */
  readonly outcome: string;
  readonly chosen: readonly string[];
  readonly tied: readonly string[];
  /** The Pods that may not go now; absent: none. */
  readonly protects?: readonly string[];
}

/** How Pods are ranked, besides what the removal is decided by. */
export interface RankingOptions {
  /** Whether the workload has a picker. */
  readonly hasPicker: boolean;
  /** What the picker answered, one entry per question. */
  readonly pickerAnswers: readonly PickerAnswerGiven[];
  /** Whether the whole removal is one decision; otherwise it is made in steps of 500 Pods. */
  readonly isOneDecision: boolean;
}

export interface RankedCandidates {
  readonly candidates: readonly RankedPod[];
  readonly pickers: readonly PickerExplanation[];
  readonly spread?: SpreadCounts;
  /** How many Pods are held back because those that would go are protected. */
  readonly held: number;
}

interface Round {
  readonly ranking: OpenRanking;
  /** How many of its Pods this decision removes. */
  readonly count: number;
}

/**
 * Puts the Pods of one owner in the order in which `count` of them are removed. A controller removes at most 500 at once
 * and then decides anew, since the Pods that are left share their nodes with fewer others.
 */
export function rankCandidates(
  start: RemovalState,
  surplus: number,
  options: RankingOptions,
): RankedCandidates {
  const split = isProtecting(start) ? splitFor(start, options) : undefined;
  if (split === undefined) return { ...rankFree(start, surplus, options), held: 0 };
  const { free, protected: kept } = split;
  const count = Math.min(surplus, free.length);
  const ranked = rankFree({ ...start, active: free }, count, options);
  const protectedRows = kept.map((each, index) => protectedRow(each, ranked.candidates.length + index + 1));
  return { ...ranked, candidates: [...ranked.candidates, ...protectedRows], held: surplus - count };
}

/** Tells the protected Pods from the others, by what the picker answered, too. */
function splitFor(state: RemovalState, options: RankingOptions): ProtectionSplit {
  const marked = splitByProtection(state.active, state);
  const answer = options.hasPicker ? options.pickerAnswers[0]?.protects : undefined;
  return answer === undefined
    ? marked
    : splitByProtection(state.active, { now: state.now, named: new Set(answer) });
}

function protectedRow({ pod, because }: ProtectedPod, place: number): RankedPod {
  const { name, uid } = pod.metadata;
  const node = pod.spec?.nodeName;
  return {
    place,
    pod: name,
    uid,
    ...(node === undefined ? {} : { node }),
    verdict: "protected",
    protection: protectionReason(because),
  };
}

function rankFree(
  start: RemovalState,
  count: number,
  options: RankingOptions,
): Omit<RankedCandidates, "held"> {
  const rows: RankedPod[] = [];
  const pickers: PickerExplanation[] = [];
  const gone: Pod[] = [];
  let state = start;
  let spread: Spread | undefined;
  while (state.active.length > 0) {
    const open = count - gone.length;
    const size = options.isOneDecision ? open : Math.min(open, burst);
    // The Pods that stay are listed with the last decision.
    const isLast = size === open;
    const facts = removalFacts(state);
    spread ??= facts.spread;
    const round = rankRound(state, size, { options, facts, pickers, isLast });
    const listed = isLast ? state.active.length : size;
    for (let place = 0; place < listed; place++) rows.push(rowOf(place, rows.length + 1, round));
    const removed = round.ranking.pods.slice(0, size);
    gone.push(...removed);
    state = withoutPods(state, new Set(removed));
    if (isLast) break;
  }
  return {
    candidates: rows,
    pickers,
    ...(spread && { spread: spreadCounts(split(gone, state.active), spread) }),
  };
}

function split(gone: readonly Pod[], left: readonly Pod[]): Parameters<typeof spreadCounts>[0] {
  return { victims: gone.map((pod) => ({ pod })), survivors: left.map((pod) => ({ pod })) };
}

interface RoundContext {
  readonly options: RankingOptions;
  readonly facts: Facts;
  readonly pickers: PickerExplanation[];
  readonly isLast: boolean;
}

function rankRound({ active, removalProfile }: RemovalState, count: number, context: RoundContext): Round {
  const { options, facts, pickers, isLast } = context;
  if (removalProfile === "kubernetes-1.36") return { count, ranking: listAsKubernetes(active, facts, count) };
  const asked = options.hasPicker ? askedPicker(active, count, context) : undefined;
  if (asked !== undefined) pickers.push(asked);
  const picks = picksOf(asked?.answer);
  // The Pods that stay are ranked with the last decision; before it their order changes.
  const exact = isLast ? active.length : Math.min(count + 1, active.length);
  const ranking = rankPods(active, picks === undefined ? facts : { ...facts, picks }, exact);
  return { count, ranking: { ...ranking, exact, groupAt: (place) => place } };
}

function askedPicker(
  left: readonly Pod[],
  count: number,
  { facts, options, pickers }: RoundContext,
): PickerExplanation | undefined {
  // Where no Pod stays there is nothing to choose, unless the picker may protect Pods.
  const isOpen = count < left.length || facts.gates.PodRemovalProtection;
  const question = isOpen ? pickerQuestion(left, count, facts) : undefined;
  if (question?.kind !== "Ask") return undefined;
  const answer = options.pickerAnswers[pickers.length];
  return {
    candidates: question.candidates.map(({ metadata }) => metadata.name),
    requested: question.requested,
    ...(answer === undefined ? {} : { answer }),
  };
}

function picksOf(answer: PickerAnswerGiven | undefined): Picks | undefined {
  if (answer === undefined || answer.chosen.length + answer.tied.length === 0) return undefined;
  return { chosen: new Set(answer.chosen), tied: new Set(answer.tied) };
}

function rowOf(index: number, place: number, round: Round): RankedPod {
  const { pods, exact, why } = round.ranking;
  const pod = pods[index] as Pod;
  const { name, uid } = pod.metadata;
  const node = pod.spec?.nodeName ?? "";
  const isCompared = index < exact && index + 1 < pods.length;
  const pair = isCompared ? pairReason(pod, why(index)) : undefined;
  return {
    place,
    pod: name,
    uid,
    ...(node === "" ? {} : { node }),
    verdict: verdictAt(index, round),
    ...(pair === undefined ? {} : { beforeNext: pair }),
  };
}

/** A Pod is open when the cut goes through its group. */
function verdictAt(index: number, { ranking: { groupAt, pods }, count }: Round): RankedPod["verdict"] {
  const isCutOpen = count > 0 && count < pods.length && groupAt(count - 1) === groupAt(count);
  if (isCutOpen && groupAt(index) === groupAt(count)) return "either";
  return index < count ? "goes" : "stays";
}

const eitherPair = "either: the order leaves open which of these goes first";

function pairReason(pod: Pod, because: Reason | undefined): PairReason {
  return because === undefined
    ? { decided: false, reason: eitherPair }
    : { decided: true, because: toReasonRecord(because), reason: removalReason({ pod, because }) };
}
