import { firstRevision } from "../memory-store.ts";
import type { RevisionCounter } from "../memory-collection.ts";
import type { Disk } from "./disk.ts";
import { writeFailed } from "./write-failed.ts";

/** How many revisions are reserved at a time; a crash may skip as many. */
const blockSize = 100_000;

/**
 * The revision counter of a durable store. A commit is visible before it is flushed, so readers may have seen a
 * revision that no object on disk has. Revisions are therefore used only below the one that is reserved on disk, and
 * after a crash the counter continues there: no revision is ever used twice.
 */
export class ReservedRevisions implements RevisionCounter {
  readonly #disk: Disk;
  #current: number;
  #reserved: number;

  constructor(disk: Disk) {
    this.#disk = disk;
    this.#reserved = disk.reservedRevision() ?? firstRevision;
    this.#current = this.#reserved;
  }

  current(): number {
    return this.#current;
  }

  /** Returns the next revision; throws the Status of a refused write when no more can be reserved. */
  next(): number {
    // Batches reserve early enough, unless one batch has half a block of commits.
    if (this.#current >= this.#reserved) this.#reserveNow();
    return ++this.#current;
  }

  /** Returns the revision that the next batch has to reserve, if the reserved ones run out. */
  due(): number | undefined {
    return this.#reserved - this.#current > blockSize / 2 ? undefined : this.#current + blockSize;
  }

  /** Records that a batch with this reservation is on disk. */
  confirm(reserved: number): void {
    this.#reserved = Math.max(this.#reserved, reserved);
  }

  #reserveNow(): void {
    const reserved = this.#current + blockSize;
    try {
      this.#disk.reserve(reserved);
    } catch (error) {
      throw writeFailed(error);
    }
    this.#reserved = reserved;
  }
}
