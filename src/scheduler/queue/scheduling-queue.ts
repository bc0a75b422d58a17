import type { Pod } from "../../api/generated/core-v1.ts";
import type { Instant } from "../../api/time.ts";
import { podInfo, type PodInfo } from "../../decisions/placement/snapshot/pod-info.ts";
import type { Snapshot } from "../../decisions/placement/snapshot/snapshot.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import { WakeUp } from "./wake-up.ts";
import { type BackOff, backOffEnd, isBackingOff } from "./back-off.ts";
import { type ClusterEvent, eventName } from "../../decisions/placement/cluster-event.ts";
import type { QueueingHints } from "../../decisions/placement/queueing-hints.ts";
import { InFlightEvents } from "./in-flight-events.ts";
import { isWorthRequeuing } from "./is-worth-requeuing.ts";
import { podUpdateActions } from "./update-actions.ts";
import type { QueueMeter } from "./queue-meter.ts";
import { type QueuedPod, uidOf } from "./queued-pod.ts";
import { type SubQueue, WaitingPods } from "./waiting-pods.ts";

export interface QueueOptions {
  readonly clock: Clock;
  readonly backOff: BackOff;
  /** The plugin that holds a Pod back from being tried at all, if one does. */
  readonly gatedBy: (pod: PodInfo) => string | undefined;
  /** Of the profile a Pod belongs to, by plugin. */
  readonly hintsFor: (pod: PodInfo) => ReadonlyMap<string, QueueingHints>;
  readonly snapshot: Snapshot;
  readonly meter: QueueMeter;
}

const nobody: ReadonlySet<string> = new Set();
// upstream: flushUnschedulablePodsLeftover
const flushEveryMs = 30_000;
const longestWaitMs = 5 * 60_000;

/** The Pods that wait for a node, and who is next. */
export class SchedulingQueue {
  readonly #options: QueueOptions;
  readonly #waiting: WaitingPods;
  readonly #inFlight: InFlightEvents;
  readonly #startedAt: Instant;
  readonly #backOffAlarm: WakeUp;
  readonly #flushAlarm: WakeUp;
  #sequence = 0;
  #wake: (() => void) | undefined;

