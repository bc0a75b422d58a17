import type { Disk } from "../../src/cluster/store/durable/disk.ts";
import type { StoreMutation } from "./simulated-machine.ts";

/** Writes are acknowledged before they are flushed. */
export const acknowledgingEarly: StoreMutation = {
  disk: (disk) => ({
    ...disk,
    async write(batch) {
      void disk.write({ ...batch, changes: [...batch.changes] }).catch(() => {});
    },
  }),
};

/** A write that failed is taken for done. */
export const ignoringErrors: StoreMutation = {
  disk: (disk) => ({ ...disk, write: (batch) => disk.write(batch).catch(() => {}) }),
};

/** The changes of a batch are written one by one, the last first, so that a crash leaves a part of them. */
export const tearingBatches: StoreMutation = {
  disk: (disk) => ({
    ...disk,
    async write({ changes, reserved }) {
      await disk.write({ changes: [], reserved });
      for (const change of [...changes].toReversed()) await disk.write({ changes: [change] });
    },
  }),
};

/** Revisions go on behind the last one on disk, which is not the last one that was shown. */
export const withoutReservations: StoreMutation = {
  disk: (disk) => ({ ...disk, reservedRevision: () => newestRevision(disk), reserve: () => {} }),
};

/** Watches go on from any revision, whether or not their history is known. */
export const withoutExpiry: StoreMutation = {
  store: (store) => ({
    ...store,
    collection: (name) => {
      const collection = store.collection(name);
      return new Proxy(collection, {
        get: (target, property) => {
          if (property === "since") return (revision: number) => target.since(revision) ?? [];
          if (property === "oldestRevision") return () => 0;
          const value: unknown = Reflect.get(target, property, target);
          return typeof value === "function" ? (value.bind(target) as unknown) : value;
        },
      });
    },
  }),
};

function newestRevision(disk: Disk): number | undefined {
  let newest: number | undefined;
  for (const { bytes } of disk.entries()) {
    const { metadata } = JSON.parse(bytes.toString()) as { metadata: { resourceVersion: string } };
    newest = Math.max(newest ?? 0, Number(metadata.resourceVersion));
  }
  return newest;
}
