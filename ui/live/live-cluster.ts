import type { StoredObject } from "../../src/api/object.ts";
import type { Resource } from "../../src/api/resource.ts";
import { ApiError } from "../../src/machinery/client/api-error.ts";
import type { Client } from "../../src/machinery/client/client.ts";
import type { Clock } from "../../src/machinery/clock/clock.ts";
import type { Random } from "../../src/machinery/random/random.ts";
import { runListWatch } from "../../src/machinery/watch/run-list-watch.ts";
import { ClusterState } from "./cluster-state.ts";
import { collectionSink } from "./collection-sink.ts";
import {
  afterFailure,
  allOpening,
  type PageConnection,
  pageConnectionOf,
  type WatchHealths,
} from "./connection.ts";
import { type LiveChange, type WatchedKind, watchedKinds, watchedResources } from "./kinds.ts";

export interface LiveClusterOptions {
  readonly client: Pick<Client, "list" | "watch">;
  readonly clock: Clock;
  /** Called after every change of an object or of the connection. */
  readonly changed: (changes: readonly LiveChange[]) => void;
}

/** All watches wait equally long after a failure, so that they share the next connection. */
const inStep: Random = { next: () => 0.5, fork: () => inStep };

/** The cluster as it is: listed and watched, resumed after every failure. */
export class LiveCluster {
  readonly state = new ClusterState();
  readonly #options: LiveClusterOptions;
  #healths: WatchHealths = allOpening;
  #isSessionEnded = false;
  /** What follows from these: it is asked for with every change of an object. */
  #connection: PageConnection | undefined;

  constructor(options: LiveClusterOptions) {
    this.#options = options;
  }

  get connection(): PageConnection {
    return (this.#connection ??= pageConnectionOf(this.#healths, this.#isSessionEnded));
  }

  /** Notes that a watch resumed after a failure; without this an idle watch would still count as lost. */
  resumed({ plural }: Resource): void {
    const kind = watchedKinds.find((each) => watchedResources[each].plural === plural);
    if (kind !== undefined && this.#healths[kind].kind === "lost") this.#setHealth(kind, { kind: "current" });
  }

  /** Watches every kind until the signal aborts or the session has ended; what is known from before counts as old until then. With a namespace only its objects are listed. */
  async run(signal: AbortSignal, namespace?: string): Promise<void> {
    this.#healths = allOpening;
    this.#connection = undefined;
    const ended = new AbortController();
    signal.addEventListener("abort", () => ended.abort(signal.reason), { once: true });
    await Promise.all(watchedKinds.map((kind) => this.#watch(kind, ended, namespace)));
  }

  #watch(kind: WatchedKind, ended: AbortController, namespace: string | undefined): Promise<void> {
    const { client, clock, changed } = this.#options;
    const resource: Resource = watchedResources[kind];
    const known = this.state.collections[kind] as ReadonlyMap<string, StoredObject>;
    const apply = collectionSink(kind, known, (changes) => {
      for (const change of changes) this.state.apply(change);
      changed(changes);
    });
    const failed = (error: unknown) => {
      // An ended session does not come back: further requests would only fill the log of the server.
      if (error instanceof ApiError && error.code === 401) {
        this.#isSessionEnded = true;
        this.#connection = undefined;
        ended.abort(error);
      }
      this.#setHealth(kind, afterFailure(this.#healths[kind], error, clock.now()));
    };
    return runListWatch(
      {
        client,
        clock,
        random: inStep,
        resource,
        ...(namespace !== undefined && resource.namespaced && { scope: { namespace } }),
        sink: (output) => {
          apply(output);
          if (output.type === "replace" || output.type === "apply" || output.type === "reach")
            this.#setHealth(kind, { kind: "current" });
          return undefined;
        },
        failed,
      },
      ended.signal,
    );
  }

  #setHealth(kind: WatchedKind, health: WatchHealths[WatchedKind]): void {
    if (this.#healths[kind].kind === health.kind) return;
    this.#healths = { ...this.#healths, [kind]: health };
    this.#connection = undefined;
    this.#options.changed([]);
  }
}
