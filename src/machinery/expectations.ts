import type { Instant } from "../api/time.ts";
import type { Clock } from "./clock/clock.ts";
import { type Logger, silentLogger } from "./log/logger.ts";

/** Unmet expectations older than this no longer count: the event that would meet them was lost. */
const lifetimeMs = 5 * 60 * 1000;

interface Expected {
  /** Creations and deletions still to be seen. Others may do our work too, so both can fall below zero. */
  creations: number;
  deletions: number;
  since: Instant;
}

/**
 * What a controller has done and not yet seen in its informers, by the key of the object it works for:
 * while something is outstanding, its view is too old to create or delete more.
 */
export class Expectations {
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #expected = new Map<string, Expected>();
  /** The objects whose deletion is expected, by key: each deletion is seen more than once and must count once. */
  readonly #doomed = new Map<string, Set<string>>();

  constructor(clock: Clock, log: Logger = silentLogger) {
    this.#clock = clock;
    this.#log = log;
  }

  /** Expects so many creations, in place of anything expected before. */
  expectCreations(key: string, count: number): void {
    this.#expected.set(key, { creations: count, deletions: 0, since: this.#clock.now() });
  }

  /** Expects the deletion of these objects, in place of anything expected before. */
  expectDeletions(key: string, objectKeys: Iterable<string>): void {
    const outstanding = this.#doomed.get(key);
    if (outstanding !== undefined && outstanding.size > 0)
      this.#log.error("deletions were still expected", { key, outstanding: [...outstanding] });
    const doomed = new Set(objectKeys);
    this.#doomed.set(key, doomed);
    this.#expected.set(key, { creations: 0, deletions: doomed.size, since: this.#clock.now() });
  }

  /** A creation was seen, or will never come because it failed. */
  creationObserved(key: string): void {
    const expected = this.#expected.get(key);
    if (expected !== undefined) expected.creations--;
  }

  /** A deletion was seen, or will never come because it failed. */
  deletionObserved(key: string, objectKey: string): void {
    if (this.#doomed.get(key)?.delete(objectKey) !== true) return;
    const expected = this.#expected.get(key);
    if (expected !== undefined) expected.deletions--;
  }

  /** Whether nothing is outstanding, or it has been for too long. Ask before looking into an informer, not after. */
  areSatisfied(key: string): boolean {
    return this.expireInMs(key) === undefined;
  }

  /**
   * How long from now unmet expectations will stop counting; `undefined` when they are satisfied. Whoever acts looks
   * again by then: what was expected may have come and gone unseen, and then no event tells.
   */
  expireInMs(key: string): number | undefined {
    const expected = this.#expected.get(key);
    if (expected === undefined || (expected.creations <= 0 && expected.deletions <= 0)) return undefined;
    const ageMs = this.#clock.now() - expected.since;
    return ageMs > lifetimeMs ? undefined : lifetimeMs - ageMs + 1;
  }

  /** Expects nothing more for a key: the object is gone. */
  forget(key: string): void {
    this.#expected.delete(key);
    this.#doomed.delete(key);
  }
}
