import { events } from "../../api/resources.ts";
import { ApiError, hasCause, isAlreadyExists, isNotFound } from "../client/api-error.ts";
import type { Client } from "../client/client.ts";
import type { Clock } from "../clock/clock.ts";
import { type Logger, silentLogger } from "../log/logger.ts";
import { type Counter, type Metrics, silentMetrics } from "../metrics/metrics.ts";
import { type Random, randomInt } from "../random/random.ts";
import type { EventDecision } from "./correlate-event.ts";
import { EventCorrelator } from "./event-correlator.ts";
import type { EventDraft, EventRecorder } from "./event-draft.ts";

export interface EventRecorderOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  /** The source of the Events: `replicaset-controller`. */
  readonly component: string;
  readonly host?: string | undefined;
  readonly metrics?: Metrics | undefined;
  readonly log?: Logger | undefined;
  /** When it aborts, events that are not written yet are dropped. */
  readonly signal?: AbortSignal | undefined;
}

type EventWrite = Exclude<EventDecision, { readonly type: "drop" }>;
type Outcome = "written" | "spam" | "queue-full" | "failed" | "unwanted";

// upstream: event.go, maxQueuedEvents, maxTriesPerEvent and defaultSleepDuration
const maxQueuedEvents = 1000;
const maxAttempts = 12;
const retryDelayMs = 10_000;

/** Creates the recorder of one component, with its own random stream, so that components do not affect each other. */
export function eventRecorderFor(
  { client, clock, random, metrics, log, signal }: Omit<EventRecorderOptions, "component" | "host">,
  component: string,
): ClientEventRecorder {
  const own = random.fork(component);
  return new ClientEventRecorder({ client, clock, random: own, component, metrics, log, signal });
}

/** Writes drafts as core/v1 Events, one after the other in the background; those that cannot be written are counted. */
export class ClientEventRecorder implements EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #log: Logger;
  readonly #outcomes: Counter<"outcome">;
  readonly #correlator = new EventCorrelator();
  readonly #newName: (objectName: string) => string;
  readonly #closing = new AbortController();
  #queue: EventWrite[] = [];
  #working: Promise<void> | undefined;

  constructor(options: EventRecorderOptions) {
    this.#options = options;
    this.#log = options.log ?? silentLogger;
    this.#newName = eventNames(options.clock, options.random);
    this.#outcomes = (options.metrics ?? silentMetrics).counter({
      name: "trimtab_events_total",
      help: "Number of recorded events by outcome.",
      labels: ["outcome"],
    });
    options.signal?.addEventListener("abort", () => void this.close(), { once: true });
  }

  record(draft: EventDraft): void {
    const { clock, component, host } = this.#options;
    const source = { component, ...(host !== undefined && { host }) };
    const observed = { draft, source, name: this.#newName(draft.regarding.name ?? "") };
    const decision = this.#correlator.correlate(observed, clock.now());
    if (decision.type === "drop") this.#count("spam");
    else this.#enqueue(decision);
  }

  /** Resolves when everything recorded so far has been written or dropped. */
  async idle(): Promise<void> {
    await this.#working;
  }

  /** Drops events that are not written yet. */
  async close(): Promise<void> {
    this.#queue = [];
    this.#closing.abort(new Error("the event recorder is closed"));
    await this.#working;
  }

  #enqueue(write: EventWrite): void {
    if (this.#closing.signal.aborted || this.#queue.length >= maxQueuedEvents)
      return this.#count("queue-full");
    this.#queue.push(write);
    this.#working ??= this.#work();
  }

  /** Writes one Event at a time, because an Event must exist before its count is raised. */
  async #work(): Promise<void> {
    await Promise.resolve(); // nothing is written before the caller has returned
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift())
      this.#count(await this.#deliver(next));
    this.#working = undefined;
  }

  async #deliver(write: EventWrite): Promise<Outcome> {
    const { clock, random } = this.#options;
    for (let attempt = 1; ; attempt++) {
      try {
        if (attempt > 1) {
          // Jittered at first: many recorders lose the same server at the same time.
          const delayMs = attempt === 2 ? retryDelayMs * random.next() : retryDelayMs;
          await clock.sleep(delayMs, this.#closing.signal);
        }
        await this.#write(write);
        return "written";
      } catch (error) {
        if (isUnwanted(error)) return "unwanted";
        if (this.#closing.signal.aborted) return "failed";
        if (attempt >= maxAttempts || isFinal(error)) {
          this.#log.warn("could not write event", { error, event: write.event });
          return "failed";
        }
      }
    }
  }

  async #write(write: EventWrite): Promise<void> {
    const { client } = this.#options;
    const { signal } = this.#closing;
    if (write.type === "patch") {
      const { namespace, name = "" } = write.event.metadata;
      try {
        await client.patch(events, { namespace, name }, { type: "strategic", body: write.body, signal });
        return;
      } catch (error) {
        if (!isNotFound(error)) throw error; // else it has expired and is created again
      }
    }
    await client.create(events, write.event, { reads: "metadata", signal });
  }

  #count(outcome: Outcome): void {
    this.#outcomes.increase({ outcome });
  }
}

/** The Event exists already, or its namespace is terminating or gone. */
function isUnwanted(error: unknown): boolean {
  return isAlreadyExists(error) || isNotFound(error) || hasCause(error, "NamespaceTerminating");
}

/** The server refused the Event, and a retry would be refused as well. */
function isFinal(error: unknown): boolean {
  return error instanceof ApiError && error.code !== 429 && error.code < 500;
}

const maxNameLength = 253;
const perMillisecond = 1_000_000;

/**
 * Generates `<object>.<hex>` names: the hex is a time in nanoseconds, as in Kubernetes. Below the millisecond it counts
 * from a random start, so names of one source never collide, and names of two sources hardly ever.
 */
export function eventNames(clock: Clock, random: Random): (objectName: string) => string {
  let next = randomInt(random, perMillisecond);
  return (objectName) => {
    const nanoseconds = BigInt(Math.floor(clock.now())) * BigInt(perMillisecond) + BigInt(next);
    next = (next + 1) % perMillisecond;
    const suffix = `.${nanoseconds.toString(16)}`;
    // A cut must not leave a dash or dot before the dot of the suffix.
    let end = Math.min(objectName.length, maxNameLength - suffix.length);
    while (end > 0 && !/[a-z0-9]/i.test(objectName[end - 1] ?? "")) end -= 1;
    return objectName.slice(0, end) + suffix;
  };
}
