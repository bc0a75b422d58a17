import type {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerSpec,
  MetricSpec,
} from "../../api/generated/autoscaling-v2.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { formatTime, parseTime } from "../../api/time.ts";
import { pod, type PodTraits } from "../../testing/pod.ts";
import type { PodSamples } from "./group-pods.ts";
import type { MetricsSource } from "./metric-proposal.ts";
import type { AutoscalerState } from "./autoscaling-plan.ts";

/** When the tests take place; Pods have run since January unless told otherwise. */
export const testTime = parseTime("2026-06-01T12:00:00Z") ?? 0;

/** A time so many seconds before the tests. */
export const ago = (seconds: number): string => formatTime(testTime - seconds * 1000);

/** What a test may want of a Pod besides its traits: its CPU use in thousandths; absent: not measured. */
export interface MeasuredTraits extends PodTraits {
  readonly milli?: number;
  /** Requested CPU in thousandths; `null` for none. */
  readonly request?: number | null;
  readonly startedAt?: string;
}

/** Pods and what was measured of them. */
export interface MeasuredPods {
  readonly pods: readonly Pod[];
  readonly samples: PodSamples;
}

export function measured(...traits: readonly MeasuredTraits[]): MeasuredPods {
  const values = new Map<string, number>();
  const pods = traits.map(({ milli, request = 1000, startedAt = "2026-01-01T00:00:00Z", ...rest }, index) => {
    const name = `pod-${index}`;
    if (milli !== undefined) values.set(name, milli);
    const requests = request === null ? {} : { requests: { cpu: `${request}m` } };
    const made = pod(name, { ...rest, spec: { containers: [{ name: "app", resources: requests }] } });
    return { ...made, status: { ...made.status, startTime: startedAt } };
  });
  return {
    pods,
    samples: { timestamp: testTime, windowMs: 15_000, valueOf: ({ metadata }) => values.get(metadata.name) },
  };
}

/** So many Pods that each use so much. */
export const podsUsing = (
  count: number,
  milli: number,
  traits: MeasuredTraits = {},
): readonly MeasuredTraits[] => Array.from({ length: count }, () => ({ milli, ...traits }));

const none = { problem: "not measured" };

export const noMetrics: MetricsSource = {
  resource: () => none,
  pods: () => none,
  object: () => none,
  external: () => none,
};

export const cpu = (averageUtilization: number): MetricSpec => ({
  type: "Resource",
  resource: { name: "cpu", target: { type: "Utilization", averageUtilization } },
});

export function autoscaler(spec: Partial<HorizontalPodAutoscalerSpec> = {}): HorizontalPodAutoscaler {
  return {
    metadata: { name: "web", namespace: "default", uid: "hpa", resourceVersion: "1" },
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
      minReplicas: 1,
      maxReplicas: 100,
      metrics: [cpu(50)],
      ...spec,
    },
  };
}

/** The state of an autoscaler whose Pods use so much CPU. */
export function stateOf(
  { pods, samples }: MeasuredPods,
  state: Partial<AutoscalerState> & { readonly spec?: Partial<HorizontalPodAutoscalerSpec> } = {},
): AutoscalerState {
  const { spec, ...rest } = state;
  return {
    autoscaler: autoscaler(spec),
    target: {
      kind: "scale",
      currentReplicas: pods.length,
      statusReplicas: pods.length,
      selected: { kind: "pods", pods },
    },
    metrics: { ...noMetrics, resource: () => samples },
    history: undefined,
    now: testTime,
    ...rest,
  };
}
