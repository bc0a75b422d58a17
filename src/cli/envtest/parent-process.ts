import type { Clock } from "../../machinery/clock/clock.ts";

/** The variable by which the programs of the folder say who started them. */
export const parentVariable = "TRIMTAB_ENVTEST_PARENT";

/** A process as the operating system knows it; a parameter so that tests need none. */
export interface OwnProcess {
  /** The process that is the parent now. */
  readonly parent: () => number;
  /** Whether a process still runs. */
  readonly isAlive: (pid: number) => boolean;
}

const thisProcess: OwnProcess = {
  parent: () => process.ppid,
  isAlive(pid) {
    try {
      process.kill(pid, 0);
      return true;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === "EPERM";
    }
  },
};

const checkMs = 500;

/**
 * Calls the listener once when the process that started this one has ended. The programs of envtest have a process group
 * of their own, so that no signal reaches them when a suite is killed.
 */
export function onOrphaned(
  clock: Pick<Clock, "after">,
  startedBy: number,
  { listener, own = thisProcess }: { readonly listener: () => void; readonly own?: OwnProcess },
): () => void {
  const isOrphaned = () => own.parent() !== startedBy || !own.isAlive(startedBy);
  let timer = clock.after(checkMs, check);
  function check(): void {
    if (isOrphaned()) listener();
    else timer = clock.after(checkMs, check);
  }
  return () => timer.cancel();
}

/** Returns the process that started this one, as the program of the folder saw it. */
export function starterOf(env: Readonly<Record<string, string | undefined>>): number {
  const given = Number(env[parentVariable] ?? "");
  return Number.isInteger(given) && given > 0 ? given : process.ppid;
}
