import { parseDuration } from "../../api/duration.ts";
import { failure } from "../command-failure.ts";
import type { Context } from "../context.ts";

/** Thrown when a command has waited long enough. */
export class TimedOut extends Error {
  override readonly name = "TimedOut";
}

/** Reads a duration such as `30s` or a number of seconds. */
export function timeLimitOf(text: string, flag: string): number {
  const duration = parseDuration(text) ?? (/^-?\d+$/.test(text) ? Number(text) * 1000 : undefined);
  if (duration === undefined)
    throw failure(
      `invalid argument ${JSON.stringify(text)} for "--${flag}" flag: time: invalid duration ${JSON.stringify(text)}`,
    );
  return duration;
}

/** A context whose requests end after some time, or with the command; work that is late throws `TimedOut`. */
export async function withinTime<T>(
  context: Context,
  limitMs: number | undefined,
  work: (limited: Context) => Promise<T>,
): Promise<T> {
  if (limitMs === undefined) return work(context);
  const limit = new AbortController();
  const { io } = context;
  const timer = io.clock.after(limitMs, () =>
    limit.abort(new TimedOut("timed out waiting for the condition")),
  );
  const signal = AbortSignal.any([io.signal, limit.signal]);
  try {
    const limited = { ...context, io: { ...io, signal }, server: context.server.within(signal) };
    const result = await work(limited);
    if (limit.signal.aborted && !io.signal.aborted) throw limit.signal.reason;
    return result;
  } catch (error) {
    if (limit.signal.aborted && !io.signal.aborted) throw limit.signal.reason;
    throw error;
  } finally {
    timer.cancel();
  }
}
