import type { FeatureGates } from "../../api/feature-gates.ts";
import { keyOf } from "../../api/object.ts";
import { type DecidedBy, defaultGatesOf } from "../../decisions/explain/decided-by.ts";
import { objectsIn, simulatedClusterOf } from "../snapshot/load-snapshot.ts";
import type { Assumptions } from "../snapshot/simulated-objects.ts";
import { controllersIn, type Snapshot } from "../snapshot/snapshot.ts";
import { type SimulatedClusterOptions, startSimulatedCluster } from "../simulated-cluster.ts";
import { applyChange, type Change } from "./change.ts";
import { drainNode } from "./drain-node.ts";
import { PodHistories } from "./pod-histories.ts";
import { reportOf } from "./report-of.ts";
import type { WhatIfReport } from "./what-if-report.ts";
import { WorkloadCounts } from "./workload-counts.ts";

export interface WhatIfOptions extends Pick<SimulatedClusterOptions, "schedulerConfig"> {
  readonly snapshot: Snapshot;
  readonly changes: readonly Change[];
  /** The same seed gives the same report. */
  readonly seed: string | number;
  readonly assumptions?: Assumptions;
  /** Of the controllers and the API server; absent: the defaults of these controllers. */
  readonly gates?: FeatureGates;
  /** Whose controllers decide; absent: those that the snapshot names, or stock ones where it names none. */
  readonly controllers?: DecidedBy["controllers"];
  /** How long the cluster is simulated at most; absent: six hours. */
  readonly timeoutMs?: number;
  /** What else is assumed, as sentences for the report. */
  readonly notes?: readonly string[];
  /** Ends the simulation; its reason is thrown. */
  readonly signal?: AbortSignal;
}

function controllersAs({
  snapshot,
  controllers = controllersIn(snapshot),
  gates = defaultGatesOf({ controllers }),
}: WhatIfOptions): Pick<SimulatedClusterOptions, "gates" | "removalProfile"> {
  return { gates: () => gates, ...(controllers === "stock" && { removalProfile: "kubernetes-1.36" }) };
}

/** Simulates a cluster from its snapshot on, with the changes made at that moment, until nothing happens any more. */
export async function runWhatIf(options: WhatIfOptions): Promise<WhatIfReport> {
  const { snapshot, changes, seed, assumptions, schedulerConfig, timeoutMs, signal } = options;
  const { objects, takenAt } = snapshot;
  const start = simulatedClusterOf(snapshot, assumptions);
  const now = () => start.clock?.now() ?? takenAt;
  const deleted = changes.flatMap((change) =>
    change.kind === "delete" ? [keyOf({ metadata: { namespace: change.namespace, name: change.pod } })] : [],
  );
  const histories = new PodHistories(objects.pods, deleted);
  const counts = new WorkloadCounts(objects, takenAt);
  const cluster = await startSimulatedCluster({
    ...start,
    seed,
    recording: "none",
    ...controllersAs(options),
    ...(schedulerConfig !== undefined && { schedulerConfig }),
    decided: histories.observer,
    committed: (collection, event) => {
      if (collection === "pods") histories.committed(event, now());
      counts.committed(collection, event, now());
    },
  });
  const ending = new AbortController();
  try {
    for (const change of changes) await applyChange(change, cluster);
    const drains = changes.flatMap((change) =>
      change.kind === "drain" ? [drainNode(cluster, change.node, ending.signal)] : [],
    );
    const isStable = await cluster.untilStable({
      unchangedForMs: longestPauseMs(snapshot),
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(signal !== undefined && { signal }),
    });
    signal?.throwIfAborted();
    ending.abort();
    const after = objectsIn(cluster.store);
    const endedAt = isStable ? cluster.lastWriteAt() : cluster.clock.now();
    const drained = await cluster.clock.runUntilSettled(Promise.all(drains));
    return reportOf({
      changes,
      refusedEvictions: new Map(drained.flatMap(({ refused }) => [...refused])),
      takenAt,
      before: objects,
      after,
      histories,
      counts,
      isStable,
      endedAt,
      assumptions: options.notes ?? [],
    });
  } finally {
    await cluster.stop();
  }
}

/** The longest that a controller waits for a time in an object to be over, and never less than the longest retry. */
function longestPauseMs({ objects }: Snapshot): number {
  let seconds = 1000;
  for (const { spec } of objects.pods) {
    for (const { tolerationSeconds = 0 } of spec.tolerations ?? [])
      seconds = Math.max(seconds, tolerationSeconds);
    seconds = Math.max(seconds, spec.terminationGracePeriodSeconds ?? 0);
  }
  for (const { spec } of objects.deployments)
    seconds = Math.max(seconds, spec.progressDeadlineSeconds ?? 0, spec.minReadySeconds ?? 0);
  const longest = 2 * 3600;
  return (Math.min(seconds, longest) + 100) * 1000;
}
