import type { Instant } from "../../src/api/time.ts";
import type { ClusterState } from "../live/cluster-state.ts";
import type { LiveChange } from "../live/kinds.ts";

/** Limits the changes that are kept: enough for some thousand Pods from their creation to their end. */
const mostChanges = 30_000;

interface LoggedChange extends LiveChange {
  readonly at: Instant;
}

/** Every change since the page was opened, the oldest dropped beyond a limit. Positions count all changes ever added. */
export class ChangeLog {
  readonly #limit: number;
  #changes: LoggedChange[] = [];
  #dropped = 0;
  #since: Instant;

  constructor(since: Instant, limit = mostChanges) {
    this.#since = since;
    this.#limit = limit;
  }

  /** The earliest moment that can be shown. */
  get since(): Instant {
    return this.#since;
  }

  /** The position of the oldest change that is kept. */
  get start(): number {
    return this.#dropped;
  }

  get end(): number {
    return this.#dropped + this.#changes.length;
  }

  /** Drops all changes: after a gap, those before it do not lead to those after it. */
  restart(since: Instant): void {
    this.#dropped = this.end;
    this.#changes = [];
    this.#since = since;
  }

  add(changes: readonly LiveChange[], at: Instant): void {
    for (const change of changes) this.#changes.push({ ...change, at });
    // In large steps: taking elements from the front of a long array costs as much as the array is long.
    if (this.#changes.length < this.#limit * 1.25) return;
    const dropped = this.#changes.splice(0, this.#changes.length - this.#limit);
    this.#dropped += dropped.length;
    this.#since = dropped.at(-1)?.at ?? this.#since;
  }

  /** The latest change of an object; `undefined` where none is kept. */
  latest(kind: LiveChange["kind"], key: string): LoggedChange | undefined {
    return this.#changes.findLast((change) => change.kind === kind && change.key === key);
  }

  /** All changes that are kept, the oldest first. */
  get changes(): readonly LoggedChange[] {
    return this.#changes;
  }

  /** The change at a position; `undefined` when it is no longer kept. */
  at(position: number): LoggedChange | undefined {
    return this.#changes[position - this.#dropped];
  }

  /** The position after the last change at or before a moment. */
  positionAt(moment: Instant): number {
    let [low, high] = [0, this.#changes.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#changes[middle]?.at ?? Infinity) <= moment) low = middle + 1;
      else high = middle;
    }
    return this.#dropped + low;
  }
}

/** The cluster at a moment of the past: a copy of the live one, moved along the log. */
export class PastCluster {
  readonly #live: ClusterState;
  readonly #log: ChangeLog;
  #state: ClusterState;
  #position: number;

  constructor(live: ClusterState, log: ChangeLog) {
    this.#live = live;
    this.#state = live.copy();
    this.#log = log;
    this.#position = log.end;
  }

  get state(): ClusterState {
    return this.#state;
  }

  /** Makes the state what it was at a moment; a moment before the log is brought to its beginning. */
  moveTo(moment: Instant): void {
    if (this.#position < this.#log.start) {
      // Changes that this state has not seen were dropped meanwhile: only the live cluster has them.
      this.#state = this.#live.copy();
      this.#position = this.#log.end;
    }
    this.moveToPosition(this.#log.positionAt(moment));
  }

  /** Makes the state what it was before the change at a position that is kept. */
  moveToPosition(wanted: number): void {
    while (this.#position > wanted) {
      const change = this.#log.at(this.#position - 1);
      if (change === undefined) return;
      this.#state.undo(change);
      this.#position--;
    }
    while (this.#position < wanted) {
      const change = this.#log.at(this.#position);
      if (change !== undefined) this.#state.apply(change);
      this.#position++;
    }
  }
}
