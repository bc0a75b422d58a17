import type { WallClock } from "../../machinery/clock/wall-clock.ts";
import { onOrphaned, starterOf } from "./parent-process.ts";

/** Aborts when this process is told to end, or when the one that started it has ended. */
export function stopSignal(clock: WallClock): AbortSignal {
  const stopping = new AbortController();
  const stop = (why: string) => {
    if (stopping.signal.aborted) process.exit(1); // told twice
    stopping.abort(new Error(why));
  };
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => stop(signal));
  onOrphaned(clock, starterOf(process.env), { listener: () => stop("its parent ended") });
  return stopping.signal;
}