  constructor(options: QueueOptions) {
    const { clock, backOff, meter } = options;
    this.#options = options;
    this.#waiting = new WaitingPods(backOff);
    this.#startedAt = clock.now();
    this.#backOffAlarm = new WakeUp(
      clock,
      () => this.#backOffEndsAt(),
      () => this.#endBackOff(),
    );
    this.#flushAlarm = new WakeUp(
      clock,
      () => this.#flushAt(),
      () => this.#flush(),
    );
    this.#inFlight = new InFlightEvents((event, by) => meter.inFlight(event, by));
    meter.follow((place) => this.#waiting.count(place));
  }

  /** Takes in a Pod that has no node yet; one that is known is updated. */
  add(pod: Pod): void {
    const known = this.#waiting.get(pod.metadata.uid);
    if (known !== undefined) return this.update(known.info.pod, pod);
    const entry: QueuedPod = {
      info: podInfo(pod),
      enqueuedAt: this.#options.clock.now(),
      sequence: this.#sequence++,
      attempts: 0,
      unschedulableCount: 0,
      consecutiveErrors: 0,
      unschedulablePlugins: nobody,
      flushed: false,
    };
    this.#enqueue(entry, "UnscheduledPodAdd");
  }

  /** Takes note that a waiting Pod has changed, which may be what it needed. */
  update(before: Pod, after: Pod): void {
    const { uid } = after.metadata;
    const events = podUpdateActions(before, after).map((action): ClusterEvent => ({
      resource: "UnscheduledPod",
      action,
      before,
      after,
    }));
    if (this.#inFlight.has(uid)) return events.forEach((event) => this.#inFlight.record(event));
    const place = this.#waiting.subQueueOf(uid);
    const known = this.#waiting.get(uid);
    if (known === undefined || place === undefined) return this.add(after);
    const entry: QueuedPod = { ...known, info: podInfo(after) };
    const isHoping = place === "unschedulable" || place === "gated";
    const helpful = isHoping ? events.find((event) => this.#helps(entry, event)) : undefined;
    if (helpful === undefined) this.#waiting.put(entry, place);
    else this.#enqueue(entry, eventName(helpful));
  }

  /** Forgets a Pod that is gone or has got a node. */
  delete(uid: string): void {
    const entry = this.#waiting.remove(uid);
    if (entry !== undefined) this.#options.meter.rejectionCleared(entry);
    this.#setAlarms();
  }

  /** The Pod to try now, if there is one; it is in flight until `done` or `giveBack`. */
  pop(): QueuedPod | undefined {
    const entry = this.#waiting.takeNext();
    if (entry === undefined) return undefined;
    this.#options.meter.rejectionCleared(entry);
    this.#inFlight.begin(uidOf(entry));
    this.#setAlarms();
    return { ...entry, attempts: entry.attempts + 1, unschedulablePlugins: nobody };
  }

  /** Resolves when there may be a Pod to try. */
  async available(): Promise<void> {
    await new Promise<void>((resolve) => (this.#wake = resolve));
  }

  /** Ends the attempt of a Pod that needs no other. */
  done(uid: string): void {
    this.#inFlight.end(uid);
  }

  /**
   * Takes a Pod back after a failed attempt. When plugins are to blame it waits for something that may help against
   * one of them, be it something that happened during the attempt; otherwise only for a while.
   */
  requeueUnschedulable(attempt: QueuedPod, pod: Pod, blamed: ReadonlySet<string>): void {
    const missed = this.#inFlight.end(uidOf(attempt));
    if (this.#waiting.get(pod.metadata.uid) !== undefined) return; // somebody was quicker
    const isError = blamed.size === 0;
    const entry: QueuedPod = {
      ...attempt,
      info: podInfo(pod),
      enqueuedAt: this.#options.clock.now(),
      unschedulableCount: attempt.unschedulableCount + Number(!isError),
      consecutiveErrors: isError ? attempt.consecutiveErrors + 1 : 0,
      unschedulablePlugins: blamed,
      flushed: false,
    };
    this.#options.meter.rejected(entry);
    const mayBeTried = isError || missed.some((event) => this.#helps(entry, event));
    if (mayBeTried) this.#enqueue(entry, "ScheduleAttemptFailure");
    else this.#put(entry, "unschedulable", "ScheduleAttemptFailure");
  }

  /** Reconsiders every waiting Pod that an event may help. */
  moveOnEvent(event: ClusterEvent): void {
    this.#inFlight.record(event);
    for (const entry of this.#waiting.waitingForEvent()) {
      if (this.#helps(entry, event)) this.#enqueue(entry, eventName(event));
    }
  }

  /** Sets no more alarms, and wakes whoever waits for a Pod. */
  stop(): void {
    this.#backOffAlarm.stop();
    this.#flushAlarm.stop();
    this.#wake?.();
  }

  #helps(entry: QueuedPod, event: ClusterEvent): boolean {
    const { hintsFor, snapshot } = this.#options;
    return isWorthRequeuing(entry, event, { hints: hintsFor(entry.info), snapshot });
  }

  /** Lets a Pod be tried, at once or after its time off, unless a plugin holds it back. */
  #enqueue(entry: QueuedPod, event: string): void {
    const { clock, backOff, gatedBy } = this.#options;
    const holder = gatedBy(entry.info);
    if (holder !== undefined) return this.#holdBack(entry, holder, event);
    if (isBackingOff(entry, backOff, clock.now()))
      this.#put(entry, entry.unschedulablePlugins.size === 0 ? "error-backoff" : "backoff", event);
    else this.#put({ ...entry, readyAt: entry.readyAt ?? clock.now() }, "active", event);
    this.#wake?.();
  }

  #holdBack(entry: QueuedPod, holder: string, event: string): void {
    const { meter } = this.#options;
    const held: QueuedPod = { ...entry, unschedulablePlugins: new Set([holder]) };
    meter.rejectionCleared(entry);
    meter.rejected(held);
    this.#put(held, "gated", event);
  }

  #put(entry: QueuedPod, place: SubQueue, event: string): void {
    this.#waiting.put(entry, place);
    this.#options.meter.entered(place, event);
    this.#setAlarms();
  }

  #setAlarms(): void {
    this.#backOffAlarm.set();
    this.#flushAlarm.set();
  }

  #backOffEndsAt(): Instant | undefined {
    const expiry = this.#waiting.nextExpiry();
    return expiry === undefined ? undefined : backOffEnd(expiry);
  }

  #endBackOff(): void {
    for (const entry of this.#waiting.takeExpired(this.#options.clock.now()))
      this.#enqueue(entry, "BackoffComplete");
  }

  /** At the first of the regular rounds that finds somebody who has waited too long. */
  #flushAt(): Instant | undefined {
    const first = this.#waiting.firstUnschedulable();
    if (first === undefined) return undefined;
    const rounds = Math.floor((first.enqueuedAt + longestWaitMs - this.#startedAt) / flushEveryMs) + 1;
    return this.#startedAt + rounds * flushEveryMs;
  }

  #flush(): void {
    const dueSince = this.#options.clock.now() - longestWaitMs;
    for (const entry of this.#waiting.unschedulable()) {
      if (entry.enqueuedAt < dueSince) this.#enqueue({ ...entry, flushed: true }, "UnschedulableTimeout");
    }
  }
}
