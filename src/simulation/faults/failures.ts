import { type ApiError, apiFailure } from "../../machinery/client/api-error.ts";
import type { ClientCall } from "../../machinery/client/intercept-client.ts";

/** Another client wrote first. */
export function conflictFailure({ collection, name = "" }: ClientCall): ApiError {
  const message = `Operation cannot be fulfilled on ${collection} ${JSON.stringify(name)}: the object has been modified; please apply your changes to the latest version and try again`;
  return apiFailure(409, "Conflict", message);
}

/** The server gave up waiting for its store. */
export function timeout(): ApiError {
  return apiFailure(504, "Timeout", "Timeout: request did not complete within requested timeout");
}

/** The requested resource version was compacted. */
export function expired(): ApiError {
  return apiFailure(410, "Expired", "too old resource version");
}

/** The connection broke. */
export function connectionReset(): Error {
  return new Error("socket hang up");
}
