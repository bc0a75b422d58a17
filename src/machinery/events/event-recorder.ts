import { events } from "../../api/resources.ts";
import { ApiError, hasCause, isAlreadyExists, isNotFound } from "../client/api-error.ts";
import type { Client } from "../client/client.ts";
import type { Clock } from "../clock/clock.ts";
import { type Logger, silentLogger } from "../log/logger.ts";
import { type Counter, type Metrics, silentMetrics } from "../metrics/metrics.ts";
import type { Random } from "../random/random.ts";
import type { EventDecision } from "./correlate-event.ts";
import { EventCorrelator } from "./event-correlator.ts";
import { eventNames } from "./event-name.ts";
import type { EventDraft, EventRecorder } from "./event-draft.ts";

export interface EventRecorderOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  /** Who takes the notes: `replicaset-controller`. */
  readonly component: string;
  readonly host?: string | undefined;
  readonly metrics?: Metrics | undefined;
  readonly log?: Logger | undefined;
  /** When it aborts, events that are not written yet are dropped. */
  readonly signal?: AbortSignal | undefined;
}

type Writing = Exclude<EventDecision, { readonly type: "drop" }>;
type Outcome = "written" | "spam" | "queue-full" | "failed" | "unwanted";

const longestQueue = 1000;
const attempts = 12;
const pauseMs = 10_000;

/** The recorder of one component; it draws from a stream of its own, so that components do not affect each other. */
export function eventRecorderFor(
  { client, clock, random, metrics, log, signal }: Omit<EventRecorderOptions, "component" | "host">,
  component: string,
): ClientEventRecorder {
  const own = random.fork(component);
  return new ClientEventRecorder({ client, clock, random: own, component, metrics, log, signal });
}

/** Writes notes as core/v1 Events, one after the other behind the caller's back; what cannot be written is counted. */
export class ClientEventRecorder implements EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #log: Logger;
  readonly #outcomes: Counter<"outcome">;
  readonly #memory = new EventCorrelator();
  readonly #newName: (objectName: string) => string;
  readonly #closing = new AbortController();
  #queue: Writing[] = [];
  #working: Promise<void> | undefined;

  constructor(options: EventRecorderOptions) {
    this.#options = options;
    this.#log = options.log ?? silentLogger;
    this.#newName = eventNames(options.clock, options.random);
    this.#outcomes = (options.metrics ?? silentMetrics).counter({
      name: "trimtab_events_total",
      help: "Notes for people, by what became of them.",
      labels: ["outcome"],
    });
    options.signal?.addEventListener("abort", () => void this.close(), { once: true });
  }

  record(note: EventDraft): void {
    const { clock, component, host } = this.#options;
    const source = { component, ...(host !== undefined && { host }) };
    const sighting = { draft: note, source, name: this.#newName(note.regarding.name ?? "") };
    const decision = this.#memory.decide(sighting, clock.now());
    if (decision.type === "drop") this.#count("spam");
    else this.#enqueue(decision);
  }

  /** Resolves when everything recorded so far has been written or given up. */
  async idle(): Promise<void> {
    await this.#working;
  }

  /** Gives up what is not written yet. */
  async close(): Promise<void> {
    this.#queue = [];
    this.#closing.abort(new Error("the event recorder is closed"));
    await this.#working;
  }

  #enqueue(writing: Writing): void {
    if (this.#closing.signal.aborted || this.#queue.length >= longestQueue) return this.#count("queue-full");
    this.#queue.push(writing);
    this.#working ??= this.#work();
  }

  /** One at a time: an event must exist before it is counted up. */
  async #work(): Promise<void> {
    await Promise.resolve(); // nothing is written while the caller is still at work
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift())
      this.#count(await this.#deliver(next));
    this.#working = undefined;
  }

  async #deliver(writing: Writing): Promise<Outcome> {
    const { clock, random } = this.#options;
    for (let attempt = 1; ; attempt++) {
      try {
        if (attempt > 1) {
          // Spread at first: many recorders lose the same server at the same time.
          await clock.sleep(attempt === 2 ? pauseMs * random.next() : pauseMs, this.#closing.signal);
        }
        await this.#write(writing);
        return "written";
      } catch (error) {
        if (isUnwanted(error)) return "unwanted";
        if (this.#closing.signal.aborted) return "failed";
        if (attempt >= attempts || isFinal(error)) {
          this.#log.warn("could not write event", { error, event: writing.event });
          return "failed";
        }
      }
    }
  }

  async #write(writing: Writing): Promise<void> {
    const { client } = this.#options;
    const { signal } = this.#closing;
    if (writing.type === "patch") {
      const { namespace, name = "" } = writing.event.metadata;
      try {
        await client.patch(events, { namespace, name }, { type: "strategic", body: writing.body, signal });
        return;
      } catch (error) {
        if (!isNotFound(error)) throw error; // else it has expired: begin anew
      }
    }
    await client.create(events, writing.event, { signal });
  }

  #count(outcome: Outcome): void {
    this.#outcomes.increase({ outcome });
  }
}

/** Nobody needs to hear it: the event is there, or its namespace is going or gone. */
function isUnwanted(error: unknown): boolean {
  return isAlreadyExists(error) || isNotFound(error) || hasCause(error, "NamespaceTerminating");
}

/** The server has answered and will not think otherwise in ten seconds. */
function isFinal(error: unknown): boolean {
  return error instanceof ApiError && error.code !== 429 && error.code < 500;
}
