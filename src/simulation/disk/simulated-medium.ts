import type { DiskChange } from "../../cluster/store/durable/disk.ts";
import type { Random } from "../../machinery/random/random.ts";

/** What one write puts on a medium: a change of a batch, or the end of the batch, without which it does not count. */
export type Block =
  | { readonly kind: "change"; readonly batch: number; readonly change: DiskChange }
  | { readonly kind: "commit"; readonly batch: number; readonly reserved?: number | undefined };

/** The content of a medium as it is read after a start. */
export interface RecoveredContent {
  readonly entries: ReadonlyMap<string, DiskChange & { readonly bytes: Buffer }>;
  readonly reserved: number | undefined;
  /** The number of the last batch, whether or not it counts. */
  readonly lastBatch: number;
}

/**
 * The medium under a simulated disk, which outlives the processes that use it. Written blocks are in a cache until they
 * are flushed. A loss of power leaves any of the cached blocks: those that are missing were lost, were torn, so that their
 * checksum is wrong, or would have been written after those that are there.
 */
export class SimulatedMedium {
  #flushed: Block[] = [];
  #cached: Block[] = [];

  write(blocks: Iterable<Block>): void {
    this.#cached.push(...blocks);
  }

  flush(): void {
    this.#flushed.push(...this.#cached);
    this.#cached = [];
  }

  /** The power fails: each block of the cache is kept or lost by chance. Returns how many there were and are left. */
  losePower(random: Random): { readonly cached: number; readonly kept: number } {
    const cached = this.#cached;
    // Of some losses nothing is left, of some everything, of most a part.
    const share = Math.min(1, Math.max(0, random.next() * 2 - 0.5));
    const kept = cached.filter(() => random.next() < share);
    this.#flushed.push(...kept);
    this.#cached = [];
    return { cached: cached.length, kept: kept.length };
  }

  /** Reads the batches whose end was written. A process that was killed leaves the cache to the system, which writes it. */
  recover(): RecoveredContent {
    this.flush();
    const commits = new Map(
      this.#flushed.flatMap((block) => (block.kind === "commit" ? [[block.batch, block] as const] : [])),
    );
    const entries = new Map<string, DiskChange & { readonly bytes: Buffer }>();
    let reserved: number | undefined;
    let lastBatch = 0;
    for (const block of this.#flushed) {
      lastBatch = Math.max(lastBatch, block.batch);
      if (block.kind === "commit") reserved = block.reserved ?? reserved;
      else if (commits.has(block.batch)) applyChange(entries, block.change);
    }
    this.#flushed = [...blocksOf(entries, lastBatch), { kind: "commit", batch: lastBatch, reserved }];
    return { entries, reserved, lastBatch };
  }
}

/** Applies a change to the content of a disk. */
export function applyChange(
  content: Map<string, DiskChange & { readonly bytes: Buffer }>,
  { collection, key, bytes }: DiskChange,
): void {
  if (bytes === undefined) content.delete(`${collection} ${key}`);
  else content.set(`${collection} ${key}`, { collection, key, bytes });
}

function blocksOf(entries: RecoveredContent["entries"], batch: number): readonly Block[] {
  return [...entries.values()].map((change) => ({ kind: "change", batch, change }));
}
