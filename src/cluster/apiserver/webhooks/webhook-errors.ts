import type { Status } from "../../../api/generated/meta-v1.ts";
import { ApiError } from "../../../machinery/client/api-error.ts";
import { badRequest, internalError } from "../status-errors.ts";

/** Returns the denial of a webhook, with its own code and message; 400 unless it names an error code. */
export function deniedByWebhook(
  name: string,
  { code = 0, message = "", reason = "", ...status }: Status,
): ApiError {
  const denied = `admission webhook ${JSON.stringify(name)} denied the request`;
  const why = message === "" ? reason : message;
  return new ApiError({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: why === "" ? `${denied} without explanation` : `${denied}: ${why}`,
    ...(reason !== "" && { reason }),
    ...(status.details !== undefined && { details: status.details }),
    code: code < 400 ? 400 : code,
  });
}

/** 500: a required webhook could not be called. */
export function webhookFailed(name: string, why: string): ApiError {
  return internalError(`failed calling webhook ${JSON.stringify(name)}: ${why}`);
}

/** 500: the patch of a webhook does not fit the object. */
export function webhookPatchFailed(name: string, why: string): ApiError {
  return internalError(
    `admission webhook ${JSON.stringify(name)} returned a patch that cannot be applied: ${why}`,
  );
}

/** 500: a webhook sent a patch for a request without an object to change. */
export function nothingToPatch(name: string): ApiError {
  return internalError(
    `admission webhook ${JSON.stringify(name)} attempted to modify the object, which is not supported for this operation`,
  );
}

/** 400: a dry run must have no side effects, and this webhook may have some. */
export function dryRunUnsupported(name: string): ApiError {
  return badRequest(`admission webhook ${JSON.stringify(name)} does not support dry run`);
}
