import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import path from "node:path";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";

const clock = new WallClock();

/** A program that this process has started; what it prints is in a file. */
export interface Program {
  readonly name: string;
  readonly pid: number;
  readonly logFile: string;
  /** Whether it has ended, by itself or not. */
  readonly ended: () => boolean;
  /** Ends it and resolves when it has ended; SIGKILL after ten seconds if it does not heed another signal. */
  readonly stop: (signal?: "SIGTERM" | "SIGKILL") => Promise<void>;
}

export interface ProgramOptions {
  readonly name: string;
  readonly file: string;
  readonly flags: readonly string[];
  /** Where its log goes. */
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
}

const running = new Set<ChildProcess>();
// A test runner that ends in the middle of a test must not leave programs behind.
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

let started = 0;

/** Starts a program; it runs until it is stopped or this process ends. */
export function startProgram({ name, file, flags, folder, env = {} }: ProgramOptions): Program {
  const logFile = path.join(folder, `${name}-${++started}.log`);
  const log = openSync(logFile, "a", 0o600);
  const child = spawn(file, [...flags], {
    stdio: ["ignore", log, log],
    cwd: folder,
    env: { ...process.env, ...env },
  });
  closeSync(log);
  running.add(child);
  let isOver = false;
  const over = new Promise<void>((resolve) => {
    const end = () => {
      isOver = true;
      running.delete(child);
      resolve();
    };
    child.once("error", end);
    child.once("exit", end);
  });
  return {
    name,
    pid: child.pid ?? 0,
    logFile,
    ended: () => isOver,
    async stop(signal = "SIGTERM") {
      if (!isOver) child.kill(signal);
      const timer = clock.after(10_000, () => child.kill("SIGKILL"));
      await over;
      timer.cancel();
    },
  };
}

/** The last lines that a program printed. */
export function tailOf({ logFile }: Program, lines = 25): string {
  return readFileSync(logFile, "utf8").trimEnd().split("\n").slice(-lines).join("\n");
}

/**
 * Asks until a program is ready. Throws with the end of its log when it ends before that, or is not ready in time.
 */
export async function untilReady(
  program: Program,
  isReady: () => Promise<boolean>,
  timeoutMs = 120_000,
): Promise<void> {
  const until = clock.now() + timeoutMs;
  while (!(await isReady().catch(() => false))) {
    const problem = program.ended() ? "ended" : clock.now() > until ? "is not ready" : undefined;
    if (problem !== undefined)
      throw new Error(`${program.name} ${problem}; its log ends:\n${tailOf(program)}`);
    await clock.sleep(100);
  }
}
