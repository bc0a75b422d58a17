import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

/** A process that has, or had, a data directory open; the name of its lock file holds all of this. */
interface LockHolder {
  readonly pid: number;
  /** When the process started, in ticks since boot, because the number of an ended process may be reused. */
  readonly startedAt: string;
  /** Identifies the machine, its boot and the namespace of the process number. */
  readonly machine: string;
  readonly boot: string;
  readonly processSpace: string;
}

const prefix = "lock.";

/** Whether a file of a data directory belongs to this module. */
export const isLockFile = (name: string): boolean => name.startsWith(prefix);

/**
 * Locks a data directory for this process; returns a function that unlocks it. Throws one sentence when another process
 * has it.
 *
 * Every process creates a file of its own and then looks for others. Of two that start together at least one sees the
 * other, so never both go on. What an ended process has left is known by its number and start, and removed.
 */
export function lockDirectory(folder: string): () => void {
  const own = currentProcess();
  const file = path.join(folder, nameOf(own));
  try {
    writeFileSync(file, "", { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== "EEXIST") throw error;
    throw new Error(`this process (${own.pid}) has it open already`, { cause: error });
  }
  const unlock = () => rmSync(file, { force: true });
  const others = locksIn(folder).filter((name) => name !== path.basename(file));
  const refusal = others.map((name) => refusalBy(name, own)).find((text) => text !== undefined);
  if (refusal !== undefined) {
    unlock();
    throw new Error(refusal);
  }
  for (const name of others) rmSync(path.join(folder, name), { force: true });
  return unlock;
}

/** The process that holds a lock. */
export interface LockOwner {
  readonly pid: number;
  /** Whether the process is known to be the holder: on this machine, with the number and start time in the lock. */
  readonly isCertain: boolean;
}

/**
 * Returns the process that has a folder locked; `undefined` when it is free, or was left by a process that has ended.
 */
export function lockOwner(folder: string): LockOwner | undefined {
  const own = currentProcess();
  const held = locksIn(folder).find((name) => refusalBy(name, own) !== undefined);
  const holder = held === undefined ? undefined : parse(held);
  if (holder === undefined) return undefined;
  const isHere =
    holder.machine === own.machine && holder.processSpace === own.processSpace && holder.boot === own.boot;
  return { pid: holder.pid, isCertain: isHere && holder.startedAt !== "" };
}

function locksIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter(isLockFile);
  } catch (error) {
    // The process that had it may have removed it meanwhile.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/**
 * Returns why the lock file of another process forbids opening the directory; `undefined` when that process has ended.
 */
function refusalBy(name: string, own: LockHolder): string | undefined {
  const holder = parse(name);
  if (holder === undefined) return `it has a lock that is not understood: ${name}`;
  const { pid, machine } = holder;
  const isHere = machine === own.machine && holder.processSpace === own.processSpace;
  if (isHere && holder.boot === own.boot) return isAlive(holder) ? `process ${pid} has it open` : undefined;
  if (machine === own.machine && holder.boot !== own.boot) return undefined; // the machine has restarted
  return (
    `process ${pid} of ${machine === own.machine ? "another container" : `machine ${machine}`} has it open, ` +
    `or has left ${name} behind: remove that file if it has ended`
  );
}

function isAlive({ pid, startedAt }: LockHolder): boolean {
  if (startedAt !== "") return startOf(pid) === startedAt;
  try {
    process.kill(pid, 0); // without start times only the number can be checked
    return true;
  } catch (error) {
    return (error as { readonly code?: unknown }).code === "EPERM";
  }
}

function currentProcess(): LockHolder {
  const { pid } = process;
  return {
    pid,
    startedAt: startOf(pid) ?? "",
    machine: os.hostname().replaceAll(/[^\w-]/g, "-"),
    boot: systemText(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8")).slice(0, 8),
    processSpace: systemText(() => readlinkSync("/proc/self/ns/pid")).replaceAll(/\D/g, ""),
  };
}

function nameOf({ pid, startedAt, machine, boot, processSpace }: LockHolder): string {
  return `${prefix}${[pid, startedAt, boot, processSpace, machine].join(".")}`;
}

function parse(name: string): LockHolder | undefined {
  const [pid = "", startedAt, boot, processSpace, machine] = name.slice(prefix.length).split(".");
  if (!/^\d+$/.test(pid) || startedAt === undefined || boot === undefined) return undefined;
  if (processSpace === undefined || machine === undefined) return undefined;
  return { pid: Number(pid), startedAt, boot, processSpace, machine };
}

/** Returns when a process started; `undefined` when it has ended, or on a system that does not say. */
function startOf(pid: number): string | undefined {
  if (process.platform !== "linux" && process.platform !== "win32") return startByPs(pid);
  const text = systemText(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  // The fields follow the name of the program, which is in parentheses and may contain anything.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  // An ended process stays in the list until its parent reads its exit code.
  const [state = ""] = fields;
  return state === "Z" || state === "X" ? undefined : fields[19];
}

function startByPs(pid: number): string | undefined {
  const text = systemText(() =>
    execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }),
  );
  return text.trim() === "" ? undefined : text.trim().replaceAll(/\W+/g, "-");
}

/** Returns the text, empty on systems without the file or program. */
function systemText(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}
