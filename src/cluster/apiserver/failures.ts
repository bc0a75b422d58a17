import { type FieldError } from "../../api/field-error.ts";
import { detailsCauses, fieldErrorsText } from "../../api/field-error-text.ts";
import type { Status, StatusCause, StatusDetails } from "../../api/generated/meta-v1.ts";
import { qualifiedKind, qualifiedName, type Resource } from "../../api/resource.ts";
import { ApiError } from "../../machinery/client/api-error.ts";

// Every "no" of the API server, in Kubernetes' words: clients compare reasons, and people know the sentences.

type Named = Pick<Resource, "group" | "plural">;

interface Failure {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  readonly details?: StatusDetails;
  readonly metadata?: Status["metadata"];
}

function failure({ code, reason, message, details, metadata = {} }: Failure): ApiError {
  return new ApiError({
    kind: "Status",
    apiVersion: "v1",
    metadata,
    status: "Failure",
    message,
    reason,
    ...(details !== undefined && { details }),
    code,
  });
}

function about(resource: Named, name: string, causes?: readonly StatusCause[]): StatusDetails {
  return {
    ...(name !== "" && { name }),
    ...(resource.group !== "" && { group: resource.group }),
    kind: resource.plural,
    ...(causes !== undefined && { causes }),
  };
}

const subject = (resource: Named, name: string) =>
  name === "" ? qualifiedName(resource) : `${qualifiedName(resource)} ${JSON.stringify(name)}`;

/** A request that cannot be understood. */
export const badRequest = (message: string): ApiError =>
  failure({ code: 400, reason: "BadRequest", message });

/** Nobody knows who asks. */
export const unauthorized = (): ApiError =>
  failure({ code: 401, reason: "Unauthorized", message: "Unauthorized" });

/** A request for an object that is understood, and not allowed. */
export function forbiddenRequest(
  resource: Named,
  name: string,
  { why, causes }: { readonly why: string; readonly causes?: readonly StatusCause[] },
): ApiError {
  const message = `${subject(resource, name)} is forbidden: ${why}`;
  return failure({ code: 403, reason: "Forbidden", message, details: about(resource, name, causes) });
}

/** A refusal that is about no object. */
export const forbiddenAccess = (message: string): ApiError =>
  failure({ code: 403, reason: "Forbidden", message: `forbidden: ${message}`, details: {} });

/** An object that is not there. */
export const notFound = (resource: Named, name: string): ApiError =>
  failure({
    code: 404,
    reason: "NotFound",
    message: `${subject(resource, name)} not found`,
    details: about(resource, name),
  });

/** For a path that leads nowhere. */
export const noSuchPath = (): ApiError =>
  failure({
    code: 404,
    reason: "NotFound",
    message: "the server could not find the requested resource",
    details: {},
  });

/** A resource that cannot be treated like this. */
export const methodNotAllowed = (resource: Named, verb: string): ApiError =>
  failure({
    code: 405,
    reason: "MethodNotAllowed",
    message: `${verb} is not supported on resources of kind ${JSON.stringify(qualifiedName(resource))}`,
    details: about(resource, ""),
  });

/** No form of answer that the client would take. */
export const notAcceptable = (): ApiError =>
  failure({
    code: 406,
    reason: "NotAcceptable",
    message: "only the following media types are accepted: application/json, application/yaml",
  });

/** A name that is taken. */
export const alreadyExists = (resource: Named, name: string, prefix = ""): ApiError =>
  failure({
    code: 409,
    reason: "AlreadyExists",
    message: `${prefix}${subject(resource, name)} already exists`,
    details: about(resource, name),
  });

/** All generated names were taken. */
export const noUniqueName = (resource: Named, name: string): ApiError =>
  failure({
    code: 409,
    reason: "AlreadyExists",
    message: `${subject(resource, name)} already exists, the server was not able to generate a unique name for the object`,
    details: about(resource, name),
  });

/** A request that does not fit the state of its object. */
export const conflict = (resource: Named, name: string, why: string): ApiError =>
  failure({
    code: 409,
    reason: "Conflict",
    message: `Operation cannot be fulfilled on ${subject(resource, name)}: ${why}`,
    details: about(resource, name),
  });

/** Someone else wrote since the client read. */
export const modified = (resource: Named, name: string): ApiError =>
  conflict(
    resource,
    name,
    "the object has been modified; please apply your changes to the latest version and try again",
  );

/** The revision asked for is gone; `continueToken` goes on at the newest one. */
export const expired = (message: string, continueToken?: string): ApiError =>
  failure({
    code: 410,
    reason: "Expired",
    message,
    ...(continueToken !== undefined && { metadata: { continue: continueToken } }),
  });

/** A body, or what a patch would make of it, beyond the limit. */
export const tooLarge = (message: string): ApiError =>
  failure({
    code: 413,
    reason: "RequestEntityTooLarge",
    message: `Request entity too large: ${message}`,
  });

/** A body in an encoding that is none of these. */
export const unsupportedMediaType = (accepted: readonly string[]): ApiError =>
  failure({
    code: 415,
    reason: "UnsupportedMediaType",
    message: `the body of the request was in an unknown format - accepted media types include: ${accepted.join(", ")}`,
  });

/** The one kind of patch that is not there yet. */
export const applyNotSupported = (): ApiError =>
  failure({
    code: 415,
    reason: "UnsupportedMediaType",
    message: "server-side apply is not supported yet: use client-side apply, or a merge patch",
  });

/** A resource that is known, and that this server does not do. */
export const notSupportedYet = (resource: Named, what: string): ApiError =>
  failure({
    code: 405,
    reason: "MethodNotAllowed",
    message: `${what} ${qualifiedName(resource)} is not supported yet`,
    details: about(resource, ""),
  });

/** What an object is refused for, field by field; the one failure that names the Kind and not the collection. */
export function invalidObject(
  kind: Pick<Resource, "group" | "kind">,
  name: string,
  errors: readonly FieldError[],
): ApiError {
  return failure({
    code: 422,
    reason: "Invalid",
    message: `${qualifiedKind(kind)} ${JSON.stringify(name)} is invalid: ${fieldErrorsText(errors)}`,
    details: {
      ...(name !== "" && { name }),
      ...(kind.group !== "" && { group: kind.group }),
      kind: kind.kind,
      causes: detailsCauses(errors),
    },
  });
}

/** A request that is understood and cannot be carried out on this object, such as a patch that does not fit. */
export const unprocessable = (message: string): ApiError =>
  failure({ code: 422, reason: "Invalid", message });

/** Not now: the client is to come back after so many seconds. */
export const tooManyRequests = (
  message: string,
  retryAfterSeconds: number,
  causes?: readonly StatusCause[],
): ApiError =>
  failure({
    code: 429,
    reason: "TooManyRequests",
    message,
    details: { ...(causes !== undefined && { causes }), retryAfterSeconds },
  });

/** Something went wrong that is not the client's fault. */
export const internalError = (message: string): ApiError =>
  failure({
    code: 500,
    reason: "InternalError",
    message: `Internal error occurred: ${message}`,
    details: { causes: [{ message }] },
  });

/** What took longer than anyone waits. */
export const timedOut = (message: string): ApiError =>
  failure({ code: 504, reason: "Timeout", message: `Timeout: ${message}` });

/** A request from the future: the revision has not happened yet. */
export const revisionTooLarge = (wanted: number, current: number): ApiError =>
  failure({
    code: 504,
    reason: "Timeout",
    message: `Timeout: Too large resource version: ${wanted}, current: ${current}`,
    details: {
      causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
      retryAfterSeconds: 1,
    },
  });
