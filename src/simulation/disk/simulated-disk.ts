import type { Disk } from "../../cluster/store/durable/disk.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import type { Random } from "../../machinery/random/random.ts";
import { applyChange, type SimulatedMedium } from "./simulated-medium.ts";

/** The calls of a disk that can fail. */
export type DiskCall = "read" | "write" | "flush" | "reserve" | "probe" | "close";

/** How a disk behaves; read at every call, so that it may change. */
export interface DiskConditions {
  /** Every call fails in this way. */
  state: "good" | "full" | "broken";
  /** How likely a single call fails all the same. */
  errorRate: number;
  /** The longest time of a flush. */
  flushMs: number;
  /** How likely a flush takes a hundred times as long. */
  lateRate: number;
}

/** The dependencies and settings of a simulated disk. */
export interface SimulatedDiskOptions {
  readonly medium: SimulatedMedium;
  readonly clock: Clock;
  readonly random: Random;
  readonly conditions: DiskConditions;
  /** Called before each call; it may kill the process that makes it. */
  readonly called?: (call: DiskCall) => void;
}

/** A disk as one process has it open. */
export interface SimulatedDisk extends Disk {
  /** The process is killed: none of its calls returns any more, and nothing of them is written. */
  readonly kill: () => void;
}

/** The conditions of a disk without faults, whose flushes take no time. */
export function goodConditions(): DiskConditions {
  return { state: "good", errorRate: 0, flushMs: 0, lateRate: 0 };
}

/**
 * Opens a disk in memory, in virtual time. As in LMDB, a batch is written and flushed before its end is, so that a loss
 * of power leaves all of it or nothing.
 */
export function openSimulatedDisk(options: SimulatedDiskOptions): SimulatedDisk {
  const { medium, clock } = options;
  const recovered = medium.recover();
  const entries = new Map(recovered.entries);
  let { reserved: reservedRevision, lastBatch } = recovered;
  const process = { isKilled: false };
  const call = (name: DiskCall) => failOrCount(name, options);
  const flush = async () => {
    await untilKilled(process, clock.sleep(flushTime(options)));
    call("flush");
    await untilKilled(process);
    medium.flush();
  };
  return {
    kill: () => void (process.isKilled = true),
    reservedRevision() {
      call("read");
      return reservedRevision;
    },
    *entries() {
      for (const entry of entries.values()) {
        call("read");
        yield entry;
      }
    },
    async write({ changes, reserved }) {
      const batch = ++lastBatch;
      const written = [...changes];
      call("write");
      await untilKilled(process);
      medium.write(written.map((change) => ({ kind: "change", batch, change })));
      await flush();
      medium.write([{ kind: "commit", batch, reserved }]);
      await flush();
      for (const change of written) applyChange(entries, change);
      reservedRevision = reserved ?? reservedRevision;
    },
    async probe() {
      call("probe");
      await untilKilled(process);
    },
    reserve(revision) {
      call("reserve");
      if (process.isKilled) throw new Error("the process has been killed");
      medium.write([{ kind: "commit", batch: ++lastBatch, reserved: revision }]);
      medium.flush();
      reservedRevision = revision;
    },
    turnEnded: () => untilKilled(process, new Promise((resolve) => clock.whenIdle(resolve))),
    async close() {
      call("close");
      await untilKilled(process);
    },
  };
}

/** Waits for work; a killed process waits for ever. */
async function untilKilled(process: { readonly isKilled: boolean }, work?: Promise<void>): Promise<void> {
  await work;
  if (process.isKilled) await new Promise<never>(() => {});
}

function flushTime({ random, conditions }: SimulatedDiskOptions): number {
  const isLate = conditions.lateRate > 0 && random.next() < conditions.lateRate;
  return conditions.flushMs === 0 ? 0 : Math.ceil(random.next() * conditions.flushMs) * (isLate ? 100 : 1);
}

/** Reports a call, and throws if it fails; an error of a system has a code. */
function failOrCount(name: DiskCall, { conditions, random, called }: SimulatedDiskOptions): void {
  called?.(name);
  const isRead = name === "read" || name === "close";
  if (conditions.state === "full" && !isRead) throw systemError("ENOSPC", `no space left on device, ${name}`);
  const isFailing = conditions.errorRate > 0 && random.next() < conditions.errorRate;
  if (conditions.state === "broken" || isFailing) throw systemError("EIO", `i/o error, ${name}`);
}

function systemError(code: string, text: string): Error {
  return Object.assign(new Error(`${code}: ${text}`), { code });
}
