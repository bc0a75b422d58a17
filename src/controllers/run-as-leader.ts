import type { JsonObject } from "../api/json.ts";
import { deployments, replicaSets } from "../api/resources.ts";
import type { InformerFactory } from "../machinery/informer/informer-factory.ts";
import { serveDiagnostics } from "../machinery/diagnostics/serve-diagnostics.ts";
import type { ElectionTiming } from "../machinery/leader-election/election.ts";
import { runLeaderElection } from "../machinery/leader-election/run-leader-election.ts";
import type { PrometheusMetrics } from "../machinery/metrics/prometheus-metrics.ts";
import { runControllers, type RunControllersOptions } from "./run-controllers.ts";
import { exposeWorkloadState } from "./state-metrics/workload-state.ts";

export interface RunAsLeaderOptions extends Omit<RunControllersOptions, "synced" | "metrics"> {
  readonly metrics: PrometheusMetrics;
  /** Where operators look; 0: any free port. */
  readonly port: number;
  /** Held by the one copy at work; absent: there is only one. */
  readonly lease?: { readonly namespace: string; readonly name: string } | undefined;
  /** Unlike any other copy's. */
  readonly identity: string;
  readonly timing?: ElectionTiming | undefined;
  /** Hears where operators look. */
  readonly opened?: ((url: string) => void) | undefined;
}

/**
 * Looks after the workloads of a cluster until the signal aborts: runs the controllers while holding the lease, and
 * shows operators how that goes.
 */
export async function runAsLeader(options: RunAsLeaderOptions, signal: AbortSignal): Promise<void> {
  const { metrics, port, log, lease } = options;
  const progress: Progress = { isLeading: lease === undefined };
  exposeWorkloadState(metrics, {
    deployments: () => progress.informers?.of(deployments).list() ?? [],
    replicaSets: () => progress.informers?.of(replicaSets).list() ?? [],
  });
  const insights = await serveDiagnostics(
    {
      readiness: () => [{ name: "caches", ok: !progress.isLeading || progress.informers !== undefined }],
      metrics: () => metrics.text(),
      debug: (path, query) => (path === "/debug/decisions" ? decisionsOf(options, query) : undefined),
    },
    { port, log },
  );
  options.opened?.(insights.url);
  try {
    await contend(options, progress, signal);
  } finally {
    await insights.close();
  }
}

/** How far this copy has come. */
interface Progress {
  isLeading: boolean;
  /** While at work, and once everything has been seen. */
  informers?: InformerFactory;
}

async function contend(options: RunAsLeaderOptions, progress: Progress, signal: AbortSignal): Promise<void> {
  const { lease } = options;
  const synced = (informers: InformerFactory) => void (progress.informers = informers);
  const work = async (term: AbortSignal) => {
    await runControllers({ ...options, synced }, term);
    delete progress.informers;
  };
  if (lease === undefined) return work(signal);
  const status = options.metrics.gauge({
    name: "leader_election_master_status",
    help: "Whether this copy is the one at work.",
    labels: ["name"],
  });
  status.follow({ name: lease.name }, () => Number(progress.isLeading));
  const changed = (isLeading: boolean) => void (progress.isLeading = isLeading);
  return runLeaderElection({ ...options, lease, onLeadingChanged: changed }, work, signal);
}

function decisionsOf({ removals, rollouts }: RunAsLeaderOptions, query: URLSearchParams): JsonObject {
  const about = { namespace: query.get("namespace") ?? "", name: query.get("name") ?? "" };
  // Records are plain JSON by their own promise; only their types do not say so.
  return { removals: removals.find(about), rollouts: rollouts.find(about) } as unknown as JsonObject;
}
