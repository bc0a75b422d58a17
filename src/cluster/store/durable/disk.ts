import type { Location } from "../store.ts";

/** A stored object as it is on disk: JSON text. */
export interface DiskEntry extends Location {
  readonly bytes: Buffer;
}

/** The newest content of a key; absent bytes mean that it is removed. */
export interface DiskChange extends Location {
  readonly bytes: Buffer | undefined;
}

/** A batch is written atomically: all of it or nothing is on disk afterwards. */
export interface DiskBatch {
  readonly changes: Iterable<DiskChange>;
  /** Revisions up to this one may be used from now on; absent: as before. */
  readonly reserved?: number | undefined;
}

/** Where a durable store keeps its objects. One batch is written at a time. */
export interface Disk {
  /** The last revision that may ever have been used; `undefined` on a new disk. */
  reservedRevision(): number | undefined;
  /** Reads every object, in no particular order; throws `damagedValue` for one that is not as it was written. */
  entries(): Iterable<DiskEntry>;
  /**
   * Resolves when the batch is flushed: it survives the loss of power. Rejects when that is not sure: then all of it is on
   * disk or nothing.
   */
  write(batch: DiskBatch): Promise<void>;
  /** Checks after a failed write whether this many bytes can be written; rejects when they cannot. */
  probe(bytes: number): Promise<void>;
  /** Reserves revisions at once, while everything else waits; throws when that fails. */
  reserve(revision: number): void;
  /** Resolves when the present turn of the event loop is over, so that all its commits are one batch. */
  turnEnded(): Promise<void>;
  close(): Promise<void>;
}

/** Returns the error for a value that is not as it was written. */
export function damagedValue(name: string): Error {
  return new Error(`the stored value of ${JSON.stringify(name)} is damaged`);
}
