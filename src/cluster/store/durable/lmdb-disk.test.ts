import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { diskContract } from "./disk.contract.ts";
import type { Disk } from "./disk.ts";
import { openLmdbDisk } from "./lmdb-disk.ts";

function newFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), "trimtab-lmdb-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

diskContract("lmdb", () => {
  const folder = newFolder();
  return { open: () => openLmdbDisk(folder), finished: (work) => work };
});

const at = (key: string) => ({ collection: "things", key });
const contents = (disk: Disk) => [...disk.entries()].map(({ key, bytes }) => `${key} ${bytes.length}`);

test("batches are kept over a reopening, large values and removals included", async () => {
  const folder = newFolder();
  const first = await openLmdbDisk(folder);
  const changes = [1, 5000, 1_500_000].map((size) => ({
    ...at(`size-${size}`),
    bytes: Buffer.alloc(size, 120),
  }));
  await first.write({ changes, reserved: 7 });
  await first.write({ changes: [{ ...at("size-1"), bytes: undefined }] });
  await first.close();
  const second = await openLmdbDisk(folder);
  expect(contents(second)).toEqual(["size-1500000 1500000", "size-5000 5000"]);
  expect(second.reservedRevision()).toBe(7);
  second.reserve(9);
  expect(second.reservedRevision()).toBe(9);
  await second.probe(1000);
  await second.close();
});

test("where the library cannot be loaded, a sentence says what works without it", async () => {
  vi.doMock("lmdb", () => {
    throw new Error("no native code for this machine");
  });
  onTestFinished(() => vi.doUnmock("lmdb"));
  await expect(openLmdbDisk(newFolder())).rejects.toThrow(
    /^a data directory needs the library lmdb, which cannot be loaded on this machine .*without --data-dir everything is kept in memory$/s,
  );
});
