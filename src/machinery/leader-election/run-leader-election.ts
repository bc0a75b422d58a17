import type { Lease, LeaseSpec } from "../../api/generated/coordination-v1.ts";
import { leases } from "../../api/resources.ts";
import type { Instant } from "../../api/time.ts";
import { isNotFound } from "../client/api-error.ts";
import type { Client } from "../client/client.ts";
import type { Clock, Timer } from "../clock/clock.ts";
import type { Logger } from "../log/logger.ts";
import type { Random } from "../random/random.ts";
import {
  deadlineOf,
  defaultTiming,
  type ElectionEvent,
  type ElectionTiming,
  initialElectionState,
  releasedSpec,
  type ElectionState,
  step,
} from "./election.ts";

export interface ElectionOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** What is contended for. */
  readonly lease: { readonly namespace: string; readonly name: string };
  /** Unlike any other candidate's. */
  readonly identity: string;
  readonly timing?: ElectionTiming | undefined;
  /** Hears of every change of state. */
  readonly onLeadingChanged?: ((isLeading: boolean) => void) | undefined;
}

/**
 * Does work while holding a lease, until it is over or the signal aborts. Work whose lease is lost is told to stop, and
 * begins anew when the lease is won again; never do two candidates work at a time. Rejects with what the work threw.
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

/** One time of following and leading. */
class LeaderElector {
  readonly #options: ElectionOptions;
  readonly #timing: ElectionTiming;
  readonly #signal: AbortSignal;
  readonly #log: Logger;
  #state: ElectionState = initialElectionState;
  /** Whom the log knows to be ahead of us. */
  #ahead: string | undefined;

  constructor(options: ElectionOptions, signal: AbortSignal) {
    this.#options = options;
    this.#timing = options.timing ?? defaultTiming;
    this.#signal = signal;
    const { lease, identity } = options;
    this.#log = options.log.with({ lease: `${lease.namespace}/${lease.name}`, identity });
  }

  /** Tries until the lease is won; `false` when the signal aborts before. */
  async acquire(): Promise<boolean> {
    const { random } = this.#options;
    for (;;) {
      await this.#attempt(this.#signal);
      if (this.#state.name === "leading") return true;
      this.#noteWhoLeads(this.#state.seen?.lease.spec.holderIdentity);
      // Spread out: candidates that started together must not go on colliding.
      if (!(await this.#pause(this.#timing.retryPeriodMs * (1 + 1.2 * random.next()), this.#signal)))
        return false;
    }
  }

  /** Works until the lease is lost or the work is over; it has come home when this resolves. */
  async lead(work: (signal: AbortSignal) => Promise<void>): Promise<"over" | "lost"> {
    const term = new AbortController();
    const signal = AbortSignal.any([this.#signal, term.signal]);
    this.#tell(true);
    const working = work(signal)
      .then(() => (signal.aborted ? "lost" : "over"))
      .finally(() => term.abort(new Error("the work is over")));
    await Promise.allSettled([working, this.#keep(term, signal)]);
    this.#tell(false);
    if (this.#state.name === "leading") await this.#release();
    return working;
  }

  /** Renews again and again, until that is no longer possible or no longer wanted. */
  async #keep(term: AbortController, signal: AbortSignal): Promise<void> {
    while (this.#state.name === "leading" && !signal.aborted) {
      const dog = this.#watchdog(this.#state.renewedAt, term);
      await this.#pause(this.#timing.retryPeriodMs, signal);
      if (!signal.aborted) await this.#attempt(signal);
      dog.cancel();
    }
    term.abort(new Error("the lease is lost"));
  }

  /** A request may hang: time alone is enough to lose a lease. */
  #watchdog(renewedAt: Instant, term: AbortController): Timer {
    const { clock } = this.#options;
    return clock.after(deadlineOf(renewedAt, this.#timing) - clock.now(), () => {
      this.#state = initialElectionState;
      term.abort(new Error("the lease could not be renewed in time"));
    });
  }

  async #attempt(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const now = clock.now();
    try {
      const lease = await this.#read(signal);
      signal.throwIfAborted();
      const write = this.#take({ type: "read", lease }, now);
      if (write === undefined) return;
      await this.#write(lease, write, signal);
      signal.throwIfAborted(); // an answer that comes too late is no renewal
      this.#take({ type: "written" }, now);
    } catch (error) {
      if (this.#signal.aborted) return;
      this.#log.warn("could not look after the lease", { error });
      this.#take({ type: "failed" }, clock.now());
    }
  }

  #take(event: ElectionEvent, now: Instant): LeaseSpec | undefined {
    const { identity } = this.#options;
    const { state, write } = step(this.#state, event, { identity, timing: this.#timing, now });
    this.#state = state;
    return write;
  }

  async #read(signal: AbortSignal): Promise<Lease | undefined> {
    const { client, lease } = this.#options;
    try {
      return await client.get(leases, lease, signal);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async #write(lease: Lease | undefined, spec: LeaseSpec, signal: AbortSignal): Promise<void> {
    const { client, lease: metadata } = this.#options;
    if (lease === undefined) await client.create(leases, { metadata, spec }, { signal });
    else await client.update(leases, { ...lease, spec }, { signal });
  }

  /** Lets the lease go, so that the next one need not wait; whether that works or not, we are done. */
  async #release(): Promise<void> {
    const { client, clock, identity, lease: name } = this.#options;
    const patience = new AbortController();
    const { signal } = patience;
    const timer = clock.after(this.#timing.retryPeriodMs, () => patience.abort(new Error("no answer")));
    try {
      const lease = await client.get(leases, name, signal);
      if (lease.spec.holderIdentity !== identity) return;
      await client.update(leases, { ...lease, spec: releasedSpec(lease, clock.now()) }, { signal });
    } catch (error) {
      this.#log.warn("could not let the lease go", { error });
    } finally {
      timer.cancel();
    }
  }

  #noteWhoLeads(holder: string | undefined): void {
    if (holder !== undefined && holder !== this.#ahead) this.#log.info("another one leads", { holder });
    this.#ahead = holder;
  }

  #tell(isLeading: boolean): void {
    this.#log.info(isLeading ? "became leader" : "stopped leading");
    this.#options.onLeadingChanged?.(isLeading);
  }

  /** Resolves to whether there is still a reason to go on. */
  async #pause(delayMs: number, signal: AbortSignal): Promise<boolean> {
    await this.#options.clock.sleep(delayMs, signal).catch(() => undefined);
    return !signal.aborted;
  }
}
