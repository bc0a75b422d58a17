import { expectManyListeners } from "./abort/many-listeners.ts";
import type { StoredObject } from "../api/object.ts";
import { qualifiedName } from "../api/resource.ts";
import type { Instant } from "../api/time.ts";
import { isConflict, isNotFound, isQuotaExceeded } from "./client/api-error.ts";
import type { Clock } from "./clock/clock.ts";
import { yieldIfDue } from "./clock/run-in-steps.ts";
import type { Informer, ResourceEventHandler } from "./informer/informer.ts";
import type { Logger } from "./log/logger.ts";
import type { QueueMetrics } from "./work-queue/queue-metrics.ts";
import { RateLimitingQueue } from "./work-queue/rate-limiting-queue.ts";
import type { UnreadWrite, ReadYourWrites } from "./read-your-writes.ts";

/** How a reconcile ended: nothing to do until the next event, or reconcile again at the latest then. */
export type ReconcileResult = "done" | { readonly requeueAt: Instant } | { readonly requeueAfterMs: number };

/** There is nothing to do until the next event. */
export const done: ReconcileResult = "done";

/** A failure that a retry cannot cure: the loop logs it and drops the key until its next event. */
export class TerminalError extends Error {
  override readonly name = "TerminalError";
}

/** Where event handlers enqueue the keys of objects to reconcile. */
export interface KeyQueue {
  add(key: string): void;
  /** Adds a key once all other work of this instant has been done. */
  addSoon(key: string): void;
  addAfter(key: string, delayMs: number): void;
}

/** Something a controller watches. Every informer is one; `watching` also enqueues keys for its events. */
export interface WatchSource {
  /** Resolves to true once it has been listed, to false when the signal aborts before. */
  synced(signal: AbortSignal): Promise<boolean>;
  /** Enqueues keys from now on; the returned function stops that. */
  start?(queue: KeyQueue): () => void;
}

/** An informer whose events the handler turns into keys. */
export function watching<T extends StoredObject>(
  informer: Informer<T>,
  handler: (queue: KeyQueue) => ResourceEventHandler<T>,
): WatchSource {
  return {
    synced: (signal) => informer.synced(signal),
    start: (queue) => informer.addHandler(handler(queue)),
  };
}

/** What distinguishes one controller; `runController` is what all have in common. */
export interface ControllerSpec {
  /** Also the name of the queue in metrics. */
  readonly name: string;
  /** How many keys are reconciled concurrently; one key never is twice at a time. */
  readonly workers: number;
  readonly watches: readonly WatchSource[];
  /** Moves the cluster toward the desired state of the object. A key whose reconcile throws is retried, ever more slowly. */
  reconcile(key: string, signal: AbortSignal): Promise<ReconcileResult>;
  /** After so many retries a key is dropped until its next event; absent: never. */
  readonly maxRetries?: number | undefined;
  /** Errors that are not retried. */
  ignores?(error: unknown): boolean;
  /** When set, a key is not reconciled before the informers have read what the controller wrote for it. */
  readonly written?: Pick<ReadYourWrites, "firstUnread"> | undefined;
  /** Called for every reconcile that is postponed for that reason. */
  onSkipped?(unread: UnreadWrite): void;
}

export interface ControllerDependencies {
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics?: ((queue: string) => QueueMetrics) | undefined;
}

/** Runs a controller until the signal aborts and its workers have finished. */
export async function runController(
  spec: ControllerSpec,
  { clock, log, metrics }: ControllerDependencies,
  signal: AbortSignal,
): Promise<void> {
  const queue = new RateLimitingQueue({ clock, metrics: metrics?.(spec.name) });
  const loop: Loop = { spec, clock, queue, log: log.with({ controller: spec.name }), signal };
  const stop = () => queue.shutDown();
  expectManyListeners(signal); // all controllers of a cluster listen to one signal; that is no leak
  signal.addEventListener("abort", stop, { once: true });
  const stops = spec.watches.map((watched) => watched.start?.(queue));
  try {
    const synced = await Promise.all(spec.watches.map((watched) => watched.synced(signal)));
    if (!synced.every(Boolean) || signal.aborted) return;
    await Promise.all(Array.from({ length: spec.workers }, () => work(loop)));
  } finally {
    for (const stopWatching of stops) stopWatching?.();
    signal.removeEventListener("abort", stop);
    queue.shutDown();
  }
}

interface Loop extends ControllerDependencies {
  readonly spec: ControllerSpec;
  readonly queue: RateLimitingQueue;
  readonly signal: AbortSignal;
}

async function work(loop: Loop): Promise<void> {
  const { queue, clock } = loop;
  for (let key = await queue.take(); key !== undefined; key = await queue.take()) {
    await yieldIfDue(clock);
    if (hasReadOwnWrites(key, loop)) await reconcile(key, loop);
    queue.done(key);
  }
}

function hasReadOwnWrites(key: string, { spec, queue, log }: Loop): boolean {
  const unread = spec.written?.firstUnread(key);
  if (unread === undefined) return true;
  const { resource, written, read } = unread;
  log.debug("own writes not read yet", { key, resource: qualifiedName(resource), written, read });
  spec.onSkipped?.(unread);
  queue.postpone(key);
  return false;
}

async function reconcile(key: string, loop: Loop): Promise<void> {
  const { spec, queue, clock, signal } = loop;
  try {
    const outcome = await spec.reconcile(key, signal);
    queue.forget(key);
    if (outcome === "done") return;
    queue.addAfter(key, "requeueAt" in outcome ? outcome.requeueAt - clock.now() : outcome.requeueAfterMs);
  } catch (error) {
    if (!signal.aborted) recover(key, error, loop);
  }
}

const toleratedRaces = 5;

function recover(key: string, error: unknown, { spec, queue, log }: Loop): void {
  const retries = queue.retries(key);
  if (spec.ignores?.(error) === true) {
    log.debug("reconcile failed with an error that is not retried", { key, error });
    queue.forget(key);
  } else if (error instanceof TerminalError) {
    log.error("reconcile failed permanently", { key, error });
    queue.forget(key);
  } else if (retries >= (spec.maxRetries ?? Number.POSITIVE_INFINITY)) {
    log.error("reconcile failed too often", { key, error, retries });
    queue.forget(key);
  } else {
    // Another client wrote or deleted the object first, which is normal unless it keeps happening.
    const isRace = (isConflict(error) || isNotFound(error)) && retries < toleratedRaces;
    const isNormal = isRace || isQuotaExceeded(error);
    log[isNormal ? "debug" : "warn"]("reconcile failed", { key, error, retries });
    queue.addRateLimited(key);
  }
}
