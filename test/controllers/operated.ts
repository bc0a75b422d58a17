import { startCluster } from "../../src/cluster/start-cluster.ts";
import { runAsLeader } from "../../src/controllers/run-as-leader.ts";
import { VirtualClock } from "../../src/machinery/clock/virtual-clock.ts";
import type { Component } from "../../src/machinery/component/component.ts";
import { silentLogger } from "../../src/machinery/log/logger.ts";
import { prometheusMetrics } from "../../src/machinery/metrics/prometheus-metrics.ts";
import { seededRandom } from "../../src/machinery/random/random.ts";
import { observeRequests } from "./observe-requests.ts";
import { neededPermissions } from "./rbac.ts";

export interface OperatedOptions {
  readonly components: readonly Component[];
  /** Components of the cluster that these take the place of. */
  readonly without: readonly string[];
  /** The Lease of their program. */
  readonly lease: string;
}

/** Components as they run in production, all of whose requests can be seen, and the rest of a cluster. */
export async function startOperated({ components, without, lease }: OperatedOptions) {
  const clock = new VirtualClock();
  const random = seededRandom("permissions");
  const cluster = await startCluster({ clock, random, nodes: 1, without });
  const { line, client, requests } = observeRequests(cluster.client);
  const ending = new AbortController();
  let running: Promise<void> = Promise.resolve();
  // The page for operators is opened outside of virtual time.
  await new Promise((opened) => {
    running = runAsLeader(
      {
        client,
        clock,
        random,
        log: silentLogger,
        metrics: prometheusMetrics(),
        components,
        port: 0,
        lease: { namespace: "default", name: lease },
        identity: "me",
        onServing: opened,
      },
      ending.signal,
    );
  });
  const pass = () => clock.advance(60_000);
  await pass();
  const end = async () => {
    ending.abort(new Error("the test is over"));
    await clock.advance(5000);
    await running;
    await cluster.stop();
    return neededPermissions(requests());
  };
  return { client: cluster.client, line, pass, end };
}
