import type { Pod } from "../../api/generated/core-v1.ts";
import type { Instant } from "../../api/time.ts";
import { groupPods, type PodGroups, type PodSamples } from "./group-pods.ts";
import { type PodRequest, podRequestOf } from "./pod-requests.ts";
import { isWithinTolerance, type Tolerances } from "./metric-proposal.ts";

/** What the Pods together should come to: a share of their requests in percent, or an average in thousandths. */
export type PodTarget =
  | { readonly kind: "utilization"; readonly percent: number }
  | { readonly kind: "average"; readonly milli: number };

/** A metric that is measured per Pod. */
export interface PodMetricState {
  readonly pods: readonly Pod[];
  readonly samples: PodSamples;
  readonly target: PodTarget;
  /** The resource, if it is one: requests are read by it, and CPU use waits for readiness. */
  readonly resource?: string | undefined;
  readonly container?: string | undefined;
  readonly currentReplicas: number;
  readonly tolerances: Tolerances;
  readonly now: Instant;
}

/** Why a metric of Pods asks for its number of Pods. */
export interface PodMetricReason {
  readonly rule:
    | "within-tolerance"
    | "usage"
    /** With the conservative values of Pods that could not be measured, too. */
    | "assumed-usage"
    | "assumed-usage-within-tolerance"
    /** What is assumed about Pods must not turn a scale-up into a scale-down, nor the reverse. */
    | "direction-would-change";
  /** Usage as a multiple of the target, by the Pods that were measured. */
  readonly ratio: number;
  readonly measured: number;
  readonly unready: number;
  readonly missing: number;
}

/** How many Pods a metric asks for, and its value. */
export interface PodMetricProposal {
  readonly replicas: number;
  readonly because: PodMetricReason;
  /** The average, in thousandths. */
  readonly average: number;
  /** In percent of the requests, for such a target. */
  readonly utilization?: number;
}

export type MetricProblem = { readonly problem: string };

const unmeasured = "did not receive metrics for targeted pods (pods might be unready)";

/** Proposes a number of Pods by a metric of theirs; Pods without usable metrics count conservatively. */
// upstream: GetResourceReplicas, calcPlainMetricReplicas
export function replicasFromPods(state: PodMetricState): PodMetricProposal | MetricProblem {
  const { pods, samples, resource, now } = state;
  if (pods.length === 0) return { problem: "no pods returned by selector while calculating replica count" };
  const groups = groupPods(pods, samples, { resource, now });
  if (groups.measured.length === 0) return { problem: unmeasured };
  const tally = tallyOf(groups, state);
  if ("problem" in tally) return tally;
  const usage = usageOf(tally, state.target);
  if (usage === undefined) return { problem: "no metrics returned matched known pods" };
  return propose(groups, tally, { ...state, usage });
}

/** The sums over Pods, in thousandths. */
interface Tally {
  value: number;
  request: number;
  count: number;
}

interface Usage {
  readonly ratio: number;
  readonly average: number;
  readonly utilization?: number;
}

function propose(
  groups: PodGroups,
  tally: Tally,
  state: PodMetricState & { readonly usage: Usage },
): PodMetricProposal {
  const { ratio, average, utilization } = state.usage;
  const { measured, unready, missing } = groups;
  const growsDespiteUnready = unready.length > 0 && ratio > 1;
  const needsAssumptions = growsDespiteUnready || missing.length > 0;
  const { rule, replicas } = needsAssumptions
    ? byAssumedUsage(groups, tally, { ...state, growsDespiteUnready })
    : byUsage(measured.length, state);
  return {
    replicas,
    because: { rule, ratio, measured: measured.length, unready: unready.length, missing: missing.length },
    average,
    ...(utilization !== undefined && { utilization }),
  };
}

type Proposed = Pick<PodMetricProposal, "replicas"> & Pick<PodMetricReason, "rule">;

function byUsage(
  measured: number,
  { usage, tolerances, currentReplicas }: PodMetricState & { readonly usage: Usage },
): Proposed {
  return isWithinTolerance(tolerances, usage.ratio)
    ? { rule: "within-tolerance", replicas: currentReplicas }
    : { rule: "usage", replicas: Math.ceil(usage.ratio * measured) };
}

type AssumingState = PodMetricState & { readonly usage: Usage; readonly growsDespiteUnready: boolean };

function byAssumedUsage(groups: PodGroups, tally: Tally, state: AssumingState): Proposed {
  const { usage, tolerances, currentReplicas, target } = state;
  assume(groups, tally, state);
  const assumed = usageOf(tally, target)?.ratio ?? usage.ratio;
  if (isWithinTolerance(tolerances, assumed))
    return { rule: "assumed-usage-within-tolerance", replicas: currentReplicas };
  const replicas = Math.ceil(assumed * tally.count);
  const isOtherWay = usage.ratio !== 1 && usage.ratio < 1 !== assumed < 1;
  const turns = assumed < 1 ? replicas > currentReplicas : replicas < currentReplicas;
  if (isOtherWay || turns) return { rule: "direction-would-change", replicas: currentReplicas };
  return { rule: "assumed-usage", replicas };
}

/** Adds Pods without usable metrics: as idle where more Pods are asked for, as busy where fewer are. */
function assume({ unready, missing }: PodGroups, tally: Tally, state: AssumingState): void {
  const { usage, target, growsDespiteUnready } = state;
  const add = (pod: Pod, valueOf: (request: number) => number) => {
    const request = amountOf(requestOf(pod, state));
    tally.value += valueOf(request);
    tally.request += request;
    tally.count += 1;
  };
  const busy = (request: number) =>
    target.kind === "average" ? target.milli : Math.trunc((request * Math.max(100, target.percent)) / 100);
  if (usage.ratio !== 1) for (const pod of missing) add(pod, usage.ratio < 1 ? busy : () => 0);
  if (growsDespiteUnready) for (const pod of unready) add(pod, () => 0);
}

/** Every Pod has to have a request, also one that ends, or a share of it means nothing. */
function tallyOf({ measured }: PodGroups, state: PodMetricState): Tally | MetricProblem {
  const tally = { value: 0, request: 0, count: measured.length };
  for (const { value } of measured) tally.value += value;
  if (state.target.kind !== "utilization") return tally;
  for (const pod of state.pods) {
    const request = requestOf(pod, state);
    if (typeof request !== "number") return request;
  }
  for (const { pod } of measured) tally.request += amountOf(requestOf(pod, state));
  return tally;
}

/** Usage against the target, in whole percent or thousandths; `undefined` where nothing was requested. */
function usageOf({ value, request, count }: Tally, target: PodTarget): Usage | undefined {
  const average = Math.trunc(value / count);
  if (target.kind === "average") return { ratio: average / target.milli, average };
  if (request === 0) return undefined;
  const utilization = Math.trunc((value * 100) / request);
  return { ratio: utilization / target.percent, average, utilization };
}

function requestOf(pod: Pod, { resource = "", container }: PodMetricState): PodRequest {
  return podRequestOf(pod, resource, container);
}

function amountOf(request: PodRequest): number {
  return typeof request === "number" ? request : 0;
}
