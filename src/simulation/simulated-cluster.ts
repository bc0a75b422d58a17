import type { ServableApi } from "../cluster/apiserver/create-api.ts";
import type { DecisionLogs } from "../cluster/decisions-endpoint.ts";
import type { FeatureGates } from "../api/feature-gates.ts";
import type { Instant } from "../api/time.ts";
import type { RunningComponent } from "../cluster/component-starter.ts";
import type { ClusterOptions } from "../cluster/cluster-options.ts";
import { type CoreCluster, startCoreCluster } from "../cluster/start-core-cluster.ts";
import type { Disk } from "../cluster/store/durable/disk.ts";
import { openDurableStore } from "../cluster/store/durable/durable-store.ts";
import type { HistoryLimits } from "../cluster/store/history.ts";
import { MemoryStore } from "../cluster/store/memory-store.ts";
import type { Store, StoredJson, StoreEvent } from "../cluster/store/store.ts";
import type { Client } from "../machinery/client/client.ts";
import { VirtualClock } from "../machinery/clock/virtual-clock.ts";
import { type Random, seededRandom } from "../machinery/random/random.ts";
import { type DecisionObserver, recordedDecisions } from "./recording/recorded-decisions.ts";
import { Recording } from "./recording/recording.ts";

export interface SimulatedClusterOptions extends Pick<
  ClusterOptions,
  | "nodes"
  | "zones"
  | "without"
  | "extraComponents"
  | "componentOverrides"
  | "pickerConnector"
  | "conversions"
  | "schedulerConfig"
  | "removalProfile"
> {
  /** All randomness in the cluster comes from it. */
  readonly seed: string | number;
  /** Absent: a clock that begins at the same instant for every cluster. */
  readonly clock?: VirtualClock;
  /** Read whenever they matter. */
  readonly gates?: () => FeatureGates;
  /** Absent: everything is recorded, which takes memory in long runs of large clusters. */
  readonly recording?: "whole" | "none";
  /** Called for every commit, when it is recorded. */
  readonly committed?: (collection: string, event: StoreEvent) => void;
  /** Called with every decision, when it is recorded. */
  readonly decided?: DecisionObserver;
  /** Fills the store before anything runs: with the objects of a snapshot, for example. */
  readonly load?: (store: Store) => void;
  /** Where objects are kept, in virtual time: a request is answered when its write is flushed. Absent: in memory alone. */
  readonly disk?: Disk;
  /** How much of the past is kept for clients that resume a watch or read an older list; absent: as much as a real server keeps. */
  readonly history?: HistoryLimits;
  /** Every object passes it on its way into the store; tests freeze objects there. */
  readonly guard?: (object: StoredJson) => StoredJson;
}

/** When a cluster counts as stable, and how long to wait for that. */
export interface StabilityOptions {
  /** How long nothing may have been written; the default is longer than any retry takes. */
  readonly unchangedForMs?: number;
  readonly timeoutMs?: number;
  /** Ends the wait early, as if the cluster were stable. */
  readonly signal?: AbortSignal;
}

/** A whole cluster in virtual time: nothing happens except while time passes. */
export interface SimulatedCluster {
  readonly clock: VirtualClock;
  /** Of a user of the cluster. */
  readonly client: Client;
  /** The API without a network. */
  readonly api: ServableApi;
  /** The latest decisions, with their reasons. */
  readonly decisions: DecisionLogs;
  /** For what users do at random. */
  readonly random: Random;
  readonly store: Store;
  readonly recording: Recording;
  /** The components it was started with. */
  readonly components: readonly RunningComponent[];
  readonly startComponent: CoreCluster["startComponent"];
  /** When something other than an Event was last written. */
  readonly lastWriteAt: () => Instant;
  /** Lets virtual time pass. */
  readonly advance: (durationMs: number) => Promise<void>;
  /**
   * Resolves when nothing can happen before time passes: no microtask is runnable, no timer is due, and no promise of
   * the store is pending.
   */
  readonly untilIdle: () => Promise<void>;
  /** Lets time pass until nothing has been written for long; `false` when that never came. */
  readonly untilStable: (options?: StabilityOptions) => Promise<boolean>;
  /** Stops every component and resolves when the last has ended. */
  readonly stop: () => Promise<void>;
}

// The queue of a controller retries after at most 1000 seconds.
const longestPauseMs = 1_100_000;
const longestUnstableMs = 6 * 3_600_000;

/** Starts a simulated cluster; the same options give the same cluster, to the byte. */
export async function startSimulatedCluster(options: SimulatedClusterOptions): Promise<SimulatedCluster> {
  const { gates, recording: depth = "whole", committed, decided, load, disk, ...clusterOptions } = options;
  const { clock = new VirtualClock() } = options;
  const random = seededRandom(options.seed);
  const recording = new Recording(clock.now());
  let lastWriteAt = clock.now();
  const storeOptions = {
    clock,
    ...(options.history !== undefined && { history: options.history }),
    ...(options.guard !== undefined && { transformObject: options.guard }),
    onCommit(collection: string, event: StoreEvent) {
      if (collection !== "events") lastWriteAt = clock.now();
      if (depth === "whole") recording.add(revisionOf(collection, event, clock.now()));
      committed?.(collection, event);
    },
  };
  const store =
    disk === undefined
      ? new MemoryStore(storeOptions)
      : await clock.runUntilSettled(openDurableStore({ ...storeOptions, disk }));
  const decisions = recordedDecisions((by, what) => {
    if (depth === "whole") recording.add({ kind: "decision", at: clock.now(), by, what });
  }, decided);
  load?.(store);
  const starting = startCoreCluster({
    ...clusterOptions,
    clock,
    random,
    store,
    decisions,
    ...(gates === undefined ? {} : { gates: { apiServer: gates, controllers: gates } }),
  });
  // Objects are written before it is ready, which takes time on a disk.
  const cluster = await (disk === undefined ? starting : clock.runUntilSettled(starting));

  return {
    clock,
    client: cluster.client,
    api: cluster.server,
    decisions,
    random: random.fork("people"),
    store,
    recording,
    components: cluster.components,
    startComponent: cluster.startComponent,
    lastWriteAt: () => lastWriteAt,
    advance: (durationMs) => clock.advance(durationMs),
    untilIdle: () => clock.runUntil(clock.now()),
    untilStable: ({ unchangedForMs = longestPauseMs, timeoutMs = longestUnstableMs, signal } = {}) =>
      clock.runWhile(
        () => signal?.aborted !== true && clock.now() - lastWriteAt < unchangedForMs,
        clock.now() + timeoutMs,
      ),
    stop: () => clock.runUntilSettled(cluster.stop()),
  };
}

function revisionOf(collection: string, { type, record, previous }: StoreEvent, at: Instant) {
  const { key, revision, object } = record;
  return {
    kind: "revision",
    at,
    revision,
    type,
    collection,
    key,
    object,
    previous: previous?.object,
  } as const;
}
