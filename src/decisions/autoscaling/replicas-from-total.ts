import { isReady } from "../../api/pod-state.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import type { MetricProblem } from "./replicas-from-pods.ts";
import { isWithinTolerance, type Tolerances } from "./metric-proposal.ts";

/** A metric that is measured as a whole: of another object, or from outside of the cluster. In thousandths. */
export interface TotalMetricState {
  readonly value: number;
  readonly target:
    | { readonly kind: "value"; readonly milli: number }
    | { readonly kind: "average"; readonly milli: number };
  readonly pods: readonly Pod[];
  /** Of the Scale's spec, and of its status. */
  readonly currentReplicas: number;
  readonly statusReplicas: number;
  readonly tolerances: Tolerances;
}

/** Why a metric that is measured as a whole asks for its number of Pods. */
export interface TotalMetricReason {
  readonly rule: "within-tolerance" | "usage";
  /** The value as a multiple of the target. */
  readonly ratio: number;
}

export interface TotalMetricProposal {
  readonly replicas: number;
  readonly because: TotalMetricReason;
  /** The whole value, or its average per Pod, as the target is. */
  readonly shown: number;
}

const mostReplicas = 2 ** 31 - 1;

/** Proposes a number of Pods by a value they share. */
// upstream: GetObjectMetricReplicas, GetObjectPerPodMetricReplicas, and the same of external metrics
export function replicasFromTotal(state: TotalMetricState): TotalMetricProposal | MetricProblem {
  return state.target.kind === "value" ? fromValue(state) : fromAverage(state);
}

function fromValue({ value, target, pods, currentReplicas, tolerances }: TotalMetricState) {
  const ratio = value / target.milli;
  const proposal = (rule: TotalMetricReason["rule"], replicas: number) => ({
    replicas: Math.min(replicas, mostReplicas),
    because: { rule, ratio },
    shown: value,
  });
  if (isWithinTolerance(tolerances, ratio)) return proposal("within-tolerance", currentReplicas);
  if (pods.length === 0) {
    const problem =
      "unable to calculate ready pods: no pods returned by selector while calculating replica count";
    return { problem };
  }
  const ready = pods.filter((pod) => pod.status?.phase === "Running" && isReady(pod)).length;
  return proposal("usage", Math.ceil(ratio * ready));
}

function fromAverage({ value, target, statusReplicas, tolerances }: TotalMetricState): TotalMetricProposal {
  // Without replicas the ratio is infinite, which no tolerance covers.
  const ratio = value / (target.milli * statusReplicas);
  const shown = statusReplicas === 0 ? value : Math.ceil(value / statusReplicas);
  if (isWithinTolerance(tolerances, ratio))
    return { replicas: statusReplicas, because: { rule: "within-tolerance", ratio }, shown };
  const replicas = Math.min(Math.ceil(value / target.milli), mostReplicas);
  return { replicas, because: { rule: "usage", ratio }, shown };
}
