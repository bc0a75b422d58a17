import type { Disk, DiskChange } from "../cluster/store/durable/disk.ts";

/** A disk in memory. A store that is opened over it anew, without closing the one before, sees what a crash leaves. */
export interface MemoryDisk extends Disk {
  /** Set: every write fails with it. */
  failure: Error | undefined;
  /** Set: writes wait for it, then they are on disk. */
  gate: Promise<void> | undefined;
  /** How many batches were written. */
  readonly batches: () => number;
}

export function memoryDisk(): MemoryDisk {
  const content = new Map<string, DiskChange & { readonly bytes: Buffer }>();
  let reservedRevision: number | undefined;
  let batches = 0;
  const store = (change: DiskChange) => {
    const { collection, key, bytes } = change;
    if (bytes === undefined) content.delete(`${collection} ${key}`);
    else content.set(`${collection} ${key}`, { collection, key, bytes });
  };
  const disk: MemoryDisk = {
    failure: undefined,
    gate: undefined,
    batches: () => batches,
    reservedRevision: () => reservedRevision,
    entries: () => content.values(),
    async write({ changes, reserved }) {
      if (disk.gate !== undefined) await disk.gate;
      if (disk.failure !== undefined) throw disk.failure;
      for (const change of changes) store(change);
      reservedRevision = reserved ?? reservedRevision;
      batches++;
    },
    async probe() {
      if (disk.failure !== undefined) throw disk.failure;
    },
    reserve(revision) {
      if (disk.failure !== undefined) throw disk.failure;
      reservedRevision = revision;
    },
    turnEnded: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
  return disk;
}
