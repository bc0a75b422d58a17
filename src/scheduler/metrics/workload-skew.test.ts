import { expect, test } from "vitest";
import { clusterViewOf } from "../../decisions/placement/view/list-view.ts";
import { VirtualClock } from "../../machinery/clock/virtual-clock.ts";
import { prometheusMetrics } from "../../machinery/metrics/prometheus-metrics.ts";
import { node } from "../../testing/node.ts";
import { pod } from "../../testing/pod.ts";
import { exposeWorkloadSkew } from "./workload-skew.ts";

const clock = new VirtualClock();
/** A clock by which every pause is due. */
const busyClock = Object.assign(new VirtualClock(), { yieldToEventLoop: () => Promise.resolve() });

/** A StatefulSet with so many Pods on the first of two nodes. */
function workload(name: string, count: number, maxSkew: number) {
  const constraint = {
    maxSkew,
    topologyKey: "kubernetes.io/hostname",
    whenUnsatisfiable: "ScheduleAnyway",
    labelSelector: { matchLabels: { app: "web" } },
  };
  const traits = {
    node: "one",
    owner: { apiVersion: "apps/v1", kind: "StatefulSet", name },
    spec: { topologySpreadConstraints: [constraint] },
  };
  return Array.from({ length: count }, (_, index) => pod(`${name}-${index}`, traits));
}

const pods = [...workload("even", 1, 1), ...workload("worst", 5, 1), ...workload("allowed", 6, 6)];
const cluster = clusterViewOf({ nodes: [node("one"), node("two")], pods });

test.for([
  { name: "at once", clock },
  { name: "with pauses", clock: busyClock },
])("an alert can compare the skew of a workload with what is allowed, measured $name", async ({ clock }) => {
  const metrics = prometheusMetrics();
  exposeWorkloadSkew(metrics, { cluster, argsFor: () => ({ defaultingType: "System" }), clock, limit: 2 });
  const lines = (await metrics.text()).split("\n").filter((line) => line.startsWith("trimtab_"));
  const labels = (name: string) =>
    `{namespace="default",kind="StatefulSet",workload="${name}",topology_key="kubernetes.io/hostname",when_unsatisfiable="ScheduleAnyway"}`;
  expect(lines).toEqual([
    `trimtab_workload_skew${labels("worst")} 5`,
    `trimtab_workload_skew${labels("even")} 1`,
    `trimtab_workload_max_skew${labels("worst")} 1`,
    `trimtab_workload_max_skew${labels("even")} 1`,
    "trimtab_workload_skew_omitted 1",
  ]);
});

test("Pods that another scheduler places are not measured", async () => {
  const metrics = prometheusMetrics();
  exposeWorkloadSkew(metrics, { cluster, argsFor: () => undefined, clock });
  expect(await metrics.text()).not.toContain("trimtab_workload_skew{");
});
