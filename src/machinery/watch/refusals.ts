import { ApiError, hasCause, isGone } from "../client/api-error.ts";

/** Too old, or newer than anything a server that lost its memory has: either way the version is of no use there. */
export function isResourceVersionUnavailable(error: unknown): boolean {
  return isGone(error) || hasCause(error, "ResourceVersionTooLarge");
}

/** How servers say that they do not list through a watch. */
const refusals = new Set([400, 405, 406, 415, 422]);

/** Whether the server will not list through a watch, today or any day. */
export function refusesStreaming(error: unknown): boolean {
  return error instanceof ApiError && refusals.has(error.code);
}
