import type { Instant } from "../src/api/time.ts";
import { defaultFeatureGates } from "../src/api/feature-gates.ts";
import type { StoredObject } from "../src/api/object.ts";
import type { Resource } from "../src/api/resource.ts";
import type { ListQuery } from "../src/machinery/client/client.ts";
import { ApiError } from "../src/machinery/client/api-error.ts";
import type { Clock } from "../src/machinery/clock/clock.ts";
import type { ClusterFacts } from "../src/page/contract.ts";
import { ChangeLog, PastCluster } from "./history/change-log.ts";
import { decisionIn, TimelineSamples } from "./history/samples.ts";
import type { ClusterState } from "./live/cluster-state.ts";
import { ClusterTimes, clusterTime } from "./live/cluster-time.ts";
import type { PageConnection } from "./live/connection.ts";
import type { LiveChange } from "./live/kinds.ts";
import { type StreamSlots, unshared } from "./live/stream-slots.ts";
import { LiveCluster } from "./live/live-cluster.ts";
import type { LiveClient, PageConnector } from "./live/page-connector.ts";
import type { PageRequests } from "./live/page-requests.ts";
import { countPods, type PodStateCounts } from "./model/pod-state.ts";
import type { DecisionContext } from "./model/decision-context.ts";
import { publishedSpreadDefaults } from "./model/placement.ts";

export interface PageStoreOptions {
  readonly connector: PageConnector;
  readonly clock: Clock;
  /** Runs a task before the next frame is drawn. */
  readonly onNextFrame: (task: () => void) => void;
  /** Absent: this tab need not share its connections. */
  readonly slots?: StreamSlots;
}

const sampleMs = 1000;
const factsMs = 2000;

/** A promise that is kept from outside. */
function openPromise(): { readonly promise: Promise<void>; readonly open: () => void } {
  let open: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => (open = resolve));
  return { promise, open: () => open() };
}

/** The server is there as far as its connections show, and is silent. */
class NoAnswer extends Error {
  constructor(waitedMs: number) {
    super(`the server has not answered for ${waitedMs / 1000} s`);
  }
}

/** All that the page knows, live and past; views are told once a frame that something has changed. */
export class PageStore {
  readonly requests: PageRequests;
  readonly samples = new TimelineSamples();
  readonly log: ChangeLog;
  readonly #options: PageStoreOptions;
  readonly #client: LiveClient;
  readonly #live: LiveCluster;
  readonly #listeners = new Set<() => void>();
  #facts: ClusterFacts | undefined;
  readonly #times = new ClusterTimes();
  #past: { readonly cluster: PastCluster; readonly moment: Instant } | undefined;
  #wasLive = false;
  #isWatching = false;
  #pausedSince: Instant | undefined;
  readonly #asked = openPromise();
  #isFrameDue = false;
  #counted: { readonly version: number; readonly counts: PodStateCounts } | undefined;

