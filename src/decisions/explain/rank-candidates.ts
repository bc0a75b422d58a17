import type { Pod } from "../../api/generated/core-v1.ts";
import { countPerNode } from "../downscale/co-location.ts";
import type { Facts, Picks } from "../downscale/facts.ts";
import { pickerQuestion } from "../downscale/picker-question.ts";
import { listAsKubernetes, type OpenRanking } from "../downscale/rank-as-kubernetes.ts";
import { rankPods } from "../downscale/rank-pods.ts";
import type { Spread } from "../downscale/spread.ts";
import type { Reason } from "../downscale/reason.ts";
import type { RemovalProfileName } from "../downscale/removal-profiles.ts";
import { burst } from "../replicas/plan-replicas.ts";
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
  readonly verdict: "goes" | "stays" | "either";
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
}

/** What Pods are ranked by. */
export interface RankingOptions {
  readonly profile: RemovalProfileName;
  readonly facts: Omit<Facts, "related" | "picks">;
  /** The Pods that count for co-location. */
  readonly related: readonly Pod[];
  /** The constraints by which the Pods that are left were spread; absent: a scale-down does not look at them. */
  readonly spreadOf?: ((pods: readonly Pod[], related: readonly Pod[]) => Spread) | undefined;
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
}

interface Round {
  readonly ranking: OpenRanking;
  /** So many of its Pods are removed in this decision. */
  readonly count: number;
}

/**
 * Puts the Pods of one owner in the order in which `count` of them are removed. A controller removes at most 500 at once
 * and then decides anew, since the Pods that are left share their nodes with fewer others.
 */
export function rankCandidates(
  pods: readonly Pod[],
  count: number,
  options: RankingOptions,
): RankedCandidates {
  const rows: RankedPod[] = [];
  const pickers: PickerExplanation[] = [];
  const gone = new Set<Pod>();
  const spread = options.spreadOf?.(pods, options.related);
  let left = pods;
  while (left.length > 0) {
    const open = count - gone.size;
    const size = options.isOneDecision ? open : Math.min(open, burst);
    // The Pods that stay are listed with the last decision.
    const isLast = size === open;
    const round = rankRound(left, size, { options, gone, pickers, isLast });
    const listed = isLast ? left.length : size;
    for (let place = 0; place < listed; place++) rows.push(rowOf(place, rows.length + 1, round));
    for (const pod of round.ranking.pods.slice(0, size)) gone.add(pod);
    left = round.ranking.pods.slice(size);
    if (isLast) break;
  }
  return { candidates: rows, pickers, ...(spread && { spread: spreadCounts(split(gone, left), spread) }) };
}

function split(gone: Iterable<Pod>, left: readonly Pod[]): Parameters<typeof spreadCounts>[0] {
  return { victims: [...gone].map((pod) => ({ pod })), survivors: left.map((pod) => ({ pod })) };
}

interface RoundContext {
  readonly options: RankingOptions;
  readonly gone: ReadonlySet<Pod>;
  readonly pickers: PickerExplanation[];
  readonly isLast: boolean;
}

function rankRound(left: readonly Pod[], count: number, context: RoundContext): Round {
  const { options, gone, pickers, isLast } = context;
  const related = options.related.filter((pod) => !gone.has(pod));
  const facts: Facts = { ...options.facts, related: countPerNode(related) };
  if (options.profile === "kubernetes-1.36") return { count, ranking: listAsKubernetes(left, facts, count) };
  const asked = options.hasPicker ? askedPicker(left, count, { facts, options, pickers }) : undefined;
  if (asked !== undefined) pickers.push(asked);
  const picks = picksOf(asked?.answer);
  const spread = options.spreadOf?.(left, related);
  const known = { ...facts, ...(picks && { picks }), ...(spread && { spread }) };
  // The Pods that stay are ranked with the last decision; before it their order changes.
  const exact = isLast ? left.length : Math.min(count + 1, left.length);
  const ranking = rankPods(left, known, exact);
  return { count, ranking: { ...ranking, exact, groupAt: (place) => place } };
}

function askedPicker(
  left: readonly Pod[],
  count: number,
  { facts, options, pickers }: Pick<RoundContext, "options" | "pickers"> & { readonly facts: Facts },
): PickerExplanation | undefined {
  // Where no Pod stays there is nothing to choose.
  const question = count < left.length ? pickerQuestion(left, count, facts) : undefined;
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
