import { describe, expect, test } from "vitest";
import type { Disk, DiskChange } from "./disk.ts";

/** A place for a disk that outlives it: what was flushed is there when it is opened again. */
export interface DiskPlace {
  /** Opens the disk; an earlier one of the same place was closed, or is left as a crash leaves it. */
  readonly open: () => Promise<Disk>;
  /** Waits for work of the disk, where time has to pass for that. */
  readonly finished: <T>(work: Promise<T>) => Promise<T>;
}

const change = (key: string, text?: string): DiskChange => ({
  collection: "things",
  key,
  bytes: text === undefined ? undefined : Buffer.from(text),
});

const contents = (disk: Disk) =>
  [...disk.entries()].map(({ collection, key, bytes }) => `${collection} ${key} ${String(bytes)}`).sort();

/** What the durable store needs of a disk, for every implementation. */
export function diskContract(name: string, newPlace: () => DiskPlace): void {
  describe(`${name} is a disk:`, () => {
    test("a new one is empty and has reserved nothing", async () => {
      const { open, finished } = newPlace();
      const disk = await open();
      expect([contents(disk), disk.reservedRevision()]).toEqual([[], undefined]);
      await finished(disk.close());
    });

    test("what a batch writes, replaces and removes is there after it is opened again", async () => {
      const { open, finished } = newPlace();
      const first = await open();
      await finished(first.write({ changes: [change("a", "1"), change("ä/b", "2"), change("c", "3")] }));
      await finished(first.write({ changes: [change("a", "4"), change("c")], reserved: 7 }));
      const want = ["things a 4", "things ä/b 2"];
      await finished(first.close());
      const second = await open();
      expect([contents(second), second.reservedRevision()]).toEqual([want, 7]);
      await finished(second.close());
    });

    test("a reservation holds at once, and a batch without one leaves it", async () => {
      const { open, finished } = newPlace();
      const first = await open();
      first.reserve(9);
      expect(first.reservedRevision()).toBe(9);
      await finished(first.write({ changes: [change("a", "1")] }));
      await finished(first.close());
      const second = await open();
      expect(second.reservedRevision()).toBe(9);
      await finished(second.close());
    });

    test("an empty batch, a removal of what is not there and a probe succeed", async () => {
      const { open, finished } = newPlace();
      const disk = await open();
      await finished(disk.write({ changes: [] }));
      await finished(disk.write({ changes: [change("a")] }));
      await finished(disk.probe(1000));
      await finished(disk.turnEnded());
      expect(contents(disk)).toEqual([]);
      await finished(disk.close());
    });
  });
}
