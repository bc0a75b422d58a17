import { ApiError } from "../client/api-error.ts";

const baseMs = 800;
const capMs = 30_000;

/**
 * How long to wait after the failure that `failures` others came before: twice as long each time up to half a minute,
 * stretched by `chance` in [0, 1) to at most double so that clients do not come back in step, and never less than the
 * server asked for.
 */
export function backOffMs(failures: number, chance: number, error?: unknown): number {
  const jittered = Math.min(baseMs * 2 ** failures, capMs) * (1 + chance);
  return Math.max(jittered, askedForMs(error));
}

function askedForMs(error: unknown): number {
  return error instanceof ApiError ? (error.status.details?.retryAfterSeconds ?? 0) * 1000 : 0;
}
