import type { Clock, Timer } from "../../../machinery/clock/clock.ts";
import type { Disk, DiskChange } from "./disk.ts";
import type { ReservedRevisions } from "./reserved-revisions.ts";
import { writeFailed } from "./write-failed.ts";

/** How often the disk is tried again after a failure. */
const retryMs = 1000;

/** The commits that become durable together. */
interface Group {
  readonly flushed: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (reason: Error) => void;
}

/** The dependencies and settings of a group commit. */
export interface GroupCommitOptions {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly revisions: ReservedRevisions;
  /** Called when the disk begins to refuse writes, and when it takes them again. */
  readonly onFailure?: ((failure: Error | undefined) => void) | undefined;
}

/**
 * Writes commits to disk in groups: while one group is flushed the next is collected. Groups are written in the order
 * of their commits, so the disk always holds a state that the store once had. After a failed write, everything that is
 * not on disk is tried again until it is: commits that readers have seen are not taken back.
 */
export class GroupCommit {
  readonly #options: GroupCommitOptions;
  #pending = new Map<string, DiskChange>();
  #collecting: Group | undefined;
  #writing: Group | undefined;
  #failure: Error | undefined;
  /** Set while a failed write waits to be tried again. */
  #retry: Timer | undefined;
  #isFinishing = false;

  constructor(options: GroupCommitOptions) {
    this.#options = options;
  }

  failure(): Error | undefined {
    return this.#failure;
  }

  /** Adds a commit; resolves when it is flushed. */
  add(change: DiskChange): Promise<void> {
    this.#pending.set(`${change.collection} ${change.key}`, change);
    const { flushed } = (this.#collecting ??= newGroup());
    this.#start();
    return flushed;
  }

  /** Resolves when everything that was added is flushed, rejects when that fails; `undefined` when nothing waits. */
  flushed(): Promise<void> | undefined {
    if (this.#retry !== undefined && this.#failure !== undefined) return Promise.reject(this.#failure);
    return (this.#collecting ?? this.#writing)?.flushed;
  }

  /** Writes what is pending, once; resolves whether or not it succeeds. */
  async finish(): Promise<void> {
    this.#isFinishing = true;
    this.#retry?.cancel();
    this.#retry = undefined;
    this.#start();
    // The waiters of the commits get the error.
    for (let waits = this.flushed(); waits !== undefined; waits = this.flushed()) await waits.catch(() => {});
  }

  #start(): void {
    if (this.#writing !== undefined || this.#retry !== undefined || this.#pending.size === 0) return;
    this.#writing = this.#collecting ??= newGroup();
    void this.#writeGroup(this.#writing);
  }

  async #writeGroup(group: Group): Promise<void> {
    const { disk, revisions } = this.#options;
    await disk.turnEnded();
    const changes = this.#pending;
    this.#collecting = undefined;
    this.#pending = new Map();
    const reserved = revisions.due();
    try {
      await disk.write({ changes: changes.values(), reserved });
    } catch (error) {
      this.#failed(group, changes, writeFailed(await this.#causeOf(error, changes)));
      return;
    }
    if (reserved !== undefined) revisions.confirm(reserved);
    this.#report(undefined);
    this.#writing = undefined;
    group.resolve();
    this.#start();
  }

  /**
   * Finds the cause of a failure. A full disk shows in many ways, such as a write that was cut short; writing a file
   * reveals it.
   */
  async #causeOf(error: unknown, changes: ReadonlyMap<string, DiskChange>): Promise<unknown> {
    try {
      await this.#options.disk.probe(bytesOf(changes));
      return error;
    } catch (cause) {
      return cause;
    }
  }

  #failed(group: Group, changes: ReadonlyMap<string, DiskChange>, failure: Error): void {
    // Later commits are newer.
    this.#pending = new Map([...changes, ...this.#pending]);
    this.#writing = undefined;
    if (!this.#isFinishing) this.#retryLater();
    this.#report(failure);
    group.reject(failure);
    this.#collecting?.reject(failure);
    this.#collecting = undefined;
  }

  #retryLater(): void {
    this.#retry = this.#options.clock.after(retryMs, () => void this.#retryIfPossible());
  }

  async #retryIfPossible(): Promise<void> {
    try {
      await this.#options.disk.probe(bytesOf(this.#pending));
    } catch {
      // It is probed without writing the group, because the library prints every failure.
      if (!this.#isFinishing) this.#retryLater();
      return;
    }
    this.#retry = undefined;
    this.#start();
  }

  #report(failure: Error | undefined): void {
    const before = this.#failure;
    this.#failure = failure;
    if (before?.message !== failure?.message) this.#options.onFailure?.(failure);
  }
}

function bytesOf(changes: ReadonlyMap<string, DiskChange>): number {
  let bytes = 0;
  for (const change of changes.values()) bytes += change.bytes?.byteLength ?? 0;
  return bytes;
}

function newGroup(): Group {
  let resolve: Group["resolve"] = () => {};
  let reject: Group["reject"] = () => {};
  const flushed = new Promise<void>((fulfil, refuse) => {
    resolve = fulfil;
    reject = refuse;
  });
  flushed.catch(() => {}); // a commit may have no waiter
  return { flushed, resolve, reject };
}
