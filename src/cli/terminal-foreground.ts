import { readFileSync } from "node:fs";

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

/** Whether the process group of a `/proc/PID/stat` is the one in front of its terminal. */
export function isForegroundGroup(stat: string): boolean {
  // Behind the name of the program, which may contain anything: state, ppid, pgrp, session, tty_nr, tpgid.
  const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return group === foreground;
}
