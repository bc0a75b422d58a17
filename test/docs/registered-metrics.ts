import { reloadCounter } from "../../src/cli/control-plane/read-scheduler-config.ts";
import { startCluster } from "../../src/cluster/start-cluster.ts";
import { VirtualClock } from "../../src/machinery/clock/virtual-clock.ts";
import { type Metrics, type MetricSpec, silentMetrics } from "../../src/machinery/metrics/metrics.ts";
import { serveMetrics } from "../../src/picker/serve/serve-metrics.ts";
import { seededRandom } from "../../src/machinery/random/random.ts";
import { steeringMetrics } from "../../src/steering/metrics.ts";

/** A metric that a component registers. */
export interface RegisteredMetric {
  readonly type: "counter" | "gauge" | "histogram";
  readonly labels: readonly string[];
}

/** The metrics of a running cluster, of `trimtab scheduler`, `trimtab steer` and `trimtab picker serve`, by name. */
export async function registeredMetrics(): Promise<ReadonlyMap<string, RegisteredMetric>> {
  const found = new Map<string, RegisteredMetric>();
  const note = (type: RegisteredMetric["type"], { name, labels }: MetricSpec<string>) =>
    void found.set(name, { type, labels });
  const metrics: Metrics = {
    counter: (spec) => (note("counter", spec), silentMetrics.counter(spec)),
    gauge: (spec) => (note("gauge", spec), silentMetrics.gauge(spec)),
    histogram: (spec) => (note("histogram", spec), silentMetrics.histogram(spec)),
  };
  const clock = new VirtualClock();
  const cluster = await startCluster({ clock, random: seededRandom("docs"), metrics, nodes: 1 });
  steeringMetrics(metrics);
  reloadCounter(metrics);
  serveMetrics(metrics);
  await cluster.stop();
  return found;
}
