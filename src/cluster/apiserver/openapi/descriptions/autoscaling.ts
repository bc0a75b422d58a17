/** Autoscalers. */
export const autoscalingDescriptions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "autoscaling.v2.HorizontalPodAutoscalerSpec": {
    scaleTargetRef: "What is scaled.",
    minReplicas: "The fewest Pods there may be; 1 unless said otherwise.",
    maxReplicas: "The most Pods there may be.",
    metrics: "What to measure and where it should be; the largest answer wins.",
    behavior: "How fast to grow and to shrink.",
  },
  "autoscaling.v2.HorizontalPodAutoscalerStatus": {
    currentReplicas: "The Pods there are.",
    desiredReplicas: "The Pods there should be.",
    currentMetrics: "What was measured last.",
    lastScaleTime: "When the size was changed last.",
  },
  "autoscaling.v1.HorizontalPodAutoscalerSpec": {
    scaleTargetRef: "What is scaled.",
    minReplicas: "The fewest Pods there may be; 1 unless said otherwise.",
    maxReplicas: "The most Pods there may be.",
    targetCPUUtilizationPercentage: "The share of the requested CPU that Pods should use on average.",
  },
};
