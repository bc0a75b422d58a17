import type { NodeMetrics, PodMetrics } from "../../../../api/generated/metrics-v1beta1.ts";
import { addQuantities, parseQuantity, zero } from "../../../../api/quantity/quantity.ts";
import { formatQuantity } from "../../../../api/quantity/format-quantity.ts";
import { column, nameColumn, type TableDescription } from "../../tables/table-description.ts";
import type { KindPresentation } from "../kind-presentation.ts";

const columns = [
  nameColumn,
  column("CPU", "The CPU in use."),
  column("Memory", "The memory in use."),
  column("Window", "How long was measured."),
];

const nodeMetricsTable: TableDescription<NodeMetrics> = {
  columns,
  cells: ({ metadata, usage, window }) => [
    metadata.name,
    String(usage["cpu"] ?? 0),
    String(usage["memory"] ?? 0),
    window,
  ],
};

const podMetricsTable: TableDescription<PodMetrics> = {
  columns,
  cells: (pod) => [pod.metadata.name, usageOf(pod, "cpu"), usageOf(pod, "memory"), pod.window],
};

/** Returns the total usage of a Pod's containers. */
function usageOf({ containers }: PodMetrics, resource: string): string {
  const amounts = containers.map(({ usage }) => parseQuantity(usage[resource]) ?? zero);
  return formatQuantity(amounts.reduce(addQuantities, zero));
}

export const nodeMetricsPresentation: KindPresentation = {
  table: nodeMetricsTable,
  descriptions: {
    "metrics.v1beta1.NodeMetrics": {
      about: "What the Pods of a node use, simulated.",
      fields: {
        timestamp: "When it was measured.",
        window: "How long was measured.",
        usage: "What is in use.",
      },
    },
  },
};

export const podMetricsPresentation: KindPresentation = {
  table: podMetricsTable,
  descriptions: {
    "metrics.v1beta1.PodMetrics": {
      about: "What the containers of a Pod use, simulated.",
      fields: {
        timestamp: "When it was measured.",
        window: "How long was measured.",
        containers: "What each container uses.",
      },
    },
  },
};
