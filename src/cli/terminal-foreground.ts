import { readFileSync } from "node:fs";
import type { Timer } from "../machinery/clock/clock.ts";
import { WallClock } from "../machinery/clock/wall-clock.ts";

/**
 * Whether keys that the user presses are for this program. A shell stops a program in its background that reads from the
 * terminal (SIGTTIN), so one that was started with `&` must not.
 */
export function isInForeground(): boolean {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return false;
  try {
    return isForegroundGroup(readFileSync("/proc/self/stat", "utf8"));
  } catch (error) {
    // Other systems than Linux do not say; there a program with a terminal is taken to be in front.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return true;
    throw error;
  }
}

/** How often a program in the background checks whether it is in the foreground again; `fg` does not always send a signal. */
const lookEveryMs = 500;

/** Calls back whenever the user presses Enter while the program is in front of its terminal; the returned function ends that. */
export function onEnter(listener: () => void): () => void {
  const { stdin } = process;
  const clock = new WallClock();
  let look: Timer | undefined;
  const read = (text: Buffer) => void (text.includes("\n") && listener());
  const follow = () => {
    look?.cancel();
    if (isInForeground()) stdin.resume();
    else {
      stdin.pause();
      look = clock.after(lookEveryMs, follow);
    }
  };
  stdin.on("data", read);
  process.on("SIGCONT", follow); // after Ctrl-Z, with `bg` or `fg`
  return () => {
    look?.cancel();
    stdin.off("data", read);
    process.off("SIGCONT", follow);
    stdin.pause();
  };
}

/** Whether the process group of a `/proc/PID/stat` is the one in front of its terminal. */
export function isForegroundGroup(stat: string): boolean {
  // Behind the name of the program, which may contain anything: state, ppid, pgrp, session, tty_nr, tpgid.
  const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return group === foreground;
}