  constructor(options: PageStoreOptions) {
    const { connector, clock } = options;
    this.#options = options;
    this.log = new ChangeLog(clock.now());
    this.requests = connector.requests;
    this.#client = connector.client((resource) => this.#live.resumed(resource));
    this.#live = new LiveCluster({
      client: this.#client,
      clock,
      changed: (changes) => this.#changed(changes),
    });
  }

  get connection(): PageConnection {
    const { connection } = this.#live;
    // What was seen before a pause is old until everything is listed again.
    const since = this.#pausedSince;
    if (since === undefined || connection.kind === "session-ended") return connection;
    if (this.#isWatching && connection.kind === "live") return connection;
    if (this.#isWatching && connection.kind === "lost") return { ...connection, since };
    return { kind: "paused", since };
  }

  /** Where the playground is, if this page is one. */
  get playgroundAddress(): string | undefined {
    return this.#options.connector.playgroundAddress;
  }

  get facts(): ClusterFacts | undefined {
    return this.#facts;
  }

  /** The moment of the past that is shown; `undefined` for the present. */
  get moment(): Instant | undefined {
    return this.#past?.moment;
  }

  /** The objects that are shown. */
  get shown(): ClusterState {
    return this.#past?.cluster.state ?? this.#live.state;
  }

  get live(): ClusterState {
    return this.#live.state;
  }

  /** What decisions about the objects that are shown depend on. */
  get context(): DecisionContext {
    const { clock } = this.#options;
    const { connection } = this;
    // While the connection is lost, time stands still: the objects are as old as when they were last seen.
    const wall = this.#past?.moment ?? ("since" in connection ? connection.since : clock.now());
    return {
      gates: { ...defaultFeatureGates, ...this.#facts?.featureGates },
      profile: this.#facts?.removalProfile ?? "trimtab",
      spreadDefaults: publishedSpreadDefaults(this.#facts?.schedulerProfiles ?? []),
      now: this.#times.at(wall),
    };
  }

  /** Lists objects once, such as events, which are not watched. */
  list<T extends StoredObject>(resource: Resource<T>, query: ListQuery): Promise<readonly T[]> {
    return this.#client.list(resource, query).then(({ items }) => items);
  }

  /** The cluster's time at a moment of the browser's clock. */
  readonly clockOf = (moment: Instant): Instant => this.#times.at(moment);

  /** How many Pods are in which state, of those that are shown. */
  get counts(): PodStateCounts {
    return this.#past === undefined ? this.#liveCounts() : countPods(this.shown.collections.pods.values());
  }

  /** The counts of the live cluster; `undefined` while they are not known to be current. */
  get liveCounts(): PodStateCounts | undefined {
    return this.connection.kind === "live" ? this.#liveCounts() : undefined;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Shows the cluster as it was at a moment, or as it is. */
  showMoment(moment: Instant | undefined): void {
    if (moment === undefined) this.#past = undefined;
    else {
      const cluster = this.#past?.cluster ?? new PastCluster(this.#live.state, this.log);
      cluster.moveTo(moment);
      this.#past = { cluster, moment };
    }
    this.#frame();
  }

  /** Watches the cluster until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#watchInTurns(signal), this.#pollFacts(signal), this.#sample(signal)]);
  }

  async #watchInTurns(signal: AbortSignal): Promise<void> {
    const { slots = unshared, clock } = this.#options;
    const pause = () => {
      this.#pausedSince ??= clock.now();
      this.#frame();
    };
    // The facts name the namespace that is listed; without an answer, the watches say what is wrong.
    await this.#asked.promise;
    while (!signal.aborted && this.connection.kind !== "session-ended") {
      const slot = await slots.take(signal, pause);
      this.#isWatching = true;
      await this.#live.run(AbortSignal.any([signal, slot.taken]), this.#facts?.namespace);
      this.#isWatching = false;
      slot.release();
      if (slot.taken.aborted) pause();
    }
  }

  #changed(changes: readonly LiveChange[]): void {
    const isLive = this.connection.kind === "live";
    if (isLive) this.#pausedSince = undefined;
    const { clock } = this.#options;
    // What the first lists bring is the beginning, not a change.
    if (isLive && !this.#wasLive) {
      this.log.restart(clock.now());
      this.samples.add(clock.now(), this.#liveCounts());
    } else if (this.#wasLive) this.#remember(changes, clock.now());
    this.#wasLive ||= isLive;
    this.#frame();
  }

  #remember(changes: readonly LiveChange[], at: Instant): void {
    this.log.add(changes, at);
    for (const change of changes) {
      const decision = decisionIn(change);
      if (decision !== undefined) this.samples.count(decision);
    }
  }

  #liveCounts(): PodStateCounts {
    const { version, collections } = this.#live.state;
    if (this.#counted?.version !== version)
      this.#counted = { version, counts: countPods(collections.pods.values()) };
    return this.#counted.counts;
  }

  #frame(): void {
    if (this.#isFrameDue) return;
    this.#isFrameDue = true;
    this.#options.onNextFrame(() => {
      this.#isFrameDue = false;
      for (const listener of this.#listeners) listener();
    });
  }

  async #sample(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    while (!signal.aborted) {
      // The timeline has a gap while the connection is lost.
      if (this.connection.kind === "live") this.samples.add(clock.now(), this.#liveCounts());
      this.#frame();
      await clock.sleep(sampleMs, signal).catch(() => undefined); // only the abort ends it early
    }
  }

  async #askFacts(): Promise<ClusterFacts> {
    const { clock, connector } = this.#options;
    const { answerMs } = connector;
    if (answerMs === undefined) return this.requests.facts();
    const patience = new AbortController();
    const timer = clock.after(answerMs, () => patience.abort(new NoAnswer(answerMs)));
    try {
      return await this.requests.facts(patience.signal);
    } finally {
      timer.cancel();
    }
  }

  async #pollFacts(signal: AbortSignal): Promise<void> {
    const { clock, connector } = this.#options;
    while (!signal.aborted) {
      try {
        const asked = clock.now();
        this.#facts = await this.#askFacts();
        this.#times.add(clusterTime(this.#facts, (asked + clock.now()) / 2));
      } catch (error) {
        // The watches report a server of the page that is gone; facts are as they were until it is back.
        if (error instanceof ApiError && error.code === 401) {
          this.#asked.open();
          return;
        }
        // A network that drops everything leaves watches open: only a request shows that a server is gone.
        if (error instanceof NoAnswer || (error instanceof ApiError && error.code === 502))
          this.#client.cut(error);
      }
      this.#asked.open();
      this.#frame();
      await clock.sleep(connector.factsMs ?? factsMs, signal).catch(() => undefined); // only the abort ends it early
    }
  }
}
