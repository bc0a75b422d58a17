import type { HorizontalPodAutoscaler as AutoscalerV1 } from "../../../../api/generated/autoscaling-v1.ts";
import type {
  HorizontalPodAutoscaler,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValueStatus,
} from "../../../../api/generated/autoscaling-v2.ts";
import type { Instant } from "../../../../api/time.ts";
import {
  ageOf,
  countOrZero,
  firstOf,
  noneText,
  textOrEmpty,
  unknown,
  unset,
} from "../../tables/cell-text.ts";
import {
  ageColumn,
  type TableCell,
  column,
  nameColumn,
  type TableDescription,
} from "../../tables/table-description.ts";
import type { KindPresentation, TypeDescriptions } from "../kind-presentation.ts";

const columns = [
  nameColumn,
  column("Reference", "The workload to scale."),
  column("Targets", "Each metric: current value and target."),
  column("MinPods", "The smallest number of Pods."),
  column("MaxPods", "The largest number of Pods.", "integer"),
  column("Replicas", "The current number of Pods.", "integer"),
  ageColumn,
];

const horizontalPodAutoscalerTable: TableDescription<HorizontalPodAutoscaler> = {
  columns,
  cells(autoscaler, now) {
    const current = autoscaler.status?.currentMetrics ?? [];
    const metrics = (autoscaler.spec.metrics ?? []).map((metric, index) =>
      metricText(metric, current[index]),
    );
    return cellsOf(autoscaler, firstOf(metrics, 2, ", ") || noneText, now);
  },
};

/** v1 has one metric only, CPU utilization. */
const horizontalPodAutoscalerV1Table: TableDescription<AutoscalerV1> = {
  columns,
  cells(autoscaler, now) {
    const wanted = autoscaler.spec.targetCPUUtilizationPercentage;
    const current = percentText(autoscaler.status?.currentCPUUtilizationPercentage, unknown);
    const targets = wanted === undefined ? noneText : `cpu: ${current}/${percentText(wanted, unknown)}`;
    return cellsOf(autoscaler, targets, now);
  },
};

function cellsOf(
  autoscaler: HorizontalPodAutoscaler | AutoscalerV1,
  targets: string,
  now: Instant,
): readonly TableCell[] {
  const { metadata, spec, status } = autoscaler;
  return [
    metadata.name,
    `${spec.scaleTargetRef.kind}/${spec.scaleTargetRef.name}`,
    targets,
    String(spec.minReplicas ?? unset),
    spec.maxReplicas,
    countOrZero(status?.currentReplicas),
    ageOf(autoscaler, now),
  ];
}

type Describe = (metric: MetricSpec, status: MetricStatus | undefined) => string;

const describe: Readonly<Record<string, Describe>> = {
  Resource: ({ resource }, status) =>
    `${textOrEmpty(resource?.name)}: ${shareText(resource?.target, status?.resource?.current)}`,
  ContainerResource: ({ containerResource }, status) =>
    `${textOrEmpty(containerResource?.name)}: ${shareText(containerResource?.target, status?.containerResource?.current)}`,
  Pods: ({ pods }, status) =>
    `${status?.pods?.current.averageValue ?? unknown}/${pods?.target.averageValue ?? unknown}`,
  Object: ({ object }, status) => amountText(object?.target, status?.object?.current),
  External: ({ external }, status) => amountText(external?.target, status?.external?.current),
};

function metricText(metric: MetricSpec, status: MetricStatus | undefined): string {
  return describe[metric.type]?.(metric, status) ?? "<unknown type>";
}

function shareText(target: MetricTarget | undefined, current: MetricValueStatus | undefined): string {
  if (target?.averageValue !== undefined) return `${current?.averageValue ?? unknown}/${target.averageValue}`;
  return `${percentText(current?.averageUtilization, unknown)}/${percentText(target?.averageUtilization, "<auto>")}`;
}

function amountText(target: MetricTarget | undefined, current: MetricValueStatus | undefined): string {
  if (target?.averageValue !== undefined)
    return `${current?.averageValue ?? unknown}/${target.averageValue} (avg)`;
  return `${current?.value ?? unknown}/${target?.value ?? unknown}`;
}

function percentText(share: number | undefined, otherwise: string): string {
  return share === undefined ? otherwise : `${share}%`;
}

const horizontalPodAutoscalerDescriptions: TypeDescriptions = {
  "autoscaling.v2.HorizontalPodAutoscaler": {
    about: "Scales a workload to keep metrics near their targets.",
  },
  "autoscaling.v2.HorizontalPodAutoscalerSpec": {
    fields: {
      scaleTargetRef: "The workload to scale.",
      minReplicas: "The smallest number of Pods; 1 by default.",
      maxReplicas: "The largest number of Pods.",
      metrics: "The metrics and their targets; the largest resulting number of Pods wins.",
      behavior: "How fast to scale up and down.",
    },
  },
  "autoscaling.v2.HorizontalPodAutoscalerStatus": {
    fields: {
      currentReplicas: "The current number of Pods.",
      desiredReplicas: "The desired number of Pods.",
      currentMetrics: "The metrics as last measured.",
      lastScaleTime: "When the number of Pods was last changed.",
    },
  },
  "autoscaling.v1.HorizontalPodAutoscaler": {
    about: "Scales a workload to keep its CPU use near a target.",
  },
  "autoscaling.v1.HorizontalPodAutoscalerSpec": {
    fields: {
      scaleTargetRef: "The workload to scale.",
      minReplicas: "The smallest number of Pods; 1 by default.",
      maxReplicas: "The largest number of Pods.",
      targetCPUUtilizationPercentage:
        "The target for the average CPU use of the Pods, as a percentage of their requests.",
    },
  },
};

export const horizontalPodAutoscalerPresentation: KindPresentation = {
  table: horizontalPodAutoscalerTable,
  tableOfVersion: { v1: horizontalPodAutoscalerV1Table },
  descriptions: horizontalPodAutoscalerDescriptions,
};
