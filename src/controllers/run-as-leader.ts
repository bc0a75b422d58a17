import {
  type Component,
  runComponents,
  type RunComponentsOptions,
} from "../machinery/component/component.ts";
import type { Diagnostics } from "../machinery/diagnostics/diagnostics.ts";
import { delegatedAuthorizer } from "../machinery/diagnostics/delegated-authorizer.ts";
import { type SecureServing, serveDiagnostics } from "../machinery/diagnostics/serve-diagnostics.ts";
import type { InformerFactory } from "../machinery/informer/informer-factory.ts";
import type { ElectionTiming } from "../machinery/leader-election/election.ts";
import { runLeaderElection } from "../machinery/leader-election/run-leader-election.ts";
import type { PrometheusMetrics } from "../machinery/metrics/prometheus-metrics.ts";

export interface RunAsLeaderOptions extends Omit<RunComponentsOptions, "synced" | "metrics"> {
  readonly metrics: PrometheusMetrics;
  readonly components: readonly Component[];
  /** Where health, metrics and decisions are served; 0: any free port. */
  readonly port: number;
  /** The address and certificate for other machines, whose requests the API server authorizes; absent: loopback only. */
  readonly bind?: Omit<SecureServing, "authorize"> | undefined;
  /** What is served below `/debug/`; absent: nothing. */
  readonly debug?: Diagnostics["debug"];
  /** The Lease the leading replica holds; absent: this is the only replica. */
  readonly lease?: { readonly namespace: string; readonly name: string } | undefined;
  /** Differs from the identity of every other replica. */
  readonly identity: string;
  readonly timing?: ElectionTiming | undefined;
  /** Called with the address of the diagnostics once they are served. */
  readonly onServing?: ((url: string) => void) | undefined;
  /** Called once, before anything runs, with a function that returns the synced informers; `undefined` while there are none. */
  readonly exposeState?: ((informers: () => InformerFactory | undefined) => void) | undefined;
}

/** Runs components while holding a Lease and serves diagnostics throughout, until the signal aborts. */
export async function runAsLeader(options: RunAsLeaderOptions, signal: AbortSignal): Promise<void> {
  const { metrics, port, bind, log, lease, debug } = options;
  const progress: Progress = { isLeading: lease === undefined };
  options.exposeState?.(() => progress.informers);
  const diagnostics = await serveDiagnostics(
    {
      readiness: () => [{ name: "caches", ok: !progress.isLeading || progress.informers !== undefined }],
      metrics: () => metrics.text(),
      debug,
    },
    { port, log, secure: bind && { ...bind, authorize: delegatedAuthorizer(options) } },
  );
  options.onServing?.(diagnostics.url);
  try {
    await runElected(options, progress, signal);
  } finally {
    await diagnostics.close();
  }
}

interface Progress {
  isLeading: boolean;
  /** Present while the components run and their informers have synced. */
  informers?: InformerFactory;
}

async function runElected(
  options: RunAsLeaderOptions,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  const { components, client, clock, random, log, metrics, lease, identity, timing } = options;
  const synced = (informers: InformerFactory) => void (progress.informers = informers);
  const run = async (leading: AbortSignal) => {
    await runComponents(components, { client, clock, random, log, metrics, synced }, leading);
    delete progress.informers;
  };
  if (lease === undefined) return run(signal);
  const status = metrics.gauge({
    name: "leader_election_master_status",
    help: "Whether this replica holds the Lease (1) or waits for it (0).",
    labels: ["name"],
  });
  status.follow({ name: lease.name }, () => Number(progress.isLeading));
  const onLeadingChanged = (isLeading: boolean) => void (progress.isLeading = isLeading);
  const election = { client, clock, random, log, lease, identity, timing, onLeadingChanged };
  return runLeaderElection(election, run, signal);
}
