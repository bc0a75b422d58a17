import type { Lease, LeaseSpec } from "../../api/generated/coordination-v1.ts";
import { leases } from "../../api/resources.ts";
import type { Instant } from "../../api/time.ts";
import { isAlreadyExists, ifFound } from "../client/api-error.ts";
import type { Client } from "../client/client.ts";
import { type Clock, elapsedMs, type Timer } from "../clock/clock.ts";
import type { Logger } from "../log/logger.ts";
import type { Random } from "../random/random.ts";
import {
  type AttemptTime,
  leadershipDeadline,
  defaultTiming,
  type ElectionEvent,
  type ElectionTiming,
  initialElectionState,
  releasedSpec,
  type ElectionState,
  electionStep,
} from "./election.ts";

export interface ElectionOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** The Lease that the leader holds. */
  readonly lease: { readonly namespace: string; readonly name: string };
  /** Different from every other candidate's. */
  readonly identity: string;
  readonly timing?: ElectionTiming | undefined;
  /** Called when this candidate becomes leader and when it stops leading. */
  readonly onLeadingChanged?: ((isLeading: boolean) => void) | undefined;
}

/**
 * Runs work while holding a Lease, until the work ends or the signal aborts. When the Lease is lost the work is aborted,
 * and starts again when it is acquired again; two candidates never work at a time. Rejects with what the work threw.
 */
export async function runLeaderElection(
  options: ElectionOptions,
  work: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const candidate = new LeaderElector(options, signal);
    if (!(await candidate.acquire())) return;
    if ((await candidate.lead(work)) === "over") return;
  }
}

/** Acquires the Lease once and renews it until it is lost. */
class LeaderElector {
  readonly #options: ElectionOptions;
  readonly #timing: ElectionTiming;
  readonly #signal: AbortSignal;
  readonly #log: Logger;
  #state: ElectionState = initialElectionState;
  /** The holder that was logged last. */
  #holder: string | undefined;

  constructor(options: ElectionOptions, signal: AbortSignal) {
    this.#options = options;
    this.#timing = options.timing ?? defaultTiming;
    this.#signal = signal;
    const { lease, identity } = options;
    this.#log = options.log.with({ lease: `${lease.namespace}/${lease.name}`, identity });
  }

  /** Tries until the Lease is acquired; `false` when the signal aborts before. */
  async acquire(): Promise<boolean> {
    const { random } = this.#options;
    for (;;) {
      await this.#attempt(this.#signal);
      if (this.#state.name === "leading") return true;
      this.#logHolder(this.#state.seen?.lease.spec.holderIdentity);
      // Jittered: candidates that started together must not collide again.
      if (!(await this.#wait(this.#timing.retryPeriodMs * (1 + 1.2 * random.next()), this.#signal)))
        return false;
    }
  }

  /** Runs the work until it ends or the Lease is lost; resolves when the work has stopped. */
  async lead(work: (signal: AbortSignal) => Promise<void>): Promise<"over" | "lost"> {
    const term = new AbortController();
    const signal = AbortSignal.any([this.#signal, term.signal]);
    this.#notify(true);
    const working = work(signal)
      .then(() => (signal.aborted ? "lost" : "over"))
      .finally(() => term.abort(new Error("the work has ended")));
    await Promise.allSettled([working, this.#keep(term, signal)]);
    this.#notify(false);
    if (this.#state.name === "leading") await this.#release();
    return working;
  }

  /** Renews the Lease until that fails or the work ends. */
  async #keep(term: AbortController, signal: AbortSignal): Promise<void> {
    while (this.#state.name === "leading" && !signal.aborted) {
      const deadline = this.#renewDeadline(this.#state.renewedAt, term);
      await this.#wait(this.#timing.retryPeriodMs, signal);
      if (!signal.aborted) await this.#attempt(signal);
      deadline.cancel();
    }
    term.abort(new Error("the lease is lost"));
  }

  /** A request may hang: the Lease is lost when its deadline passes, whatever requests do. */
  #renewDeadline(renewedAt: Instant, term: AbortController): Timer {
    const { clock } = this.#options;
    return clock.after(leadershipDeadline(renewedAt, this.#timing) - elapsedMs(clock), () => {
      this.#state = initialElectionState;
      term.abort(new Error("the lease could not be renewed in time"));
    });
  }

  async #attempt(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const began = { now: elapsedMs(clock), wallNow: clock.now() };
    try {
      const lease = await this.#read(signal);
      signal.throwIfAborted();
      const write = this.#take({ type: "read", lease }, began);
      if (write === undefined) return;
      await this.#write(lease, write, signal);
      signal.throwIfAborted(); // a response that comes too late renews nothing
      this.#take({ type: "written" }, began);
    } catch (error) {
      // Any failure is an event of the election, which decides whether the Lease is lost.
      if (this.#signal.aborted) return;
      if (isAlreadyExists(error)) this.#log.debug("another candidate has created the lease first");
      else this.#log.warn("could not acquire or renew the lease", { error });
      this.#take({ type: "failed" }, { now: elapsedMs(clock) });
    }
  }

  #take(event: ElectionEvent, time: AttemptTime): LeaseSpec | undefined {
    const { identity } = this.#options;
    const { state, write } = electionStep(this.#state, event, { identity, timing: this.#timing, ...time });
    this.#state = state;
    return write;
  }

  #read(signal: AbortSignal): Promise<Lease | undefined> {
    const { client, lease } = this.#options;
    return ifFound(client.get(leases, lease, signal));
  }

  async #write(lease: Lease | undefined, spec: LeaseSpec, signal: AbortSignal): Promise<void> {
    const { client, lease: metadata } = this.#options;
    if (lease === undefined) await client.create(leases, { metadata, spec }, { signal });
    else await client.update(leases, { ...lease, spec }, { signal });
  }

  /** Releases the Lease so that the next leader need not wait; a failure is only logged. */
  async #release(): Promise<void> {
    const { client, clock, identity, lease: name } = this.#options;
    const timeout = new AbortController();
    const { signal } = timeout;
    const timer = clock.after(this.#timing.retryPeriodMs, () => timeout.abort(new Error("no answer")));
    try {
      const lease = await client.get(leases, name, signal);
      if (lease.spec.holderIdentity !== identity) return;
      await client.update(leases, { ...lease, spec: releasedSpec(lease, clock.now()) }, { signal });
    } catch (error) {
      this.#log.warn("could not release the lease", { error });
    } finally {
      timer.cancel();
    }
  }

  #logHolder(holder: string | undefined): void {
    if (holder !== undefined && holder !== this.#holder)
      this.#log.info("another candidate leads", { holder });
    this.#holder = holder;
  }

  #notify(isLeading: boolean): void {
    this.#log.info(isLeading ? "became leader" : "stopped leading");
    this.#options.onLeadingChanged?.(isLeading);
  }

  /** Resolves to whether the signal has not aborted. */
  async #wait(delayMs: number, signal: AbortSignal): Promise<boolean> {
    await this.#options.clock.sleep(delayMs, signal).catch(() => undefined); // rejects only on abort
    return !signal.aborted;
  }
}
