import type { FeatureGates } from "../api/feature-gates.ts";
import type { Instant } from "../api/time.ts";
import type { RunningComponent } from "../cluster/component-starter.ts";
import type { ClusterOptions } from "../cluster/cluster-options.ts";
import { type Cluster, startCluster } from "../cluster/start-cluster.ts";
import { MemoryStore } from "../cluster/store/memory-store.ts";
import type { Store, StoredJson, StoreEvent } from "../cluster/store/store.ts";
import type { Client } from "../machinery/client/client.ts";
import { VirtualClock } from "../machinery/clock/virtual-clock.ts";
import { type Random, seededRandom } from "../machinery/random/random.ts";
import { recordedDecisions } from "./recording/recorded-decisions.ts";
import { Recording } from "./recording/recording.ts";

export interface SimulatedClusterOptions extends Pick<
  ClusterOptions,
  "nodes" | "zones" | "without" | "extraComponents" | "componentOverrides" | "pickerConnector"
> {
  /** All chance in the world comes from it. */
  readonly seed: string | number;
  /** Whose time it lives in; absent: one that begins at the same instant for every world. */
  readonly clock?: VirtualClock;
  /** Read whenever they matter. */
  readonly gates?: () => FeatureGates;
  /** Absent: everything is recorded. Long days of large clusters do better without. */
  readonly recording?: "whole" | "none";
  /** Hears of every commit, when it is recorded. */
  readonly committed?: (collection: string, event: StoreEvent) => void;
  /** What every object passes on its way into the store; tests freeze there. */
  readonly guard?: (object: StoredJson) => StoredJson;
}

/** How long a world has to be still to be at rest, and how long one waits for that. */
export interface StabilityOptions {
  /** Longer than anything in a world waits before it tries again. */
  readonly unchangedForMs?: number;
  readonly timeoutMs?: number;
}

/** A whole cluster in virtual time: nothing happens but when its time is let pass. */
export interface SimulatedCluster {
  readonly clock: VirtualClock;
  /** Of a person in that world. */
  readonly client: Client;
  /** For whatever people do there by chance. */
  readonly random: Random;
  readonly store: Store;
  readonly recording: Recording;
  /** The parts it began with. */
  readonly components: readonly RunningComponent[];
  readonly startComponent: Cluster["startComponent"];
  /** When something was last written that is not just an event for people. */
  readonly lastWriteAt: () => Instant;
  /** Lets everything happen for so long. */
  readonly advance: (durationMs: number) => Promise<void>;
  /**
   * Resolves when nothing can happen before time passes: no microtask is runnable, no timer is due, and no promise of
   * the store is pending.
   */
  readonly untilIdle: () => Promise<void>;
  /** Lets time pass until nothing has been written for long; `false` when that never came. */
  readonly untilStable: (options?: StabilityOptions) => Promise<boolean>;
  /** Ends every part and resolves when the last has come home. */
  readonly stop: () => Promise<void>;
}

// The queue of a controller retries after at most 1000 seconds.
const longestPauseMs = 1_100_000;
const longestUnrestMs = 6 * 3_600_000;

/** Starts a world; the same options give the same world. */
export async function startSimulatedCluster(options: SimulatedClusterOptions): Promise<SimulatedCluster> {
  const { gates, recording: depth = "whole", committed, ...clusterOptions } = options;
  const { clock = new VirtualClock() } = options;
  const random = seededRandom(options.seed);
  const recording = new Recording(clock.now());
  let lastWriteAt = clock.now();
  const store = new MemoryStore({
    clock,
    ...(options.guard !== undefined && { transformObject: options.guard }),
    onCommit(collection, event) {
      if (collection !== "events") lastWriteAt = clock.now();
      if (depth === "whole") recording.add(revisionOf(collection, event, clock.now()));
      committed?.(collection, event);
    },
  });
  const decisions = recordedDecisions((by, what) => {
    if (depth === "whole") recording.add({ kind: "decision", at: clock.now(), by, what });
  });
  const cluster = await startCluster({
    ...clusterOptions,
    clock,
    random,
    store,
    decisions,
    ...(gates === undefined ? {} : { gates: { apiServer: gates, controllers: gates } }),
  });

  return {
    clock,
    client: cluster.client,
    random: random.fork("people"),
    store,
    recording,
    components: cluster.components,
    startComponent: cluster.startComponent,
    lastWriteAt: () => lastWriteAt,
    advance: (durationMs) => clock.advance(durationMs),
    untilIdle: () => clock.runUntil(clock.now()),
    untilStable: ({ unchangedForMs = longestPauseMs, timeoutMs = longestUnrestMs } = {}) =>
      clock.runWhile(() => clock.now() - lastWriteAt < unchangedForMs, clock.now() + timeoutMs),
    async stop() {
      let isStopped = false;
      const stopping = cluster.stop().then(() => (isStopped = true));
      // Who sleeps has to wake up before he can go home.
      await clock.runWhile(() => !isStopped, Number.POSITIVE_INFINITY);
      await stopping;
    },
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
