import type { Instant } from "../api/time.ts";
import type { Clock } from "./clock/clock.ts";
import { type Logger, silentLogger } from "./log/logger.ts";

/** Expectations that are not met within this time no longer count: the event that would meet them was lost. */
// upstream: ExpectationsTimeout
const timeoutMs = 5 * 60 * 1000;

interface Expected {
  /** Creations and deletions still to be observed. Other writers' count too, so both can fall below zero. */
  creations: number;
  deletions: number;
  since: Instant;
}

/**
 * What a controller has created and deleted that its informers have not observed, by the key of the owner. While
 * something is outstanding, the informers are too far behind to create or delete more.
 */
// upstream: UIDTrackingControllerExpectations
export class Expectations {
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #expected = new Map<string, Expected>();
  /** The objects whose deletion is expected, by key: a deletion has more than one event and must count once. */
  readonly #deleting = new Map<string, Set<string>>();

  constructor(clock: Clock, log: Logger = silentLogger) {
    this.#clock = clock;
    this.#log = log;
  }

  /** Expects this many creations, in place of anything expected before. */
  expectCreations(key: string, count: number): void {
    this.#expected.set(key, { creations: count, deletions: 0, since: this.#clock.now() });
  }

  /** Expects the deletion of these objects, in place of anything expected before. */
  expectDeletions(key: string, objectKeys: Iterable<string>): void {
    this.expectChanges(key, { creations: 0, deletions: objectKeys });
  }

  /** Expects creations and deletions, in place of anything expected before. */
  expectChanges(
    key: string,
    { creations, deletions }: { readonly creations: number; readonly deletions: Iterable<string> },
  ): void {
    const outstanding = this.#deleting.get(key);
    if (outstanding !== undefined && outstanding.size > 0)
      this.#log.error("deletions were still expected", { key, outstanding: [...outstanding] });
    const deleting = new Set(deletions);
    this.#deleting.set(key, deleting);
    this.#expected.set(key, { creations, deletions: deleting.size, since: this.#clock.now() });
  }

  /** A creation was observed, or never will be because it failed. */
  creationObserved(key: string): void {
    const expected = this.#expected.get(key);
    if (expected !== undefined) expected.creations--;
  }

  /** A deletion was observed, or never will be because it failed. */
  deletionObserved(key: string, objectKey: string): void {
    if (this.#deleting.get(key)?.delete(objectKey) !== true) return;
    const expected = this.#expected.get(key);
    if (expected !== undefined) expected.deletions--;
  }

  /** Whether nothing is outstanding, or has been for too long. To be called before reading an informer, not after. */
  areSatisfied(key: string): boolean {
    return this.expireInMs(key) === undefined;
  }

  /**
   * Returns in how many milliseconds unmet expectations expire; `undefined` when they are satisfied. The owner has to be
   * synced again by then: an object that was created and deleted between two events causes no event.
   */
  expireInMs(key: string): number | undefined {
    const expected = this.#expected.get(key);
    if (expected === undefined || (expected.creations <= 0 && expected.deletions <= 0)) return undefined;
    const ageMs = this.#clock.now() - expected.since;
    return ageMs > timeoutMs ? undefined : timeoutMs - ageMs + 1;
  }

  /** Expects nothing more for a key: the owner is gone. */
  forget(key: string): void {
    this.#expected.delete(key);
    this.#deleting.delete(key);
  }
}
